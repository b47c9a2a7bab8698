package depend

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// ordered reports whether a branch on which an instruction depends asks how the
// content compares with something: less, after. What was greater a moment ago
// need not be greater now; what was equal is the same again. What an act puts in
// must be part of the comparison: how old the entry is says nothing of which value
// is the newer one.
func (f *Func) ordered(content *Slice, a *Act) bool {
	for _, b := range f.postdom().Deciders(a.Instr.Block().Index) {
		br := f.branch(b)
		if br == nil || !content.Has(br.Cond) {
			continue
		}
		if op, ok := br.Cond.(*ssa.BinOp); ok {
			switch op.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				return !ssautil.IsZero(op.X) && !ssautil.IsZero(op.Y) && f.comparesNew(content, op, a)
			}
		}
	}
	return false
}

// comparedAgain reports whether the act only runs where something of what the
// look found equals the same of what the map holds in the act's own critical
// section: a version, or the entry itself. It is a compare-and-swap by hand: had
// another goroutine changed the entry in between, it would not run.
func (f *Func) comparedAgain(content *Slice, a *Act) bool {
	at := a.Instr.Block()
	for b := at.Idom(); b != nil; b = b.Idom() {
		br := f.branch(b.Index)
		if br == nil {
			continue
		}
		op, ok := br.Cond.(*ssa.BinOp)
		if !ok || op.Op != token.EQL && op.Op != token.NEQ {
			continue
		}
		equal := 0
		if op.Op == token.NEQ {
			equal = 1
		}
		old, now := op.X, op.Y
		if !content.Has(old) {
			old, now = now, old
		}
		if content.Has(old) && !content.Has(now) && ssautil.DominatesEdge(b, equal, at) && f.readAgain(now, a) {
			return true
		}
	}
	return false
}

// sameKey reports whether a look-up is under the act's key, as far as is known.
func (f *Func) sameKey(l *ssa.Lookup, a *Act) bool {
	return a.Key != nil && f.KeyOf(l.Index) == f.KeyOf(a.Key)
}

// readAgain reports whether a value is read from the act's entry in the act's
// critical section.
func (f *Func) readAgain(v ssa.Value, a *Act) bool {
	for x := range f.Origins(v) {
		if l, ok := x.(*ssa.Lookup); ok && f.Paths.Of(l.X) == a.Path && f.sameKey(l, a) && f.SameSection(l, a.Instr) {
			return true
		}
	}
	return false
}

// looksAtEntry reports whether, within the act's critical section, a branch on
// which the act depends reads something through the value that was looked up.
func (f *Func) looksAtEntry(content *Slice, a *Act) bool {
	for _, b := range f.postdom().Deciders(a.Instr.Block().Index) {
		br := f.branch(b)
		if br == nil || !content.Has(br.Cond) {
			continue
		}
		for _, v := range f.OriginsOf(br) {
			read, ok := v.(ssa.Instruction)
			if ok && content.Has(v) && read.Parent() == f.Fn && readsMemory(v) && f.SameSection(read, a.Instr) {
				return true
			}
		}
	}
	return false
}

// readsMemory reports whether a value is read from an object, not from a copy of
// the entry, which does not change.
func readsMemory(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		_, field := v.X.(*ssa.FieldAddr)
		return v.Op == token.MUL && !(field && ssautil.Local(v.X) != nil)
	case *ssa.Call:
		_, builtin := v.Call.Value.(*ssa.Builtin)
		return !builtin
	}
	return false
}

