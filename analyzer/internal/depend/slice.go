package depend

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A Slice is what depends on some values: the values computed from them, and
// the blocks that run or not because of them.
type Slice struct {
	f      *Func
	vals   map[ssa.Value]bool
	blocks []bool
	work   []ssa.Value
	kind   kind
}

// A kind says which dependences a slice follows.
type kind uint8

const (
	// everything follows values and branches.
	everything kind = iota
	// dataOnly follows computed values, no branches.
	dataOnly
	// notPresence follows both, but no comparison with nil.
	notPresence
)

// Forward returns all that depends on seeds.
func (f *Func) Forward(seeds []ssa.Value) *Slice { return f.forward(seeds, everything) }

func (f *Func) forward(seeds []ssa.Value, k kind) *Slice {
	s := &Slice{f: f, vals: make(map[ssa.Value]bool), blocks: make([]bool, len(f.Fn.Blocks)), kind: k}
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

func (s *Slice) taint(v ssa.Value) {
	if v != nil && !s.vals[v] {
		s.vals[v] = true
		s.work = append(s.work, v)
	}
}

// use follows one use of a dependent value.
func (s *Slice) use(r ssa.Instruction, v ssa.Value) {
	if r.Parent() != s.f.Fn || s.kind == notPresence && nilCompare(r) {
		return
	}
	switch r := r.(type) {
	case *ssa.If:
		if s.kind != dataOnly {
			s.branch(r.Block())
		}
	case *ssa.Store:
		if r.Val == v {
			s.stored(r)
		}
	case *ssa.MapUpdate:
		if m, ok := r.Map.(*ssa.MakeMap); ok {
			s.taint(m) // a copy that is being filled
		}
	case *ssa.MakeMap:
		// A size hint decides nothing.
	case *ssa.MakeSlice:
		if r.Len == v {
			s.taint(r) // nor does a capacity
		}
	case *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.Return, *ssa.Panic:
	case *ssa.UnOp:
		if st := ssautil.LastStore(r); st == nil || s.vals[st.Val] {
			s.taint(r)
		}
	case ssa.Value:
		s.taint(r)
	}
}

// stored follows a dependent value into a variable, and to the loads that get it, whatever else
// the variable has held.
func (s *Slice) stored(st *ssa.Store) {
	local := ssautil.Local(st.Addr)
	s.taint(local)
	if local == nil || local != st.Addr {
		return
	}
	for _, r := range *local.Referrers() {
		if ld, ok := r.(*ssa.UnOp); ok && ssautil.LastStore(ld) == st {
			s.taint(ld)
		}
	}
}

// branch marks what the branch at the end of b decides: the blocks under it,
// in turn their branches, and the phis that join its two sides.
func (s *Slice) branch(b *ssa.BasicBlock) {
	for _, i := range s.f.postdom().Controls(b.Index) {
		if s.blocks[i] {
			continue
		}
		s.blocks[i] = true
		c := s.f.Fn.Blocks[i]
		if len(c.Succs) > 1 {
			s.branch(c)
		}
	}
	join := s.f.postdom().Join(b.Index)
	if join < len(s.f.Fn.Blocks) {
		s.join(b, s.f.Fn.Blocks[join], false)
	}
	for _, i := range s.f.postdom().Controls(b.Index) {
		s.join(b, s.f.Fn.Blocks[i], s.f.Fn.Blocks[i].Dominates(b))
	}
}

// join marks the phis of a block whose value tells which way a branch went: the edges by
// which it comes there give them different values. In a loop's head, where the ways meet
// for the next round, these are the edges back, as the counter of a loop which all ways give
// the same value; elsewhere, those that do not come from the block itself. All of them are
// where the branch decides whether there is a next round: it tells how many there were.
func (s *Slice) join(branch, b *ssa.BasicBlock, again bool) {
	if !slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return s.blocks[p.Index] }) {
		return
	}
	back := b.Dominates(branch)
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			return
		}
		var first ssa.Value
		for i, p := range b.Preds {
			switch {
			case !again && b.Dominates(p) != back:
			case first == nil:
				first = phi.Edges[i]
			case !equal(first, phi.Edges[i]):
				s.taint(phi)
			}
		}
	}
}

// Controls reports whether instr runs or not because of the slice.
func (s *Slice) Controls(instr ssa.Instruction) bool { return s.blocks[instr.Block().Index] }

// Has reports whether v depends on the seeds.
func (s *Slice) Has(v ssa.Value) bool { return v != nil && s.vals[v] }

func (s *Slice) hasAny(vs []ssa.Value) bool {
	for _, v := range vs {
		if s.Has(v) {
			return true
		}
	}
	return false
}

// nilCompare reports whether instr only asks whether a value is nil. An error by
// which a callee says no is no entry: to ask for it is to ask for what it is about.
func nilCompare(instr ssa.Instruction) bool {
	b, ok := instr.(*ssa.BinOp)
	if !ok || b.Op != token.EQL && b.Op != token.NEQ {
		return false
	}
	return ssautil.IsNil(b.X) && !refusal(b.Y) || ssautil.IsNil(b.Y) && !refusal(b.X)
}

// refusal reports whether a value is the error of a callee that makes its errors
// itself, and waits for nothing: it says no by what it has seen.
func refusal(v ssa.Value) bool {
	i := 0
	if x, ok := v.(*ssa.Extract); ok {
		v, i = x.Tuple, x.Index
	} else if !ssautil.IsError(v.Type()) {
		return false
	}
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	fn := call.Call.StaticCallee()
	if results := fn.Signature.Results(); i >= results.Len() || !ssautil.IsError(results.At(i).Type()) {
		return false
	}
	rets := Returns(fn)
	own := func(r *ssa.Return) bool { e := ssautil.ResultAt(r, i); return ssautil.IsNil(e) || NonNil(e) }
	return len(rets) > 0 && !slices.ContainsFunc(rets, func(r *ssa.Return) bool { return !own(r) }) && !waits(fn)
}

// waits reports whether a function communicates over channels.
func waits(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Send, *ssa.Select:
				return true
			case *ssa.UnOp:
				if instr.Op == token.ARROW {
					return true
				}
			}
		}
	}
	return false
}
