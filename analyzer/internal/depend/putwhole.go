package depend

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// KeepsEntries reports whether the maps that are the entries of a map stay as they were put in: the package changes none
// that comes from its place, nor one that was put in there before, nor one of their type of which it is not seen where
// it comes from; and no one else has one, nor can give the place one. It is false where the place is not known.
func (c *Changes) KeepsEntries(m ssa.Value) bool {
	of, ok := m.Type().Underlying().(*types.Map)
	place := placeOf(m)
	if place == nil || !ok {
		return false
	}
	all := c.allContents()
	changes := func(t types.Type) bool { return mayBe(of.Elem(), t) }
	return !all.changed[place] && !slices.ContainsFunc(all.untraced, changes) && !c.changesLent(of.Elem()) && !c.lends(place)
}

// changesLent reports whether the package changes the map of a field that goes elsewhere, too, and may be one of a type:
// what is put in may be that.
func (c *Changes) changesLent(t types.Type) bool {
	for f := range c.allContents().kept {
		if c.handed[f] && mayBe(t, f.Type()) {
			return true
		}
	}
	return false
}

// allContents returns what the package changes of the entries of its maps, found once.
func (c *Changes) allContents() *contents {
	if c.contents == nil {
		c.contents = findContents(c.pkg, c.funcs)
	}
	return c.contents
}

// traced reports whether it is seen where a map comes from that is changed: from a place, from callers, or from functions
// of the package. What is taken out of a list, a box or a channel, or given by code elsewhere, may be any of its type.
func (c *contents) traced(v ssa.Value) bool {
	switch v := ssautil.Unwrap(v).(type) {
	case *ssa.Parameter, *ssa.Phi, *ssa.MakeMap, *ssa.FieldAddr, *ssa.Global, *ssa.Alloc, *ssa.FreeVar:
		return true
	case *ssa.UnOp:
		return v.Op == token.MUL && c.traced(v.X)
	case *ssa.Lookup:
		return placeOf(v.X) != nil
	case *ssa.Extract:
		return c.traced(v.Tuple)
	case *ssa.Next:
		walk, ok := v.Iter.(*ssa.Range)
		return ok && placeOf(walk.X) != nil
	case *ssa.Call:
		return len(c.uses.runs(&v.Call)) > 0
	}
	return false
}
