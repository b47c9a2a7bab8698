package summary

import (
	"testing"
)

// Where nothing is held, or ways differ, no section is the same.
func TestSameSectionOfNothing(t *testing.T) {
	one := &StateFact{Cases: []CaseFact{{Locks: []LockFact{{}}}}}
	two := &StateFact{Cases: make([]CaseFact, 2)}
	for _, c := range [][2]*StateFact{{nil, one}, {one, nil}, {one, two}, {two, one}, {one, one}} {
		if SameSection(c[0], c[1]) {
			t.Errorf("%v and %v are one section", c[0], c[1])
		}
	}
}
