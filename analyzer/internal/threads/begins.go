package threads

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// begins returns the arguments with which a goroutine starts: what its starter has put into a field just before, under a lock
// of the object that has the field, by the name that it has before it is there.
func (t *Theory) begins(f *infer.Func, c *summary.Call) []accesspath.Path {
	args := stays(c)
	for i, put := range c.Put {
		if i < len(args) && put.Object.Known() && keepsOthersOut(f.EffectiveState(put.Held), args[i]) {
			args = slices.Clone(args)
			args[i] = put.Object
		}
	}
	return args
}

// keepsOthersOut reports whether one of some locks is held for writing that an object on the way to a place has, or a
// package-level variable.
func keepsOthersOut(held []locks.Held, place accesspath.Path) bool {
	return slices.ContainsFunc(held, func(h locks.Held) bool {
		base := h.Lock.Base()
		around := h.Lock.Root().Kind == accesspath.Global || base.Known() && place.HasPrefix(base)
		return h.Mode == locks.Write && around
	})
}

// stays returns the arguments with which a goroutine starts, without the maps that are no longer where they
// were read: what a path then leads to is another map.
func stays(c *summary.Call) []accesspath.Path {
	args := c.Args
	for i, own := range c.Owned {
		if i < len(args) && own.Own == ownership.Owned && args[i].Depth() > 0 {
			args = slices.Clone(args)
			args[i] = accesspath.Path{}
		}
	}
	return args
}
