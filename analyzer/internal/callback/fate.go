// Package callback says what becomes of function values: of literals, method
// values, functions named as values, and function-typed parameters.
//
// It answers two questions about one declared function and the literals in it,
// which together are a nest. Which function values can a value be, where it is
// called or handed on? And, the other way round, what becomes of a function
// value: is it called here, handed to another function, returned, or kept where
// it may be called at any time?
//
// Both are views of one relation, "source s can be value v", which is computed
// forward from the sources through local variables, captured ones, local
// containers and fields of local structs. The relation ends because it is a set
// of triples (source, value, field) of one nest; [maxItems] cuts it short in a
// nest that is out of the ordinary, and then every fate there is [Unknown].
//
// What callees do with what they get, the package leaves open: a value that is
// [Handed] to a call has the fate that the callee's summary says.
package callback

import "strings"

// A Fate says what can become of a function value. Fates are sets, ordered by
// inclusion; bottom is [NotRun], top is [Unknown], and joining is union. The
// height is the number of the single fates, plus one for top.
type Fate uint16

// The single fates. Of a value that has only fates up to Handed, all runs are
// known: it runs in the context of those who run it.
const (
	// NotRun: nothing becomes of it. It is bottom.
	NotRun Fate = 0
	// Now: it runs before the call that runs it, or gets it, returns.
	Now Fate = 1 << iota
	// Deferred: it runs when the function that has it returns.
	Deferred
	// Once: it runs now, and at most once.
	Once
	// Awaited: it runs in other goroutines, which end before the call returns
	// that gets it.
	Awaited
	// Goroutine: it runs in another goroutine.
	Goroutine
	// Handed: it is given to another function, whose summary says more.
	Handed
	// Likely: an unknown function gets it, and most likely runs it now.
	Likely
	// Returned: the caller gets it.
	Returned
	// Sent: it goes into a channel, and runs when who receives it says; see
	// [Flow.SentAt].
	Sent
	// Kept: it goes into a field, a variable or a container of others, and
	// runs at any time.
	Kept

	// Unknown is any of them: a bound was hit. It is top.
	Unknown = Now | Deferred | Once | Goroutine | Handed | Likely | Returned | Sent | Kept | 1<<15
)

// Leaving are the fates of what can run without any of the runs that the nest
// and its callees show.
const Leaving = Returned | Sent | Kept

// Join returns what can become of a value of which both f and g can.
func (f Fate) Join(g Fate) Fate { return f | g }

// Has reports whether some of g can become of the value.
func (f Fate) Has(g Fate) bool { return f&g != 0 }

// Within reports whether f promises as much as g, or more: f ≤ g.
func (f Fate) Within(g Fate) bool { return f|g == g }

// Leaves reports whether it can run without any of the runs that the nest and
// its callees show.
func (f Fate) Leaves() bool { return f.Has(Leaving) }

// Through returns the fate of a value that a function runs as f says, when
// that function itself has the fate g: what a goroutine runs at once runs in a
// goroutine, and what one that is kept runs, runs at any time.
func (f Fate) Through(g Fate) Fate {
	if f == NotRun || g == NotRun {
		return NotRun
	}
	if f == Unknown || g == Unknown {
		return Unknown
	}
	out := NotRun
	for _, x := range f.Singles() {
		if x == Deferred {
			x = Now // before the function that runs it returns
		}
		for _, y := range g.Singles() {
			out |= max(x, y)
		}
	}
	return out
}

// Singles returns the fates that f consists of.
func (f Fate) Singles() []Fate {
	var out []Fate
	for i := range fateNames {
		if x := Now << i; f.Has(x) {
			out = append(out, x)
		}
	}
	return out
}

var fateNames = [...]string{"now", "deferred", "once", "in goroutines that are awaited", "in a goroutine", "handed on", "now, most likely", "returned", "sent", "kept"}

// String writes f for people: now or kept.
func (f Fate) String() string {
	switch f {
	case NotRun:
		return "not run"
	case Unknown:
		return "unknown"
	}
	var parts []string
	for i, name := range fateNames {
		if f.Has(Now << i) {
			parts = append(parts, name)
		}
	}
	return strings.Join(parts, " or ")
}
