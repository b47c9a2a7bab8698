package infer

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// maxAround bounds the callers of callers that are asked for the lock of an object around.
const maxAround = 4

// An Around is a lock that is held around a map: with the fields that lead from the object which has it to the map, nil for an element.
type Around struct {
	locks.Held
	Way []*types.Var
}

// LocksAround returns the locks of fields that are held where f comes to an object at a path: by f itself, or by each of
// its callers, and the path begins at the object that has the lock. What such an object leads to is reached under
// its lock alone, as far as these ways go. Of a function that code outside can call nothing is known by its callers, unless shut says
// that what it comes to at a path is another object then. Complexity: the callers, to a bounded depth.
func (p *Package) LocksAround(f *Func, held []locks.Held, path accesspath.Path, shut func(*Func, accesspath.Path) bool) []Around {
	return p.heldOnWays(f, held, path, shut, maxAround)
}

func (p *Package) heldOnWays(f *Func, held []locks.Held, path accesspath.Path, shut func(*Func, accesspath.Path) bool, steps int) []Around {
	var out []Around
	for _, h := range held {
		if v := h.Lock.Location().Var; v != nil && v.IsField() && h.Lock.Depth() > 0 && path.HasPrefix(h.Lock.Parent()) {
			out = append(out, Around{h, wayFrom(h.Lock.Parent(), path)})
		}
	}
	r := path.Root()
	if steps == 0 || r.Kind != accesspath.Param || r.Fn != f.Key {
		return out
	}
	if f.Ctx.Escaped || f.Ctx.Open() && !shut(f, path) {
		return out // others may call it, with nothing held
	}
	var common []Around
	for i, s := range p.sites()[f] {
		if !s.call.Kind.InPlace() || r.Index >= len(s.call.Args) {
			return out
		}
		there := p.heldOnWays(s.caller, s.call.Held.Held(), s.call.Args[r.Index], shut, steps-1)
		if i == 0 {
			common = there
		} else {
			common = sameLocks(common, there)
		}
		if len(common) == 0 {
			break
		}
	}
	rest := wayFrom(p.Paths.Root(r), path)
	for _, a := range common {
		a.Way = slices.Concat(a.Way, rest)
		out = append(out, a)
	}
	return out
}

// wayFrom returns the fields by which an object leads to what is at a longer path.
func wayFrom(object, path accesspath.Path) (way []*types.Var) {
	for ; path != object && path.Depth() > 0; path = path.Parent() {
		field := path.LastField()
		if field != nil {
			field = field.Origin()
		}
		way = append(way, field)
	}
	slices.Reverse(way)
	return way
}

// sameLocks returns the locks of one list of which the other one has those of the same fields with the same way from them, in the weaker mode.
func sameLocks(a, b []Around) (out []Around) {
	for _, x := range a {
		for _, y := range b {
			if x.Lock.Location().Var == y.Lock.Location().Var && slices.Equal(x.Way, y.Way) {
				x.Mode, x.Lent = min(x.Mode, y.Mode), x.Lent || y.Lent
				out = append(out, x)
				break
			}
		}
	}
	return out
}

// MadeWith reports whether a field that others cannot name has the value for good that the package gives it where it makes the object. Of one
// that the package never sets it does not show where it comes from.
func (p *Package) MadeWith(field *types.Var) bool {
	if field == nil || !field.IsField() || field.Exported() {
		return false
	}
	all := p.changes()[field.Origin()]
	return len(all) > 0 && !slices.ContainsFunc(all, func(c change) bool { return !p.inTheMaking(c) })
}
