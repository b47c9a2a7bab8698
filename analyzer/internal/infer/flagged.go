package infer

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An object that brings a lock with it may say by a flag in which mode it does, as a transaction says whether it can write. Nothing
// sets the flag once the object is made. So where a function has found what it says, it holds the lock in the mode in which makers
// leave it held who give the flag that value.

// A flaggedHold is a lock that is held where a flag of an object says so.
type flaggedHold struct {
	in   []bool // by the block's index
	held locks.Held
}

// handOverByFlag notes the lock of a handover for the functions that get an object, in the mode that each of its flags tells.
func (p *Package) handOverByFlag(h *handover, sites map[*Func][]site) {
	if h.mode == locks.Write && h.when == nil {
		return // it tells no more
	}
	for field := range h.owner.Underlying().(*types.Struct).Fields() {
		if !ssautil.IsBool(field.Type()) || !p.SetAtFirst(field.Origin()) {
			continue
		}
		for _, says := range [...]bool{true, false} {
			one := *h
			one.mode, one.when = 0, &flagValue{field.Origin(), says}
			if p.madeLocked(&one, sites) && one.mode > h.mode {
				p.enterWhere(&one)
			}
		}
	}
}

// enterWhere notes the lock for the functions that get an object and may ask for the flag.
func (p *Package) enterWhere(h *handover) {
	for _, f := range p.Funcs {
		for i, param := range f.SSA.Params {
			if namedStruct(param.Type()) != h.owner {
				continue
			}
			object := p.Paths.ParamOf(f.Key, i)
			in := p.blocksWhere(f, flagAt{*h.when, object})
			if !slices.Contains(in, true) {
				continue
			}
			lock := p.Paths.Rebase(h.lock, h.object, object)
			f.flagged = append(f.flagged, flaggedHold{in, locks.Held{Lock: lock, Mode: h.mode, Sec: locks.Entry.Of()}})
		}
	}
}

// blocksWhere tells of each block of a function whether it is reached only where an object's flag was found to have a value.
func (p *Package) blocksWhere(f *Func, flag flagAt) []bool {
	out := make([]bool, len(f.SSA.Blocks))
	for i, b := range f.SSA.Blocks {
		for known := range p.flagsAt(b) {
			out[i] = out[i] || known == flag
		}
	}
	return out
}

// holdsFlagged returns what is held at a point of a function where state is what it does itself, and flags tell of what it gets, beside or
// instead of what is held there anyway.
func (f *Func) holdsFlagged(held []locks.Held, state locks.State, at ssautil.Point) []locks.Held {
	if len(f.flagged) == 0 {
		return held
	}
	for _, h := range f.flagged {
		if !h.in[at.Block] {
			continue
		}
		still := state.Over([]locks.Held{h.held})
		i := slices.IndexFunc(still, func(o locks.Held) bool { return o == h.held })
		if i < 0 {
			continue // it has been let go
		}
		held = slices.DeleteFunc(slices.Clone(held), func(o locks.Held) bool { return o.Lock == h.held.Lock })
		held = append(held, h.held)
	}
	return held
}

// A bearing says whether an object that is made has a flag of some value.
type bearing uint8

const (
	perhaps bearing = iota // nothing tells
	never
	may // under a condition, or always
)

// bornWhen returns the condition, in terms of what makes an object, under which its flag has a value; the zero one if that is so each
// time, or no flag is asked for.
func (p *Package) bornWhen(flag *flagValue, made *ssa.Alloc) (locks.Cond, bearing) {
	if flag == nil {
		return locks.Cond{}, may
	}
	given, ok := ssautil.AtFirst(made, flag.field)
	switch {
	case !ok:
		return locks.Cond{}, perhaps
	case given == nil:
		return decided(!flag.says, p.askedAt(made.Block()))
	}
	value, not := ssautil.Unnegated(given)
	if k, ok := value.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.Bool {
		return decided((constant.BoolVal(k.Value) != not) == flag.says, p.askedAt(made.Block()))
	}
	if _, ok := value.(*ssa.Parameter); !ok {
		return locks.Cond{}, perhaps
	}
	return locks.Cond{Val: p.Paths.Of(value), Test: locks.True, Holds: flag.says != not}, may
}

func decided(is bool, here locks.Cond) (locks.Cond, bearing) {
	if is {
		return here, may
	}
	return locks.Cond{}, never
}