// sideEffects says whether the branches of the slice decide on more than
// the act, [Effects], and whether that [Follows] it: on a send, a goroutine, or a call whose result does not go into
// what the act writes, on a path on which the act happens too. Locking,
// logging, making errors and tidying the same map do not count. Of a deletion,
// what comes before it counts: what follows is its own consequence.
func (f *Func) sideEffects(s *Slice, a *Act) Traits {
	var found Traits
	into := f.parts(a.Value, a.Key)
	at := a.Instr.Block()
	if a.Op.Deletes() { // what is asked whether to delete is a question
		maps.Copy(into, f.asked(at))
	}
	for _, b := range f.Fn.Blocks {
		if !s.blocks[b.Index] || !b.Dominates(at) && !at.Dominates(b) || f.askedBehind(b, a) {
			continue
		}
		for _, instr := range b.Instrs {
			if a.Op.Deletes() && !ssautil.Dominates(instr, a.Instr) {
				continue
			}
			switch instr := instr.(type) {
			case *ssa.Go:
				return Effects | Follows | Lasting
			case *ssa.Send:
				found |= effectAt(instr, a) | Lasting
			case *ssa.Call:
				part := into[instr] || setsPart(instr, into)
				if instr != a.Instr && !part && f.Effectful(instr) && !f.Tidies(instr, a.Path) && !f.eitherWay(instr, at) {
					found |= effectAt(instr, a).with(Lasting, f.Lasting(instr))
				}
			}
		}
	}
	return found
}

// askedBehind reports whether a block runs only by what the map is found to be once the act has
// run, in the act's section: how large it has grown, say. The first look does not decide on that.
func (f *Func) askedBehind(b *ssa.BasicBlock, a *Act) bool {
	at := a.Instr.Block()
	if b == at || !at.Dominates(b) {
		return false
	}
	for _, d := range f.postdom().Deciders(b.Index) {
		br := f.branch(d)
		if br == nil || !at.Dominates(br.Block()) {
			continue
		}
		for _, v := range f.OriginsOf(br) {
			call, ok := v.(*ssa.Call)
			if !ok {
				continue
			}
			of, isLen := ssautil.LenOf(call)
			if isLen && f.Paths.Of(of) == a.Path && ssautil.Dominates(a.Instr, call) && f.SameSection(call, a.Instr) {
				return true
			}
		}
	}
	return false
}

// eitherWay reports whether a call is made on paths without the act as well: the same
// function gets the same values there.
func (f *Func) eitherWay(call *ssa.Call, act *ssa.BasicBlock) bool {
	for _, b := range f.Fn.Blocks {
		if b.Dominates(act) || act.Dominates(b) {
			continue
		}
		for _, instr := range b.Instrs {
			if other, ok := instr.(*ssa.Call); ok && f.sameCall(call, other) && !f.Reach.MayPrecede(other, call) && !f.Reach.MayPrecede(call, other) {
				return true
			}
		}
	}
	return false
}

// sameCall reports whether two calls are of one function, with the same values.
func (f *Func) sameCall(a, b *ssa.Call) bool {
	x, y := &a.Call, &b.Call
	if x.Method != y.Method || len(x.Args) != len(y.Args) || !f.sameValue(x.Value, y.Value) {
		return false
	}
	for i := range x.Args {
		if !f.sameValue(x.Args[i], y.Args[i]) {
			return false
		}
	}
	return true
}

// sameValue reports whether two values are one: the same instruction, equal constants, or
// what one path leads to.
func (f *Func) sameValue(x, y ssa.Value) bool {
	_, c := x.(*ssa.Const)
	_, d := y.(*ssa.Const)
	if c || d || x == y {
		return equal(x, y)
	}
	p := f.Paths.Of(x)
	return p.Known() && p == f.Paths.Of(y)
}

// equal reports whether two values are one, or equal constants.
func equal(x, y ssa.Value) bool {
	c, isConst := x.(*ssa.Const)
	d, ok := y.(*ssa.Const)
	if !ok || !isConst || !types.Identical(c.Type(), d.Type()) {
		return x == y
	}
	if c.Value == nil || d.Value == nil {
		return c.Value == d.Value
	}
	return constant.Compare(c.Value, token.EQL, d.Value)
}

// effectAt returns the traits of an effect: whether it follows the act.
func effectAt(instr ssa.Instruction, a *Act) Traits {
	return Effects.with(Follows, ssautil.Dominates(a.Instr, instr))
}

// parts returns the values that vs are computed from, and what is put into the
// fields of those that are made here.
func (f *Func) parts(vs ...ssa.Value) map[ssa.Value]bool {
	seen := f.Backward(vs...)
	var work []ssa.Value
	for v := range seen {
		work = append(work, v)
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		made, ok := v.(*ssa.Alloc)
		if !ok {
			continue
		}
		for _, r := range *made.Referrers() {
			if fld, ok := r.(*ssa.FieldAddr); ok {
				for x := range f.Origins(storedIn(fld)...) {
					if !seen[x] {
						seen[x] = true
						work = append(work, x)
					}
				}
			}
		}
	}
	return seen
}

