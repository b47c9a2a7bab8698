package locks

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// A Test is what a condition asks of its value.
type Test uint8

const (
	// True asks whether a boolean is true.
	True Test = iota
	// Nil asks whether a value is nil.
	Nil
)

// A Cond is an outcome of a test of a value.
type Cond struct {
	// Val is the value that is tested.
	Val accesspath.Path
	// Result is one more than the result of the function that is tested, in
	// effects; then Val is unknown.
	Result int
	Test   Test
	// Holds: the test succeeds.
	Holds bool
	// Left and Right are the objects of which the test asks whether they are one, if it
	// does that, and the state is of the function that asks.
	Left, Right accesspath.Path
}

// Guess is the condition of a callee that its caller cannot express: the case
// may be what the call did, and nothing tells. It has no opposite.
var Guess = Cond{Result: -1, Holds: true}

// Not returns the condition with the opposite outcome.
func (c Cond) Not() Cond {
	c.Holds = !c.Holds
	return c
}

// Abroad returns the condition as another function knows it.
func (c Cond) Abroad() Cond {
	c.Left, c.Right = accesspath.Path{}, accesspath.Path{}
	return c
}

// mirrors reports whether two paths name one thing, since the condition says that they
// begin at one object.
func (c Cond) mirrors(p, q accesspath.Path) bool {
	return c.Holds && c.Left.Known() && (p.Mirrors(q, c.Left, c.Right) || p.Mirrors(q, c.Right, c.Left))
}

// Known reports whether c tests anything.
func (c Cond) Known() bool { return c.Val.Known() || c.Result > 0 }

// About reports whether two conditions are outcomes of the same test.
func (c Cond) About(d Cond) bool { return c.Val == d.Val && c.Result == d.Result && c.Test == d.Test }

// String writes the condition as Go does.
func (c Cond) String() string {
	name := c.Val.String()
	if c.Result > 0 {
		name = "result " + strconv.Itoa(c.Result-1)
	}
	switch {
	case c.Test == Nil && c.Holds:
		return name + " == nil"
	case c.Test == Nil:
		return name + " != nil"
	case c.Holds:
		return name
	}
	return "!" + name
}

func compareCond(a, b Cond) int {
	if a == b {
		return 0
	}
	if c := cmp.Or(cmp.Compare(a.Val.ID(), b.Val.ID()), cmp.Compare(a.Result, b.Result), cmp.Compare(a.Test, b.Test)); c != 0 {
		return c
	}
	if b.Holds {
		return -1
	}
	return 1
}

// knows reports whether the sorted conditions contain c.
func knows(when []Cond, c Cond) bool {
	_, ok := slices.BinarySearchFunc(when, c, compareCond)
	return ok
}

// with returns the sorted conditions and c; it leaves its argument alone.
func with(when []Cond, c Cond) []Cond {
	i, found := slices.BinarySearchFunc(when, c, compareCond)
	if found {
		return when
	}
	return slices.Insert(slices.Clone(when), i, c)
}

// common returns the conditions in both.
func common(a, b []Cond) []Cond {
	if slices.Equal(a, b) {
		return a
	}
	var out []Cond
	for _, c := range a {
		if knows(b, c) {
			out = append(out, c)
		}
	}
	return out
}

// contradict reports whether no path can know both.
func contradict(a, b []Cond) bool {
	for _, c := range a {
		if knows(b, c.Not()) {
			return true
		}
	}
	return false
}
