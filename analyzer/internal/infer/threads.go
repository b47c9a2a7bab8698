package infer

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// Threads is what a module's threads tell of accesses, apart from any judgement.
type Threads struct{ *outside.View }

// Shows reports whether the module shows all threads that make some accesses, at least one.
func (t Threads) Shows(sites []*Site) bool { return t.Whole(standing(sites)) }

// Serves reports whether a server's requests lead to one of some accesses.
func (t Threads) Serves(sites []*Site) bool {
	return slices.ContainsFunc(standing(sites), func(fn outside.Name) bool {
		_, ok := t.Served(fn)
		return ok
	})
}

// Divides reports whether several goroutines of one start have the object of an access in common.
func (t Threads) Divides(s *Site) bool {
	return s.Func != nil && t.Divided(outside.PlaceOf(outside.NodeOf(s.Func.SSA), s.Acc.Point))
}

// Once reports whether the module shows one way alone to some accesses, which a thread goes once, and that begins before no
// thread that comes to one of the others.
func (t Threads) Once(sites, others []*Site) bool {
	return t.View.Once(standing(sites), standing(others))
}

// Recurs reports whether the module shows that some accesses are made again and again.
func (t Threads) Recurs(sites []*Site) bool { return t.View.Recurs(standing(sites)) }
