// Package guard decides which lock protects a location: by declaration, by
// the prose beside the lock, by name, or by use.
package guard

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A How says where a guard is known from, the strongest first.
type How uint8

const (
	// Declared: an annotation on the location names the lock.
	Declared How = iota + 1
	// Prose: a comment on the lock names the location.
	Prose
	// Named: the lock's name is made from the location's.
	Named
	// Used: the accesses that count hold it.
	Used
)

// A Guard is the lock that protects a location.
type Guard struct {
	Lock *types.Var // the field or variable that is the lock
	How  How
	Tally
	// Across: the lock's documentation says that it is held over more than the
	// accesses, unknown code included.
	Across bool
	// Replaced: the package that declares the map changes no entries of one that others can know. It is
	// known of other packages alone; see [Replaced].
	Replaced bool
	// Whole: that package fills each map in the section that makes it, and changes it no more; others get it from there alone.
	Whole bool
}

// A Set holds the guards of a package's locations.
type Set struct {
	byLoc    map[accesspath.Location]*Guard
	places   map[*types.Var]bool // what the package accesses itself
	comments *role.Index
	owners   map[*types.Var]*types.Var
	holders  map[*types.Var]*types.Var // see holder
	imported *Import
	// declared are the locks that the user has named outside of the code.
	declared map[*types.Var]*types.Var
	// single reports whether the program has one object of the struct that a field belongs to.
	single func(field *types.Var) bool
}

// Infer finds the guard of each place. declared are guards that the user has
// named outside of the code: maps with their locks. single reports whether the program has one
// object of the struct that a field belongs to.
func Infer(places []*infer.Place, comments *role.Index, imported *Import, declared map[*types.Var]*types.Var, single func(*types.Var) bool) *Set {
	s := &Set{
		byLoc: make(map[accesspath.Location]*Guard), places: make(map[*types.Var]bool), comments: comments, owners: make(map[*types.Var]*types.Var),
		holders: make(map[*types.Var]*types.Var), imported: imported, declared: declared, single: single,
	}
	for _, pl := range places {
		s.places[pl.Loc.Var] = true
		if g := imported.withOthers(s.infer(pl), pl.Loc.Var); g != nil {
			g.Across = g.Across || s.across(g.Lock)
			s.byLoc[pl.Loc] = g
		}
	}
	return s
}

// Of returns the guard of a location, nil if it has none. Inner maps are
// guarded by what guards the outer one, unless they have a guard of their own.
func (s *Set) Of(loc accesspath.Location) *Guard {
	for ; loc.Elems >= 0; loc.Elems-- {
		if g := s.byLoc[loc]; g != nil {
			return g
		}
	}
	if loc.Var == nil || s.places[loc.Var] {
		return nil
	}
	return s.imported.Guard(loc.Var) // the package comes to it by functions of others alone
}

func (s *Set) infer(pl *infer.Place) *Guard {
	votes, of := s.vote(pl)
	if g := s.stated(pl.Loc.Var); g != nil {
		g.Tally = of.count(votes[g.Lock])
		if u := s.used(pl.Loc.Var, votes, of); u != nil && refutes(u, g) {
			return u
		}
		// A name alone is a guess: it needs one access that agrees.
		if g.How != Named || g.Held > 0 {
			return g
		}
	}
	if g := s.imported.Guard(pl.Loc.Var); g != nil {
		g.Tally = g.plus(of.count(votes[g.Lock]))
		return g
	}
	return s.used(pl.Loc.Var, votes, of)
}

// across reports whether a lock's documentation says that it is held over more
// than the accesses.
func (s *Set) across(lock *types.Var) bool {
	group := s.comments.ByVar[lock]
	return group != nil && slices.ContainsFunc(group.Fields, func(f role.Field) bool { return f.Var == lock && role.HeldAcross(f.Text) })
}

// stated looks for what comments and names say of loc's guard.
func (s *Set) stated(loc *types.Var) *Guard {
	if lock := s.declared[loc]; lock != nil {
		return &Guard{Lock: lock, How: Declared}
	}
	group := s.comments.ByVar[loc]
	if group == nil {
		return nil
	}
	var self *role.Field
	for i := range group.Fields {
		if group.Fields[i].Var == loc {
			self = &group.Fields[i]
		}
	}
	if name := role.GuardedBy(self.Text); name != "" {
		if lock := s.resolve(group, name); lock != nil {
			return &Guard{Lock: lock, How: Declared}
		}
	}
	named := s.namedExactly(group, loc)
	for i := range group.Fields {
		f := &group.Fields[i]
		if !isLock(f.Var.Type()) {
			continue
		}
		if named != nil && named != f.Var {
			continue // another lock bears its name
		}
		if role.Protects(f.Text, loc.Name()) || role.ProtectsHat(f.Text) && f.Hat == self.Hat && f.Order < self.Order {
			return &Guard{Lock: f.Var, How: Prose}
		}
	}
	if named != nil {
		return &Guard{Lock: named, How: Named}
	}
	for i := range group.Fields {
		f := &group.Fields[i]
		if isLock(f.Var.Type()) && role.NamedFor(f.Var.Name(), loc.Name()) && !claimedBy(group, f.Var, loc) {
			return &Guard{Lock: f.Var, How: Named}
		}
	}
	return nil
}

