package transfer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// entries notes what protects the objects that maps hold, once the map's own
// lock is gone: a flag that is read again, a reference that is counted.
func (a *analysis) entries() {
	for i := range a.events {
		ev := &a.events[i]
		if ev.acc.Lifted {
			continue // said in the callee
		}
		switch {
		case (ev.acc.Op.Writes() || ev.acc.Op == access.Grow) && ev.acc.Path.Base().Known():
			a.sum.Accesses[i].Alive = a.alive(ev)
		case ev.acc.Op == access.Lookup && ev.acc.Key.Known():
			a.sum.Accesses[i].Pinned = a.pinned(ev)
		}
	}
}

// alive reports whether, within the act's critical section, a branch on which
// the act depends reads a number or truth value of the object that holds the
// map: its "removed" flag, state or generation.
func (a *analysis) alive(act *event) bool {
	object := act.acc.Path.Base()
	at := act.instr.Block()
	for b := at.Idom(); b != nil; b = b.Idom() {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !b.Succs[0].Dominates(at) && !b.Succs[1].Dominates(at) {
			continue
		}
		for v := range a.dep.Backward(br.Cond) {
			read, ok := v.(ssa.Instruction)
			if ok && read.Parent() == a.fn && a.readsState(v, object) && locks.SameSections(a.stateAt(read), act.acc.Held) {
				return true
			}
		}
	}
	return false
}

// readsState reports whether v is a field of object that is no container, or
// what a method of it or of such a field answers.
func (a *analysis) readsState(v ssa.Value, object accesspath.Path) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		_, basic := v.Type().Underlying().(*types.Basic)
		return v.Op == token.MUL && basic && a.Paths.Of(v.X).Parent() == object
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
