package fix

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// inFront returns the lock of a struct that is meant for what stands behind it, as is the custom: it is
// the only one, stands in front of the map, has a name that says no more than that it is a lock, and
// nothing is written beside it. nil if there is none.
func (m *Maker) inFront(st *ast.StructType, locks []*types.Var, v *types.Var) *types.Var {
	if len(locks) != 1 || locks[0].Exported() || locks[0].Pos() > v.Pos() || !plainLock(locks[0].Name()) || m.tried(locks[0]) {
		return nil
	}
	for _, f := range st.Fields.List {
		holds := slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return m.pass.TypesInfo.Defs[id] == types.Object(locks[0]) })
		if _, pointer := f.Type.(*ast.StarExpr); holds && (pointer || f.Doc != nil || f.Comment != nil) {
			return nil // it may be another object's, or is said to be for something
		}
		if holds {
			return locks[0]
		}
	}
	return nil
}

// tried reports whether the package takes a lock by Try: what holds it is told by that.
func (m *Maker) tried(lock *types.Var) bool {
	found := false
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && strings.HasPrefix(call.Sel.Name, "Try") {
				if at, ok := ast.Unparen(call.X).(*ast.SelectorExpr); ok && m.pass.TypesInfo.Uses[at.Sel] == types.Object(lock) {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// plainLock reports whether a lock's name says nothing of what it is for.
func plainLock(name string) bool {
	switch strings.ToLower(name) {
	case "mu", "mux", "mtx", "mut", "mutex", "lock", "rw", "rwmu", "rwmutex", "rwlock", "l", "m":
		return true
	}
	return false
}

// mayTake reports what speaks against taking a lock that is there already at some places of a
// function: what speaks against the guard of a map.
func (p *mutexPlan) mayTake(s *scene, points []point) refusal {
	if p.home.lock == nil {
		return ""
	}
	if busy := p.m.conduct.Busy(p.lock, p.m.quick); busy != nil {
		return refusal(fmt.Sprintf("%s is held while other code runs (%s:%d): it may be meant for that", p.lock.Name(), p.m.in.Pkg.File(busy.Pos), p.m.in.Line(busy.Pos)))
	}
	for _, a := range s.lacking() {
		if s.perhaps(a) {
			return refusal(p.lock.Name() + " is held on some paths only")
		}
	}
	if s.heldAt(p.lock, positions(points)) {
		return refusal("the " + p.lock.Name() + " of another object is held here")
	}
	return s.enterable(positions(points))
}