// namedExactly returns the lock of the group whose name is the location's with
// a word for a lock added.
func (s *Set) namedExactly(group *role.Group, loc *types.Var) *types.Var {
	for i := range group.Fields {
		if f := &group.Fields[i]; isLock(f.Var.Type()) && role.NamedExactlyFor(f.Var.Name(), loc.Name()) {
			return f.Var
		}
	}
	return nil
}

// claimedBy reports whether a lock whose name has a part of the location's in it is
// named for another map of the group: a name claims what it names most exactly.
func claimedBy(group *role.Group, lock, loc *types.Var) bool {
	return role.NamedPartlyFor(lock.Name(), loc.Name()) && slices.ContainsFunc(group.Fields, func(f role.Field) bool {
		return f.Var != loc && ssautil.IsMap(f.Var.Type()) && role.NamedExactlyFor(lock.Name(), f.Var.Name())
	})
}

// resolve finds the lock that a comment names: a sibling, or a package-level
// variable.
func (s *Set) resolve(group *role.Group, name string) *types.Var {
	if field, rest, ok := strings.Cut(name, "."); ok {
		if lock := lockOf(group, field, rest); lock != nil {
			return lock
		}
		name = name[strings.LastIndex(name, ".")+1:]
	}
	groups := []*role.Group{group}
	for g := group.Outer; g != nil; g = g.Outer {
		groups = append(groups, g)
	}
	groups = append(groups, s.comments.Groups[len(s.comments.Groups)-1])
	for _, g := range groups {
		for i := range g.Fields {
			if f := &g.Fields[i]; f.Var.Name() == name && isLock(f.Var.Type()) {
				return f.Var
			}
		}
	}
	return nil
}

// lockOf finds the lock in the struct of a sibling: o.Mu beside o.
func lockOf(group *role.Group, field, lock string) *types.Var {
	for i := range group.Fields {
		v := group.Fields[i].Var
		if v.Name() != field {
			continue
		}
		obj, _, _ := types.LookupFieldOrMethod(v.Type(), true, v.Pkg(), lock)
		if l, ok := obj.(*types.Var); ok && isLock(l.Type()) {
			return l
		}
	}
	return nil
}

// Protects reports whether a held lock can protect the map at path: not one
// that is local to the call, not one of another instance, and not one that the map
// itself holds.
func (s *Set) Protects(h locks.Held, path accesspath.Path) bool {
	loc := h.Lock.Location()
	if !loc.Valid() {
		// A lock passed as a parameter may be any lock.
		return h.Lock.Root().Kind == accesspath.Param || madeAround(h.Lock, path)
	}
	if h.Inside(path) {
		return false
	}
	if h.Lock.Neighbours(path) {
		return true // another map of the same object holds it
	}
	base, mapBase := h.Lock.Base(), path.Base()
	if !base.Known() || !mapBase.Known() || base.Covers(mapBase) || base.Leads(path) {
		return true
	}
	byName := h.Lock.Root().Kind == accesspath.Global || path.Root().Kind == accesspath.Global
	return !s.siblings(loc.Var, path.Location().Var) || byName && s.single(loc.Var)
}

// madeAround reports whether a local lock is there for each local object that a
// function makes, or for what that object leads to: the function that makes the lock
// is the same, or one around it. The lock of a program's main function is there once, as is what a
// package-level variable holds.
func madeAround(lock, path accesspath.Path) bool {
	if lock.Root().Kind == accesspath.Value && path.Root().Kind == accesspath.Global {
		made, ok := lock.Root().Val.(ssa.Instruction)
		return ok && ssautil.IsMain(made.Parent()) && !ssautil.Again(made.Block(), nil) // it runs once, so that there is one lock, too
	}
	if lock.Root().Kind != accesspath.Value || path.Root().Kind != accesspath.Value {
		return false
	}
	if path.Location().Valid() && !ssautil.Allocates(path.Root().Val) {
		return false // a field of an object that comes from elsewhere
	}
	maker, ok := lock.Root().Val.(interface{ Parent() *ssa.Function })
	made, known := path.Root().Val.(interface{ Parent() *ssa.Function })
	if !ok || !known {
		return false
	}
	for fn := made.Parent(); fn != nil; fn = fn.Parent() {
		if fn == maker.Parent() {
			return true
		}
	}
	return false
}

