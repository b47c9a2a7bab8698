package locks

import "slices"

// Lattice is the semilattice of States, for the dataflow solver.
// Ident is top; Merge is associative, commutative and idempotent.
type Lattice struct{}

// Ident returns top, the state of a point that no path reaches.
func (Lattice) Ident() State { return State{} }

// Equals reports whether a and b are the same element.
func (Lattice) Equals(a, b State) bool {
	if a.s == b.s {
		return true
	}
	if a.s == nil || b.s == nil {
		return false
	}
	return a.s.widened == b.s.widened && slices.EqualFunc(a.s.cases, b.s.cases, equalCase) && slices.Equal(a.s.dropped, b.s.dropped)
}

func equalCase(a, b Case) bool {
	return a.registered == b.registered && a.unsure == b.unsure && slices.Equal(a.Locks, b.Locks) && slices.Equal(a.When, b.When)
}

// Merge returns the greatest lower bound: the cases of both. Complexity: linear
// in the cases, times their locks.
func (l Lattice) Merge(a, b State) State {
	switch {
	case a.IsTop():
		return b
	case b.IsTop() || l.Equals(a, b):
		return a
	}
	return newState(slices.Concat(a.s.cases, b.s.cases), union(a.s.dropped, b.s.dropped), a.s.widened || b.s.widened)
}

// Below reports a ≤ b: a promises nothing that b does not.
func (l Lattice) Below(a, b State) bool { return l.Equals(l.Merge(a, b), a) }
