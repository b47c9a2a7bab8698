package summary

import (
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// A Told says for what a function has waited whenever it returns a result of one outcome: no
// error, say, where another return gives one.
type Told struct {
	When locks.Cond
	On   []accesspath.Path
}

// A Work is what a method of an object does with what that runs for others: in goroutines that it counts, or once.
type Work uint8

const (
	// Counted: goroutines run what it gets, and are counted until they have.
	Counted Work = iota + 1
	// GivesEnd: it gives a channel that is closed when none of them is left.
	GivesEnd
	// Rearms: the object, which runs once what its other methods get, runs that anew.
	Rearms
)

// Signals are the groups and channels by which others learn that a goroutine
// has ended. They are ordered by how often a wait ends the goroutine: top is
// Any, of a goroutine whose body is unknown and that every wait may end; bottom
// are no signals, of one that no wait ends.
type Signals struct {
	On  []accesspath.Path
	Any bool
	// But are channels of the starter that a goroutine whose body is unknown cannot get at: no wait for these ends it.
	But []accesspath.Path
}

// EndBy reports whether a wait for some groups and channels ends the goroutine.
func (s Signals) EndBy(on []accesspath.Path) bool {
	heard := func(p accesspath.Path) bool { return !slices.Contains(s.But, p) }
	return s.Has(on) || s.Any && (len(on) == 0 || slices.ContainsFunc(on, heard))
}

// Has reports whether one of the waits is for one of the signals: they name
// one instance, or, seen from two functions, the same field or variable.
func (s Signals) Has(waits []accesspath.Path) bool {
	for _, w := range waits {
		for _, p := range s.On {
			if p == w || p.Location().Valid() && p.Location() == w.Location() {
				return true
			}
		}
	}
	return false
}

// Both returns the signals of which a wait ends the goroutines of s and of o.
func (s Signals) Both(o Signals) Signals {
	switch {
	case s.Any:
		return o
	case o.Any:
		return s
	}
	var out Signals
	for _, p := range s.On {
		if slices.Contains(o.On, p) {
			out.On = append(out.On, p)
		}
	}
	return out
}

func (s Signals) String() string {
	if s.Any {
		return "any"
	}
	var parts []string
	for _, p := range s.On {
		parts = append(parts, p.String())
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, " ") + "}"
}

// A Relay says that what has seen a function's signal on a group or channel has waited for
// what the function had waited for before it gave that, in any case.
type Relay struct {
	On    accesspath.Path
	After []accesspath.Path
	// Adds: the function only adds to the group, which ends no wait.
	Adds bool
}

// Relayed returns what has been waited for before the signal on p.
func Relayed(all []Relay, p accesspath.Path) Relay {
	for _, r := range all {
		if r.On == p {
			return r
		}
	}
	return Relay{On: p}
}