// Near reports whether a lock stands where it can protect a map: in the same
// struct, or at package level.
func (s *Set) Near(lock, v *types.Var) bool { return !lock.IsField() || s.siblings(lock, v) }

// siblings reports whether two fields belong to one struct type.
func (s *Set) siblings(a, b *types.Var) bool {
	if b == nil || !a.IsField() || !b.IsField() {
		return false // a local map is no field
	}
	if g := s.comments.ByVar[a]; g != nil {
		return s.comments.ByVar[b] == g
	}
	return s.owner(a) != nil && s.owner(a) == s.owner(b)
}

// owner returns the first field of the struct type, of another package, that
// v belongs to: it stands for the struct.
func (s *Set) owner(v *types.Var) *types.Var {
	if o, ok := s.owners[v]; ok {
		return o
	}
	if v.Pkg() == nil {
		return nil
	}
	scope := v.Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		st, ok := tn.Type().Underlying().(*types.Struct)
		if !ok || st.NumFields() == 0 {
			continue
		}
		for i := range st.NumFields() {
			s.owners[st.Field(i)] = st.Field(0)
		}
	}
	if _, ok := s.owners[v]; !ok {
		s.owners[v] = nil
	}
	return s.owners[v]
}

// Describe names a variable or field independently of the code around it:
// Type.field, or the variable, after its package when that is another one.
func (s *Set) Describe(v *types.Var) string {
	if v == nil {
		return ""
	}
	if g := s.comments.ByVar[v]; g != nil {
		for g.Owner == nil && g.Outer != nil {
			g = g.Outer
		}
		if g.Owner != nil {
			return g.Owner.Name() + "." + v.Name()
		}
		return v.Name()
	}
	if v.Pkg() != nil && !v.IsField() {
		return v.Pkg().Name() + "." + v.Name()
	}
	return v.Name()
}

// Holds reports how the guard of the map at path is held; ok is false when
// it is not.
func (s *Set) Holds(g *Guard, held []locks.Held, path accesspath.Path) (mode locks.Mode, ok bool) {
	for _, h := range held {
		if h.Lock.Location().Var == g.Lock && s.Protects(h, path) {
			mode, ok = max(mode, h.Mode), true
		}
	}
	return mode, ok
}

// Plausible returns the held locks that can protect the map at path.
func (s *Set) Plausible(held []locks.Held, path accesspath.Path) []locks.Held {
	var out []locks.Held
	for _, h := range held {
		if s.Protects(h, path) {
			out = append(out, h)
		}
	}
	return out
}

// Applies reports whether g, the guard of the map at path, can be held for it
// at all: a lock of a struct around the map's own is not there for a copy of
// that struct alone, as options are passed.
func (s *Set) Applies(g *Guard, path accesspath.Path) bool {
	return !path.ByValue() || s.Through(g, path)
}

// Leads reports whether something shows that the object whose map lies at path is
// one of those that g protects. The lock of another object, known by use alone,
// protects what that object leads to; an access that does not come from there may
// be to another one, a copy or a result, unless the vote is strong: three accesses
// of four.
func (s *Set) Leads(g *Guard, path accesspath.Path) bool {
	return g.How != Used || 4*g.Held >= 3*g.Total || s.Through(g, path)
}

// Through reports whether a path leads through the struct of a guard to the map; it
// need not for a package-level lock, or one of another package.
func (s *Set) Through(g *Guard, path accesspath.Path) bool {
	return !g.Lock.IsField() || s.comments.ByVar[s.holder(g.Lock)] == nil || s.Around(g.Lock, path)
}

// Around reports whether a path leads through the struct that has a lock.
func (s *Set) Around(lock *types.Var, path accesspath.Path) bool {
	owner := s.comments.ByVar[s.holder(lock)]
	if owner == nil {
		return false
	}
	for p := path; p.Known(); p = p.Parent() {
		if f := p.LastField(); f != nil {
			for grp := s.comments.ByVar[f]; grp != nil; grp = grp.Outer {
				if grp == owner {
					return true
				}
			}
		}
	}
	return false
}

// Pos returns where the guard is declared.
func (g *Guard) Pos() token.Pos { return g.Lock.Pos() }