// askedAt returns what a function has asked of one of its parameters wherever it comes to a block: the last of it.
func (p *Package) askedAt(b *ssa.BasicBlock) locks.Cond {
	for d := b.Idom(); d != nil; d = d.Idom() {
		br, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		cond, not := ssautil.Unnegated(br.Cond)
		if _, ok := cond.(*ssa.Parameter); !ok {
			continue
		}
		for i := range d.Succs {
			if ssautil.DominatesEdge(d, i, b) {
				return locks.Cond{Val: p.Paths.Of(cond), Test: locks.True, Holds: not != (i == 0)}
			}
		}
	}
	return locks.Cond{}
}

// givenWhen expresses a condition on a parameter of a function in terms of its caller.
func (p *Package) givenWhen(f *Func, s site, when locks.Cond) (locks.Cond, bearing) {
	if !when.Known() {
		return when, may
	}
	r := when.Val.Root()
	if r.Kind != accesspath.Param || r.Fn != f.Key || r.Index >= len(s.call.Args) {
		return locks.Cond{}, perhaps
	}
	arg := s.call.Args[r.Index]
	switch r := arg.Root(); {
	case arg.Depth() > 0:
	case r.Kind == accesspath.Const:
		return decided((r.Const == "true") == when.Holds, p.askedAt(s.caller.SSA.Blocks[s.call.Point.Block]))
	case r.Kind == accesspath.Param:
		when.Val = arg
		return when, may
	}
	return locks.Cond{}, perhaps
}

// heldAtCall returns what a caller holds at a call, where it is entered with the given locks.
func heldAtCall(s site, entry []locks.Held) []locks.Held {
	held := s.call.Held.Over(entry)
	if s.call.Kind == summary.Goroutine || s.call.Kind == summary.Escaped {
		return held
	}
	return s.caller.holdsFlagged(held, s.call.Held, s.call.Point)
}

// leftWhere returns the locks with which all functions return that make an object with a flag of some value, or those that call them:
// but for returns that give none.
func (p *Package) leftWhere(owner *types.Named, flag flagValue) []*types.Var {
	if !p.SetAtFirst(flag.field) {
		return nil
	}
	var all []*types.Var
	some := false
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				made, ok := instr.(*ssa.Alloc)
				if !ok || !made.Heap || isPointer(ssautil.Pointee(made.Type())) || namedStruct(made.Type()) != owner {
					continue
				}
				when, born := p.bornWhen(&flag, made)
				if born == never {
					continue
				}
				left := p.leftBy(f, when, 1)
				if some {
					left = slices.DeleteFunc(left, func(v *types.Var) bool { return !slices.Contains(all, v) })
				}
				if all, some = left, true; len(all) == 0 || born == perhaps {
					return nil
				}
			}
		}
	}
	return all
}

// leftBy returns the locks with which a function returns from calls for which a condition holds, or all that call it then.
func (p *Package) leftBy(f *Func, when locks.Cond, depth int) []*types.Var {
	all, some := leftAtExit(f.Effect, when)
	if some || depth == 0 || f.Ctx.Open() {
		return all
	}
	for _, s := range p.sites()[f] {
		given, born := p.givenWhen(f, s, when)
		if born == never {
			continue
		}
		left := p.leftBy(s.caller, given, depth-1)
		if some {
			left = slices.DeleteFunc(left, func(v *types.Var) bool { return !slices.Contains(all, v) })
		}
		if all, some = left, true; len(all) == 0 || born == perhaps {
			return nil
		}
	}
	return all
}

// leftAtExit returns the locks that are held in all cases in which a call returns for which a condition holds, apart from returns
// whose results tell that it has taken none; false if it takes none anyway.
func leftAtExit(e locks.Effect, when locks.Cond) (all []*types.Var, some bool) {
	for _, c := range e.Exit().Cases() {
		if when.Known() && c.Excludes(when) {
			continue
		}
		var left []*types.Var
		for _, l := range c.Locks {
			if v := l.Path.Location().Var; v != nil && l.Must() && (!some || slices.Contains(all, v)) {
				left = append(left, v)
			}
		}
		if len(c.Locks) == 0 && slices.ContainsFunc(c.When, func(w locks.Cond) bool { return w.Result != 0 }) {
			continue
		}
		all, some = left, true
	}
	return all, some
}