// storedIn returns the values that are stored to a field by its address.
func storedIn(fld *ssa.FieldAddr) []ssa.Value {
	var out []ssa.Value
	for _, r := range *fld.Referrers() {
		if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(fld) {
			out = append(out, st.Val)
		}
	}
	return out
}

// setsPart reports whether a call sets an atomic field of one of the values.
func setsPart(call *ssa.Call, values map[ssa.Value]bool) bool {
	fn, args := ssautil.Callee(&call.Call)
	if model.Flag(fn) == model.FlagNone || len(args) == 0 {
		return false
	}
	fld, ok := args[0].(*ssa.FieldAddr)
	return ok && values[fld.X]
}

// asked returns the values from which the branches that decide on a block are
// computed.
func (f *Func) asked(at *ssa.BasicBlock) map[ssa.Value]bool {
	var conds []ssa.Value
	for _, b := range f.postdom().Deciders(at.Index) {
		if br := f.branch(b); br != nil {
			conds = append(conds, br.Cond)
		}
	}
	return f.Backward(conds...)
}

// ends reports whether a value of the slice is put to an end, before or after
// instr on its path, in a way that must not happen twice: a channel is closed,
// an object goes back to its pool.
func (f *Func) ends(data *Slice, instr ssa.Instruction) bool {
	for _, b := range f.Fn.Blocks {
		if !b.Dominates(instr.Block()) && !instr.Block().Dominates(b) {
			continue
		}
		for _, i := range b.Instrs {
			c, ok := i.(*ssa.Call)
			if !ok {
				continue
			}
			last := len(c.Call.Args) - 1
			if last < 0 || !data.Has(c.Call.Args[last]) {
				continue
			}
			if bi, ok := c.Call.Value.(*ssa.Builtin); ok && bi.Name() == "close" {
				return true
			}
			if fn, _ := ssautil.Callee(&c.Call); model.Recycles(fn) {
				return true
			}
		}
	}
	return false
}

// used reports whether something is done with what was looked up, on the way
// from the look to the act and outside of the act's critical section: a call
// that gets it and changes something, or a send.
func (f *Func) used(l *Look, values []ssa.Value, a *Act) bool {
	objects := f.forward(values, dataOnly)
	for _, b := range f.Fn.Blocks {
		for _, instr := range b.Instrs {
			if instr == a.Instr || !f.usesObject(instr, objects) {
				continue
			}
			always := l.Op == access.Range || ssautil.Dominates(instr, a.Instr)
			if always && f.between(l.Instr, instr, a.Instr) && !f.SameSection(instr, a.Instr) {
				return true
			}
		}
	}
	return false
}

// spent reports whether something is done with what was looked up once the act
// has run, whenever it has.
func (f *Func) spent(values []ssa.Value, a *Act) bool {
	objects := f.forward(values, dataOnly)
	for _, b := range f.Fn.Blocks {
		if !a.Instr.Block().Dominates(b) {
			continue
		}
		for _, instr := range b.Instrs {
			if instr != a.Instr && ssautil.Dominates(a.Instr, instr) && f.usesObject(instr, objects) {
				return true
			}
		}
	}
	return false
}

// between reports whether control can go from x over y to z.
func (f *Func) between(x, y, z ssa.Instruction) bool {
	return f.Reach.MayPrecede(x, y) && f.Reach.MayPrecede(y, z)
}

// usesObject reports whether an instruction does something to one of the
// objects.
func (f *Func) usesObject(instr ssa.Instruction, objects *Slice) bool {
	switch instr := instr.(type) {
	case *ssa.Send:
		return objects.Has(instr.X) && ssautil.PointerLike(instr.X.Type())
	case *ssa.Call:
		_, args := ssautil.Callee(&instr.Call)
		return len(args) > 0 && objects.Has(args[0]) && f.Effectful(instr)
	}
	return false
}
