package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// raceGuard fixes a goroutine that uses a field's map without the lock that the
// other side of the race holds: it is taken around the accesses of the function.
//
// It is safe for the reasons of takeGuard. The other side excludes who holds the
// lock: it holds it for writing, or only reads, and this one writes; or it is another
// goroutine like this one, which takes the lock at the same place.
func (m *Maker) raceGuard(f check.Finding) (*analysis.SuggestedFix, refusal) {
	race, ok := f.Of.(*witness.RaceVerdict)
	if !ok || !f.Loc.Valid() || !f.Loc.Var.IsField() {
		return nil, ""
	}
	lock := otherLock(race)
	if lock == nil && race.Own == nil && (race.B == nil || race.B.At() == race.A.At()) {
		lock = m.soleLock(f)
	}
	if lock == nil {
		return nil, "nothing tells which lock protects the map"
	}
	if !m.seen(lock) {
		return nil, refusal(lock.Name() + " cannot be named here")
	}
	s := m.scene(race.A.Func, lock)
	if s == nil {
		return nil, unread(race.A.Func)
	}
	s.vars = []*types.Var{f.Loc.Var}
	var points []point
	for _, a := range s.lacking() {
		if s.path(a.Pos) == nil || s.perhaps(a) {
			return nil, refusal(lock.Name() + " is held on some paths only")
		}
		if r := s.name(f.Loc.Var, []token.Pos{a.Pos}); r != "" {
			return nil, r
		}
		points = append(points, point{a.Pos, a.Op.Writes()})
	}
	if len(points) == 0 {
		return nil, "the access stands in another function"
	}
	if s.heldAt(lock, positions(points)) {
		return nil, refusal("the " + lock.Name() + " of another object is held here")
	}
	if refused := s.enterable(positions(points)); refused != "" {
		return nil, refused
	}
	edits, refused := s.cover(points, s.bound(points))
	if edits == nil {
		return nil, refused
	}
	return &analysis.SuggestedFix{Message: "hold " + s.text, TextEdits: edits}, ""
}

// otherLock returns the one lock of the map's object that the other side of a race
// holds, such that it excludes who takes it at the goroutine's access.
func otherLock(race *witness.RaceVerdict) *types.Var {
	var held []locks.Held
	var at *access.Access
	switch {
	case race.Own != nil:
		at, held = race.Own, race.Starter.Effective(race.Own)
	case race.B != nil:
		at, held = race.B.Access, race.B.Held
	default:
		return nil
	}
	var lock *types.Var
	for _, h := range witness.Near(held, race.Path) {
		v := h.Lock.Location().Var
		if v == nil || locks.ApartOnly(h.Lock) || lock != nil {
			return nil
		}
		if h.Mode != locks.Write && (at.Op.Writes() || !race.A.Op.Writes()) {
			return nil
		}
		lock = v
	}
	return lock
}

// soleLock returns the one lock beside a map that accesses hold, at least two of
// them. Where a goroutine races with another one like it, any lock that both take
// keeps them apart.
func (m *Maker) soleLock(f check.Finding) (lock *types.Var) {
	n := 0
	for i, pl := 0, m.in.Place(f.Loc); i < len(pl.Sites); i++ {
		site := &pl.Sites[i]
		for _, h := range witness.Near(m.in.Guards.Plausible(site.Held, site.Acc.Path), site.Acc.Path) {
			v := h.Lock.Location().Var
			if v == nil || locks.ApartOnly(h.Lock) || lock != nil && v != lock {
				return nil
			}
			lock = v
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return lock
}

// walkCopy fixes a walk over a local map whose body starts goroutines that change
// the map: a copy is walked, which is made before the first of them.
//
// The goroutines hold a lock of their own for that. It is safe. What starts before
// the walk does not use the map, so nothing runs beside the copying. The walk is all that the starter does with the map beside the
// goroutines. It sees what was in the map when it began; what it saw of a change, it
// saw in a race, and in any order. The body does not change the map itself.
func (m *Maker) walkCopy(f check.Finding) (*analysis.SuggestedFix, refusal) {
	race, ok := f.Of.(*witness.RaceVerdict)
	if !ok || race.Own == nil || race.Own.Op != access.Range || !race.Local() || len(race.A.Held) == 0 {
		return nil, "" // without a lock among the goroutines a copy is not enough
	}
	s := m.scene(race.Starter, nil)
	if s == nil {
		return nil, unread(race.Starter)
	}
	var loop *ast.RangeStmt
	for _, n := range s.path(race.Own.Pos) {
		if st, ok := n.(*ast.RangeStmt); ok && loop == nil {
			loop = st
		}
	}
	if loop == nil {
		return nil, "the walk is not one of this function"
	}
	id, ok := ast.Unparen(loop.X).(*ast.Ident)
	if !ok || !isMap(s.body.info.TypeOf(id)) {
		return nil, "the map that is walked has no name"
	}
	if refused := m.onlyWalked(race, loop); refused != "" {
		return nil, refused
	}
	return m.withCopy(s, loop.X, "walk a copy")
}

// onlyWalked reports what speaks against walking a copy: a goroutine that uses the
// map and may run when the walk begins, or something else that the starter does with
// the map beside one.
func (m *Maker) onlyWalked(race *witness.RaceVerdict, loop *ast.RangeStmt) refusal {
	for _, v := range m.visitsOf(race) {
		start := v.Thread.Start
		for _, i := range v.Thread.Beside() {
			c := &race.Starter.Accesses[i]
			if c.Path != race.Path || !c.Op.Uses() {
				continue
			}
			inside := within(loop.Body, start)
			if !inside || c.Op != access.Range || within(loop.Body, c.Pos) {
				return "the map is used beside the goroutines in another way, too"
			}
		}
	}
	return ""
}
