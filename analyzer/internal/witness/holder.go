package witness

import (
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
)

// ownLocked reports whether a pair's map lies in a container that has the only
// lock that either side holds, where each object makes such a container for
// itself and the object is not shown to be shared. A container's own lock shows
// that it is made for sharing, not that its holder is.
func (j *Judge) ownLocked(v *Verdict) bool {
	container := v.Act.Path.Base()
	if !v.Check.Lifted || !v.Act.Lifted || !j.Pkg.MadeFor(container.LastField()) || container.Root().Kind == accesspath.Global {
		return false
	}
	inside := func(held []locks.Held) bool {
		for _, h := range held {
			if !h.Lock.HasPrefix(container) {
				return false
			}
		}
		return len(held) > 0
	}
	return inside(v.CheckLocks) && inside(v.ActLocks) && !j.holderShared(v, container)
}

// holderShared reports whether something shows that goroutines share the object
// that holds the container: a lock beside the container, a claim in the
// documentation, a goroutine that reaches it.
func (j *Judge) holderShared(v *Verdict, container accesspath.Path) bool {
	if f := container.LastField(); f != nil && f.Embedded() {
		return true // the holder offers the container's methods as its own
	}
	if v.Func.Is(role.Concurrent) || v.Func.Is(role.Handler) {
		return true
	}
	for p := container; p.Known(); p = p.Parent() {
		field := p.LastField()
		if field == nil {
			continue
		}
		loc := accesspath.Location{Var: field}
		if j.Guards.HasLock(field) || j.Guards.Of(loc) != nil || j.Sharing.TypeClaims(loc) || j.Sharing.Reached(field) {
			return true
		}
	}
	return false
}

// unshown is the evidence for a pair on a container in an object that nothing
// shows to be shared.
var unshown = sharing.Evidence{Confidence: sharing.Low, Text: "the map's lock shows that the container is made for sharing, not that the object that holds it is"}
