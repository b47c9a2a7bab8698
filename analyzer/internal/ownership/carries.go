package ownership

import (
	"go/types"
)

// Carriers remembers which types can lead to a map; one serves a package.
type Carriers map[types.Type]bool

// carries reports whether a value of type t can lead to a map.
func (r *Result) carries(t types.Type) bool { return r.Carriers.has(t) }

// has follows a type to what it holds. Interfaces and functions can lead
// anywhere, but for errors. What is found to lead nowhere on the way is forgotten
// when the whole does: it may have been cut where a cycle closed.
func (c Carriers) has(t types.Type) bool {
	t = types.Unalias(t)
	if known, ok := c[t]; ok {
		return known
	}
	visited := []types.Type{}
	out := c.follow(t, &visited)
	if out {
		for _, v := range visited {
			if !c[v] {
				delete(c, v)
			}
		}
		c[t] = true
	}
	return out
}

func (c Carriers) follow(t types.Type, visited *[]types.Type) bool {
	t = types.Unalias(t)
	if known, ok := c[t]; ok {
		return known
	}
	c[t] = false
	*visited = append(*visited, t)
	if c.find(t, visited) {
		c[t] = true
	}
	return c[t]
}

func (c Carriers) find(t types.Type, visited *[]types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Struct:
		for i := range u.NumFields() {
			if c.follow(u.Field(i).Type(), visited) {
				return true
			}
		}
		return false
	case *types.Array:
		return c.follow(u.Elem(), visited)
	case *types.Pointer:
		return c.follow(u.Elem(), visited)
	case *types.Slice:
		return c.follow(u.Elem(), visited)
	case *types.Chan:
		return c.follow(u.Elem(), visited)
	case *types.Tuple:
		return false
	case *types.Interface:
		return !types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return true
}
