package depend

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// alikeMap reports whether a map is made of what serves alike, and is complete when it is put in: the package changes none that it
// takes out of there, nor the one of two that comes too late. An empty one is there to be filled.
func (f *Func) alikeMap(v ssa.Value) bool {
	if !ssautil.IsMap(v.Type()) || f.kind == nil || !types.Identical(v.Type(), f.kind) || !f.Changes.plainMap(v.Type(), 0) {
		return false
	}
	if made, ok := v.(*ssa.MakeMap); ok {
		b := &building{f: f, seen: make(map[ssa.Value]bool)}
		if !b.goodIn(made) || !b.some {
			return false
		}
	} else if !f.alike(v) && !f.givenWhole(v) {
		return false
	}
	return f.caller != nil || f.Changes.stayAsPut(v)
}

// plainMap reports whether the entries of a map have no identity, or are such maps.
func (c *Changes) plainMap(t types.Type, depth int) bool {
	m, ok := t.Underlying().(*types.Map)
	return ok && depth < maxNesting && (Pure(m.Elem()) || c.Immutable(m.Elem()) || c.plainMap(m.Elem(), depth+1))
}

// givenWhole reports whether a map is what a function of another package makes of its arguments, and has no methods that
// could fill it.
func (f *Func) givenWhole(v ssa.Value) bool {
	call := ssautil.CallOf(v)
	if call == nil || !f.fromElsewhere(v) || f.VolatileValue(v) || types.NewMethodSet(v.Type()).Len() > 0 {
		return false
	}
	return call.Call.Signature().Params().Len() > 0
}

// stayAsPut reports whether nothing in the package changes what is taken out of the maps that v is put into, nor may change it.
func (c *Changes) stayAsPut(v ssa.Value) bool {
	all := c.allContents()
	if all.changesType(v.Type(), 0) {
		return false
	}
	puts := all.putsOf(v)
	return len(puts) > 0 && !slices.ContainsFunc(puts, func(p putIn) bool { return p.place == nil || all.changed[p.place] })
}

// A building is a search for what a map is filled with.
type building struct {
	f    *Func
	seen map[ssa.Value]bool
	some bool // there is an entry
}

// goodIn reports whether all that is put into a map where it is made serves alike, and the map goes nowhere that hides
// what becomes of it.
func (b *building) goodIn(m ssa.Value) bool {
	if b.seen[m] {
		return true
	}
	b.seen[m] = true
	return !slices.ContainsFunc(*m.Referrers(), func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.MapUpdate:
			if use.Map != m {
				return false
			}
			b.some = true
			return !b.goodEntry(use.Value) || b.f.VolatileValue(use.Key) || b.copied(use.Value)
		case *ssa.MakeInterface, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.TypeAssert:
			return !b.goodIn(use.(ssa.Value))
		case *ssa.Store:
			_, elem := use.Addr.(*ssa.IndexAddr)
			return elem
		case *ssa.Send:
			return true
		}
		return false
	})
}

// goodEntry reports whether what is put into a map where it is made serves alike, as what is put into the shared one does.
func (b *building) goodEntry(v ssa.Value) bool {
	kind := b.f.kind
	b.f.kind = v.Type()
	defer func() { b.f.kind = kind }()
	return b.f.asGood(v)
}

// copied reports whether an entry comes from a map that the caller gives: another one may say something else.
func (b *building) copied(v ssa.Value) bool {
	for x := range b.f.Origins(v) {
		if p, ok := x.(*ssa.Parameter); ok && ssautil.IsMap(p.Type()) && !b.f.common(p) {
			return true
		}
	}
	return false
}
