package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
)

// A slice is what depends on some values: the values computed from them, and
// the blocks that run or not because of them.
type slice struct {
	a      *analysis
	vals   map[ssa.Value]bool
	blocks []bool
	work   []ssa.Value
	// skip cuts dependences that the question leaves out.
	skip func(ssa.Instruction) bool
	// data follows computed values only, no branches.
	data bool
}

// forward returns all that depends on seeds. Complexity: linear in the uses
// of the values reached.
func (a *analysis) forward(seeds []ssa.Value, data bool, skip func(ssa.Instruction) bool) *slice {
	s := &slice{a: a, vals: make(map[ssa.Value]bool), blocks: make([]bool, len(a.fn.Blocks)), data: data, skip: skip}
	for _, v := range seeds {
		s.taint(v)
	}
	for len(s.work) > 0 {
		v := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if refs := v.Referrers(); refs != nil {
			for _, r := range *refs {
				s.use(r, v)
			}
		}
	}
	return s
}

func (s *slice) taint(v ssa.Value) {
	if v != nil && !s.vals[v] {
		s.vals[v] = true
		s.work = append(s.work, v)
	}
}

// use follows one use of a dependent value.
func (s *slice) use(r ssa.Instruction, v ssa.Value) {
	if r.Parent() != s.a.fn || s.skip != nil && s.skip(r) {
		return
	}
	switch r := r.(type) {
	case *ssa.If:
		if !s.data {
			s.branch(r.Block())
		}
	case *ssa.Store:
		if r.Val == v {
			s.taint(local(r.Addr))
		}
	case *ssa.MapUpdate:
		if m, ok := r.Map.(*ssa.MakeMap); ok {
			s.taint(m) // a copy that is being filled
		}
	case *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.Return, *ssa.Panic:
	case ssa.Value:
		s.taint(r)
	}
}

// local returns the local variable that addr is, or is a part of; one that a
// literal captures counts too.
func local(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			addr = x.X
		case *ssa.Alloc, *ssa.FreeVar:
			return x
		default:
			return nil
		}
	}
}

// branch marks what the branch at the end of b decides: the blocks under it,
// in turn their branches, and the phis that join its two sides.
func (s *slice) branch(b *ssa.BasicBlock) {
	for _, i := range s.a.postdom().controls[b.Index] {
		if s.blocks[i] {
			continue
		}
		s.blocks[i] = true
		c := s.a.fn.Blocks[i]
		if len(c.Succs) > 1 {
			s.branch(c)
		}
	}
	join := s.a.postdom().ipdom[b.Index]
	if join < len(s.a.fn.Blocks) {
		s.join(s.a.fn.Blocks[join])
	}
	for _, i := range s.a.postdom().controls[b.Index] {
		s.join(s.a.fn.Blocks[i])
	}
}

func (s *slice) join(b *ssa.BasicBlock) {
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			return
		}
		for _, p := range b.Preds {
			if s.blocks[p.Index] {
				s.taint(phi)
				break
			}
		}
	}
}

func (s *slice) controls(instr ssa.Instruction) bool { return s.blocks[instr.Block().Index] }

func (s *slice) has(v ssa.Value) bool { return v != nil && s.vals[v] }

func (s *slice) hasAny(vs []ssa.Value) bool {
	for _, v := range vs {
		if s.has(v) {
			return true
		}
	}
	return false
}

func (a *analysis) postdom() *postdom {
	if a.pdom == nil {
		a.pdom = newPostdom(a.fn)
	}
	return a.pdom
}

// nilCompare reports whether instr only asks whether a value is nil.
func nilCompare(instr ssa.Instruction) bool {
	b, ok := instr.(*ssa.BinOp)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return false
	}
	return isNil(b.X) || isNil(b.Y)
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// returns reports whether v itself, not something computed from it, is
// returned by the function.
func (a *analysis) returns(v ssa.Value) bool { return len(a.returnsOf(v)) > 0 }

// returnsOf finds the returns of v itself.
func (a *analysis) returnsOf(v ssa.Value) []*ssa.Return {
	seen := make(map[ssa.Value]bool)
	var found []*ssa.Return
	work := []ssa.Value{v}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || seen[v] || v.Referrers() == nil {
			continue
		}
		seen[v] = true
		for _, r := range *v.Referrers() {
			switch r := r.(type) {
			case *ssa.Return:
				found = append(found, r)
			case *ssa.Store:
				if r.Val == v {
					work = append(work, local(r.Addr))
				}
			case *ssa.UnOp:
				if r.Op == token.MUL {
					work = append(work, r)
				}
			case *ssa.Phi, *ssa.Extract, *ssa.ChangeType, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.ChangeInterface, *ssa.FieldAddr, *ssa.Field:
				work = append(work, r.(ssa.Value))
			}
		}
	}
	return found
}

