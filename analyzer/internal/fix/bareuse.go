package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// A bareUse is an access without a lock, and whether the starter itself makes it.
type bareUse struct {
	at      *access.Access
	starter bool
}

// parted returns the variable that is the one lock under which goroutines of a race use
// the map, and the accesses without a lock, those of the starter beside them included; nil if it is another picture.
func (m *Maker) parted(race *witness.RaceVerdict) (*types.Var, []bareUse) {
	var lock accesspath.Path
	var bare []bareUse
	for _, v := range m.visitsOf(race) {
		if !v.Op.Uses() {
			continue
		}
		own, ok := m.besideBare(race, v, &lock)
		if !ok {
			return nil, nil
		}
		bare = append(bare, own...)
		switch {
		case len(v.Held) == 0 && !takesAny(v.Access.Held):
			bare = append(bare, bareUse{at: v.Access})
		case len(v.Held) != 1 || !same(&lock, v.Held[0].Lock) || v.Held[0].Mode != locks.Write && v.Op.Writes():
			return nil, nil
		}
	}
	if !lock.Known() || lock.Depth() > 0 || lock.Root().Kind != accesspath.Value || lock.Root().Val == nil || len(bare) == 0 {
		return nil, nil
	}
	val := lock.Root().Val
	for id, obj := range m.pass.TypesInfo.Defs {
		if v, ok := obj.(*types.Var); ok && id.Pos() == val.Pos() && isSync(v.Type()) {
			return v, bare
		}
	}
	return nil, nil
}

// besideBare returns what the starter of a race does with the map beside a goroutine, without a lock; not ok if it does so
// under another lock than the one that the goroutines have, or in a function that it calls.
func (m *Maker) besideBare(race *witness.RaceVerdict, v *threads.Visit, lock *accesspath.Path) (bare []bareUse, ok bool) {
	for _, i := range v.Thread.Beside() {
		c := &race.Starter.Accesses[i]
		if c.Spawned || c.Path != v.Path || !c.Op.Uses() {
			continue
		}
		held := c.Held.Held()
		switch {
		case !takesAny(c.Held) && !c.Lifted:
			bare = append(bare, bareUse{c, true})
		case len(held) != 1 || !same(lock, held[0].Lock) || held[0].Mode != locks.Write && c.Op.Writes():
			return nil, false
		}
	}
	return bare, true
}

// takesAny reports whether the function itself may hold a lock that it has taken.
func takesAny(s locks.State) bool {
	return slices.ContainsFunc(s.Locks(), func(l locks.Lock) bool { return l.Can&locks.Taken != 0 })
}

// same reports whether a lock is the one that was met before; the first one is.
func same(met *accesspath.Path, lock accesspath.Path) bool {
	if !met.Known() {
		*met = lock
	}
	return *met == lock
}

// unknownYet reports whether a section of the starter is over before anything else can name its mutex: it stands in no loop, and
// each literal with the mutex's name comes after it. So no other goroutine waits for it there.
func (s *scene) unknownYet(x stretch, mutex *types.Var) bool {
	if x.in != s.root {
		return false
	}
	for _, n := range s.src.enclosing(x.from) {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		}
	}
	return !s.body.jumps() && !slices.ContainsFunc(s.body.uses(mutex), func(id *ast.Ident) bool {
		lit := s.literalAround(s.body.parents(id))
		return lit != s.root && lit.Pos() < x.to
	})
}
