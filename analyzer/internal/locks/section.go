package locks

import (
	"slices"
	"strconv"
	"strings"
)

// A Mode is how a lock is held. Read is the weaker.
type Mode uint8

const (
	// Read is a read lock (RLock).
	Read Mode = iota + 1
	// Write is an exclusive lock.
	Write
)

// String names the mode.
func (m Mode) String() string {
	if m == Read {
		return "read"
	}
	return "write"
}

// A Section is a critical section: one acquisition of one lock, by its number
// in the function at hand. Numbers start at 1; a callee's sections get numbers
// of the caller at the call.
type Section int32

// Entry is the section in which a lock is that the caller holds.
const Entry Section = 1 << 30

// Sections are the critical sections that a point may lie in: up to four, in
// order, the rest zero. The zero Sections are none; [Many] stands for more than
// can be listed. They are ordered by inclusion, and Union is the join.
type Sections [4]Section

// Many are more sections than can be listed: nothing is known of them.
var Many = Sections{-1, -1, -1, -1}

// Of returns the one section.
func (s Section) Of() Sections { return Sections{s} }

// Union returns the sections in a or b.
func (a Sections) Union(b Sections) Sections {
	switch {
	case a == b || b == Sections{}:
		return a
	case a == Sections{}:
		return b
	case a == Many || b == Many:
		return Many
	}
	ids := make([]Section, 0, 2*len(a))
	for _, x := range [...]Sections{a, b} {
		for _, id := range x {
			if id != 0 {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if len(ids) > len(a) {
		return Many
	}
	var u Sections
	copy(u[:], ids)
	return u
}

// Same reports whether two points lie in the same critical section, as far as
// sections can tell. Of too many, it is unknown.
func (a Sections) Same(b Sections) bool { return a == b && a != Many && a != Sections{} }

// Map renumbers the sections.
func (a Sections) Map(number func(Section) Section) Sections {
	if a == Many {
		return a
	}
	var out Sections
	for _, id := range a {
		if id != 0 {
			out = out.Union(number(id).Of())
		}
	}
	return out
}

// String lists the sections: "2", "2,5", "entry", "many".
func (a Sections) String() string {
	if a == Many {
		return "many"
	}
	var parts []string
	for _, id := range a {
		switch id {
		case 0:
		case Entry:
			parts = append(parts, "entry")
		default:
			parts = append(parts, strconv.Itoa(int(id)))
		}
	}
	return strings.Join(parts, ",")
}
