package ownership

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// HandedOver returns, of the arguments and captured objects that a goroutine
// gets, what it has alone from now on: owned here, and not touched again.
func (r *Result) HandedOver(instr ssa.Instruction, args []ssa.Value, captured []accesspath.Path) (as, cs []Fate) {
	as, cs = r.Args(instr, args), r.Captures(instr, captured)
	for i, v := range args {
		if as[i] = r.handOver(as[i], instr, r.Paths.Of(v)); r.givenAway(instr, v) {
			as[i] = Fate{Own: Owned}
		}
	}
	for i, p := range captured {
		m := p.Root().Val
		if cs[i] = r.handOver(cs[i], instr, p); m != nil && p.Depth() == 0 && r.givenAway(instr, m) {
			cs[i] = Fate{Own: Owned}
		}
	}
	return as, cs
}

func (r *Result) handOver(f Fate, instr ssa.Instruction, p accesspath.Path) Fate {
	if f.Own != Owned || !f.At.None() || p.Root().Kind == accesspath.Param {
		return Fate{Own: Shared}
	}
	if r.touchedAfter(instr, p) {
		return Fate{Own: Shared}
	}
	return f
}

// givenAway reports whether a goroutine gets a map that this function has read from its place, and which is
// no longer there: the place has another one by then, or is given one next. The function does not use
// it later.
func (r *Result) givenAway(instr ssa.Instruction, v ssa.Value) bool {
	m := readFrom(v)
	if m == nil || m.Parent() != r.fn || r.plain {
		return false
	}
	s := r.before(instr)
	if n, ok := r.numbers[reading{v: m}]; !ok || s.kept(n) != TakenOut && !(s.kept(n) == Attached && r.replacedNext(instr, m)) {
		return false
	}
	return !walk(instr, m, usesOf(m)) && r.soleReader(s, instr, m) && r.givenNew(r.Paths.Of(m))
}

// usesOf returns what tells whether an instruction uses what was read.
func usesOf(read ssa.Value) func(ssa.Instruction) bool {
	return func(i ssa.Instruction) bool {
		for _, op := range i.Operands(nil) {
			if *op != nil && readFrom(*op) == read {
				return true
			}
		}
		return false
	}
}

// soleReader reports whether the function has not read the same map once more, to keep it elsewhere or to use it later.
func (r *Result) soleReader(s *State, instr ssa.Instruction, m ssa.Value) bool {
	place := r.Paths.Of(m)
	for n, x := range r.reads {
		if x.v == m || r.placeRead(x) != place {
			continue
		}
		once := !ssautil.Again(x.v.(ssa.Instruction).Block(), nil) // else a later round reads another map
		if s.kept(n) != Nowhere && (keptElsewhere(x.v) || once && walkOn(instr, x.v, usesOf(x.v))) {
			return false
		}
	}
	return true
}

// keptElsewhere reports whether what was read is put into another field, a map or a channel.
func keptElsewhere(read ssa.Value) bool {
	return slices.ContainsFunc(*read.Referrers(), func(i ssa.Instruction) bool {
		switch i := i.(type) {
		case *ssa.Store:
			return i.Val == read && !cell(i.Addr)
		case *ssa.MapUpdate:
			return i.Value == read
		case *ssa.Send:
			return true
		}
		return false
	})
}

// givenNew reports whether the function assigns to a place only maps that are made for it, as far as it shows.
func (r *Result) givenNew(place accesspath.Path) bool {
	for _, b := range r.fn.Blocks {
		for _, i := range b.Instrs {
			st, ok := i.(*ssa.Store)
			if !ok || cell(st.Addr) || r.Paths.Of(st.Addr) != place {
				continue
			}
			switch ssautil.Unwrap(st.Val).(type) {
			case *ssa.MakeMap, *ssa.MakeSlice, *ssa.Slice, *ssa.Const, *ssa.Call:
			default:
				return false
			}
		}
	}
	return true
}

// replacedNext reports whether the place that m was read from is given another map next: what is done until then
// makes the new one, and comes to no other code.
func (r *Result) replacedNext(instr ssa.Instruction, m ssa.Value) bool {
	b, place := instr.Block(), r.Paths.Of(m)
	for _, i := range b.Instrs[slices.Index(b.Instrs, instr)+1:] {
		switch i := i.(type) {
		case *ssa.Store:
			if r.Paths.Of(i.Addr) == place {
				return readFrom(i.Val) != m
			}
		case *ssa.FieldAddr, *ssa.MakeMap, *ssa.DebugRef, *ssa.UnOp:
			if v, ok := i.(ssa.Value); ok && tracked(v) && r.Paths.Of(v) == place {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// touchedAfter reports whether the object at p, or one that leads to it, is
// used after instr, before it is made anew.
func (r *Result) touchedAfter(instr ssa.Instruction, p accesspath.Path) bool {
	root := p.Root().Val
	related := map[accesspath.Root]bool{p.Root(): true}
	r.links.around(p.Root(), related)
	uses := func(i ssa.Instruction) bool {
		if _, phi := i.(*ssa.Phi); phi {
			return false
		}
		for _, op := range i.Operands(nil) {
			if *op == nil {
				continue
			}
			if m := readFrom(*op); m != nil && m == root || related[r.Paths.Of(*op).Root()] {
				return true
			}
		}
		return false
	}
	for _, d := range r.defers {
		if uses(d) {
			return true
		}
	}
	return walk(instr, root, uses)
}

// walk goes on from instr until def, and reports whether some instruction on
// the way is a use.
func walk(instr ssa.Instruction, def ssa.Value, uses func(ssa.Instruction) bool) bool {
	return walkOn(instr, def, func(i ssa.Instruction) bool { return uses(i) || i == instr })
}

// walkOn is walk where it is no use to come to instr once more.
func walkOn(instr ssa.Instruction, def ssa.Value, uses func(ssa.Instruction) bool) bool {
	seen := make(map[*ssa.BasicBlock]bool)
	type part struct {
		b    *ssa.BasicBlock
		from int
	}
	work := []part{{instr.Block(), slices.Index(instr.Block().Instrs, instr) + 1}}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		renewed := false
		for _, i := range at.b.Instrs[at.from:] {
			if v, ok := i.(ssa.Value); ok && v == def {
				renewed = true
				break
			}
			if uses(i) {
				return true
			}
		}
		if renewed {
			continue
		}
		for _, s := range at.b.Succs {
			if !seen[s] {
				seen[s] = true
				work = append(work, part{s, 0})
			}
		}
	}
	return false
}