// sideEffects reports whether the branches of the slice decide on more than
// the act: on a send, a goroutine, or a call whose result does not go into
// what the act writes, on a path on which the act happens too. Locking,
// logging, making errors and tidying the same map do not count.
func (a *analysis) sideEffects(s *slice, act *event) bool {
	into := a.backward(act.value, act.key)
	at := act.instr.Block()
	for _, b := range a.fn.Blocks {
		if !s.blocks[b.Index] || !b.Dominates(at) && !at.Dominates(b) {
			continue
		}
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Send, *ssa.Go:
				return true
			case *ssa.Call:
				if instr != act.instr && !into[instr] && a.effectful(instr) && !a.tidies(instr, act.acc.Path) {
					return true
				}
			}
		}
	}
	return false
}

// looksAtEntry reports whether, within the act's critical section, a branch on
// which the act depends reads something through the value that was looked up.
func (a *analysis) looksAtEntry(content *slice, act *event) bool {
	if len(act.acc.Held.Held()) == 0 {
		return false
	}
	for b, controlled := range a.postdom().controls {
		blk := a.fn.Blocks[b]
		if !slices.Contains(controlled, act.instr.Block().Index) {
			continue
		}
		br, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.If)
		if !ok || !content.has(br.Cond) {
			continue
		}
		for v := range a.backward(br.Cond) {
			read, ok := v.(ssa.Instruction)
			if !ok || !content.has(v) || read.Parent() != a.fn || !readsMemory(v) {
				continue
			}
			if held := a.stateAt(read); len(held.Held()) > 0 && sameSections(held, act.acc.Held) {
				return true
			}
		}
	}
	return false
}

func readsMemory(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL
	case *ssa.Call:
		_, builtin := v.Call.Value.(*ssa.Builtin)
		return !builtin
	}
	return false
}

func (a *analysis) effectful(c *ssa.Call) bool {
	if _, ok := c.Call.Value.(*ssa.Builtin); ok {
		return false
	}
	if e := a.effects[c]; e != nil && (e.model.Kind == model.Spawn || e.model.Kind == model.Register) {
		return true
	} else if e != nil && (e.model.Kind != model.None || e.changesLocks()) {
		return false
	}
	fn, _ := callee(&c.Call)
	return fn == nil || !role.Harmless(fn) && !asksOnly(c)
}

// asksOnly reports whether the result of a call is used for nothing but to ask
// it: client.Scales(ns).Get(name).
func asksOnly(c *ssa.Call) bool {
	refs := *c.Referrers()
	for _, r := range refs {
		use, ok := r.(*ssa.Call)
		if !ok {
			return false
		}
		fn, args := callee(&use.Call)
		if fn == nil || len(args) == 0 || args[0] != ssa.Value(c) || !role.Harmless(fn) {
			return false
		}
	}
	return len(refs) > 0
}

// tidies reports whether all that is known of a call's effect is that it
// changes the map at path.
func (a *analysis) tidies(c *ssa.Call, path accesspath.Path) bool {
	e := a.effects[c]
	if e == nil || len(e.targets) != 1 || e.targets[0].sum == nil {
		return false
	}
	t := e.targets[0]
	for _, i := range t.sum.Visible {
		if a.substitute(t.sum.Accesses[i].Path, t, c) != path {
			return false
		}
	}
	return len(t.sum.Visible) > 0 && len(t.sum.Calls) == 0 && !t.sum.Spawns
}

// storesTo returns the values that the function stores at a path.
func (a *analysis) storesTo(p accesspath.Path) []ssa.Value {
	var out []ssa.Value
	for _, instr := range a.storeInstrs(p) {
		out = append(out, instr.(*ssa.Store).Val)
	}
	return out
}

// backward returns the values that vs are computed from.
func (a *analysis) backward(vs ...ssa.Value) map[ssa.Value]bool {
	seen := make(map[ssa.Value]bool)
	work := vs
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v == nil || seen[v] {
			continue
		}
		seen[v] = true
		instr, ok := v.(ssa.Instruction)
		if !ok {
			continue
		}
		for _, op := range instr.Operands(nil) {
			if *op != nil {
				work = append(work, *op)
			}
		}
		if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
			work = append(work, a.storesTo(a.Paths.Of(ld.X))...)
		}
		if al, ok := v.(*ssa.Alloc); ok {
			for _, r := range *al.Referrers() {
				if st, ok := r.(*ssa.Store); ok {
					work = append(work, st.Val)
				}
			}
		}
	}
	return seen
}
