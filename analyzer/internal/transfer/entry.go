package transfer

import (
	"go/constant"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// entries notes what protects the objects that maps hold, once the map's own
// lock is gone: a flag that is read again, a reference that is counted; and what
// states of theirs free their keys.
func (a *analysis) entries() {
	for i := range a.events {
		ev := a.events[i]
		out, op := &a.sum.Accesses[i], ev.acc.Op
		if op.Deletes() {
			out.Freed = a.frees(ev) // by the caller, where a callee deletes
		}
		if ev.acc.Lifted {
			continue // said in the callee
		}
		if (op.Writes() || op == access.Grow) && ev.acc.Path.Base().Known() {
			out.Alive = a.alive(ev, tellsState)
			out.Flagged = out.Alive && a.alive(ev, isFlag)
		}
		switch {
		case op == access.Lookup && ev.acc.Key.Known():
			out.Pinned = a.pinned(ev)
		case op == access.Assign:
			out.First = out.First || a.fillsNew(ev)
		case op.Deletes():
			out.Counted = a.counted(ev)
		case op == access.Insert:
			out.Replaces = a.replaces(ev)
		}
	}
}

// fillsNew reports whether an assignment is the first to a field of an object
// that the function makes.
func (a *analysis) fillsNew(act *event) bool {
	if _, made := act.acc.Path.Root().Val.(*ssa.Alloc); !made {
		return false
	}
	return !slices.ContainsFunc(a.events, func(ev *event) bool {
		return ev.acc.Path == act.acc.Path && ev.acc.Op.Writes() && a.sum.Flow.MayPrecede(ev.acc.Point, act.acc.Point)
	})
}

// counted lists the places whose lengths decide on a deletion, maps and slices:
// of an entry that goes because something in it has become empty.
func (a *analysis) counted(act *event) []accesspath.Location {
	from := make(map[ssa.Value]bool)
	for br := range decidersOf(act.instr.Block()) {
		for _, v := range a.dep.OriginsOf(br) {
			from[v] = true
		}
	}
	if len(from) == 0 {
		return nil
	}
	var out []accesspath.Location
	add := func(p accesspath.Path) {
		if loc := p.Location(); loc.Valid() && !slices.Contains(out, loc) {
			out = append(out, loc)
		}
	}
	for i := range a.events {
		ev := a.events[i]
		if ev.acc.Op == access.Len && slices.ContainsFunc(ev.outcomes, func(v ssa.Value) bool { return from[v] }) {
			add(ev.acc.Path)
		}
	}
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.Call); ok && from[c] && ssautil.IsLenOfSlice(c) {
				add(a.Paths.Of(c.Call.Args[0]))
			}
		}
	}
	return out
}

// decidersOf yields the branches of which one side leads to a block.
func decidersOf(at *ssa.BasicBlock) iter.Seq[*ssa.If] {
	return func(yield func(*ssa.If) bool) {
		for b := at.Idom(); b != nil; b = b.Idom() {
			br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if ok && (b.Succs[0].Dominates(at) || b.Succs[1].Dominates(at)) && !yield(br) {
				return
			}
		}
	}
}

// alive reports whether, within the act's critical section, a branch on which
// the act depends reads a number or truth value of the object that holds the
// map: its "removed" flag, state or generation; one of those that tell.
func (a *analysis) alive(act *event, tells func(ssa.Value) bool) bool {
	object := act.acc.Path.Base()
	for br := range decidersOf(act.instr.Block()) {
		for _, v := range a.dep.OriginsOf(br) {
			read, ok := v.(ssa.Instruction)
			if ok && read.Parent() == a.fn && a.readsState(v, object, tells) && locks.SameSections(a.stateAt(read), act.acc.Held) {
				return true
			}
		}
	}
	return false
}

// readsState reports whether v is a field of object that is no container, or
// what a method of it or of such a field answers.
func (a *analysis) readsState(v ssa.Value, object accesspath.Path, tells func(ssa.Value) bool) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return v.Op == token.MUL && tells(v) && a.Paths.Of(v.X).Parent() == object
	case *ssa.Call:
		fn, args := ssautil.Callee(&v.Call)
		if fn == nil || len(args) == 0 || fn.Signature().Recv() == nil {
			return false
		}
		p := a.Paths.Of(args[0])
		return ssautil.IsBool(v.Type()) && (p == object || p.Parent() == object)
	}
	return false
}

// tellsState reports whether a value is of a kind that says in what state its
// object is: a number, a truth value, a string that is compared with a
// constant. Other strings are names of something.
func tellsState(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsString == 0 {
		return ok
	}
	return slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		op, ok := r.(*ssa.BinOp)
		return ok && (isConst(op.X) || isConst(op.Y))
	})
}

// isFlag reports whether a value says that its object is in one state or another: a truth value, or
// one that is compared with a constant for being the same.
func isFlag(v ssa.Value) bool {
	if _, basic := v.Type().Underlying().(*types.Basic); !basic {
		return false
	}
	return ssautil.IsBool(v.Type()) || slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		op, ok := r.(*ssa.BinOp)
		if !ok {
			return false
		}
		same := (op.Op == token.EQL || op.Op == token.NEQ) && (isConst(op.X) || isConst(op.Y))
		return same || op.Op == token.LSS && isZero(op.Y) // a count that is put below what it can be
	})
}

func isZero(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && constant.Sign(c.Value) == 0
}

func isConst(v ssa.Value) bool {
	_, ok := v.(*ssa.Const)
	return ok
}

// pinned reports whether the function counts a reference to the entry that it
// looks up, in the same critical section.
func (a *analysis) pinned(check *event) bool {
	entry := a.Paths.Elem(check.acc.Path, check.acc.Key)
	for _, st := range a.countStores() {
		if a.Paths.Of(st.Addr).Parent() == entry && locks.SameSections(a.stateAt(st), check.acc.Held) {
			return true
		}
	}
	return false
}

// countStores lists the function's stores of integers to fields and variables,
// among them reference counts.
func (a *analysis) countStores() []*ssa.Store {
	if a.numberStores != nil {
		return a.numberStores
	}
	a.numberStores = []*ssa.Store{}
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			if !ok || accesspath.Renames(st.Addr, a.Paths.Of(st.Addr)) {
				continue
			}
			if b, ok := st.Val.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
				a.numberStores = append(a.numberStores, st)
			}
		}
	}
	return a.numberStores
}
