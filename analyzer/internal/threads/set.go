package threads

import (
	"slices"
	"strconv"
	"strings"
)

// maxSet bounds the threads of a set. A function that more of them run is run
// by any thread.
const maxSet = 24

// A Set are the threads that may run a function, ordered by inclusion: bottom is
// the empty set, of a function that nothing runs; top is Any. Its height is bounded
// by maxSet, where it widens to top.
type Set struct {
	ids []int // sorted
	any bool
}

// Any reports whether it is not known which threads run the function.
func (s Set) Any() bool { return s.any }

// Has reports whether thread i is in the set.
func (s Set) Has(i int) bool {
	if s.any {
		return true
	}
	_, ok := slices.BinarySearch(s.ids, i)
	return ok
}

// Empty reports whether nothing runs the function.
func (s Set) Empty() bool { return !s.any && len(s.ids) == 0 }

// Len returns how many threads run the function, 0 where that is not known.
func (s Set) Len() int {
	if s.any {
		return 0
	}
	return len(s.ids)
}

// Only reports whether thread i and no other runs the function.
func (s Set) Only(i int) bool { return !s.any && len(s.ids) == 1 && s.ids[0] == i }

// Join returns the union.
func (s Set) Join(o Set) Set {
	switch {
	case s.any || o.any:
		return Set{any: true}
	case s.includes(o):
		return s
	case o.includes(s):
		return o
	}
	ids := slices.Concat(s.ids, o.ids)
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) > maxSet {
		return Set{any: true}
	}
	return Set{ids: ids}
}

// includes reports whether s has all of o, where neither is top.
func (s Set) includes(o Set) bool {
	i := 0
	for _, id := range o.ids {
		for i < len(s.ids) && s.ids[i] < id {
			i++
		}
		if i == len(s.ids) || s.ids[i] != id {
			return false
		}
	}
	return true
}

// Equal reports whether both sets are the same.
func (s Set) Equal(o Set) bool { return s.any == o.any && slices.Equal(s.ids, o.ids) }

// Leq reports whether all of s is in o.
func (s Set) Leq(o Set) bool { return s.Join(o).Equal(o) }

func (s Set) String() string {
	if s.any {
		return "any thread"
	}
	var parts []string
	for _, id := range s.ids {
		parts = append(parts, strconv.Itoa(id))
	}
	return "{" + strings.Join(parts, " ") + "}"
}

func only(i int) Set { return Set{ids: []int{i}} }
