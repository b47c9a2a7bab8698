package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// A StateFact is what is held at a point, or what a call does to locks: the
// cases of a [locks.State]. Nil stands for a state that says nothing.
type StateFact struct {
	Cases   []CaseFact
	Dropped []PathFact
	// Widened: there were more cases than are kept apart.
	Widened bool
}

// A CaseFact is one case.
type CaseFact struct {
	When  []CondFact
	Locks []LockFact
}

// A CondFact is one condition: on a path, or on a result by its position plus
// one.
type CondFact struct {
	Val    PathFact
	Result int
	Test   locks.Test
	Holds  bool
}

// A LockFact is what a case says of one lock.
type LockFact struct {
	Lock PathFact
	Can  locks.Can
	Mode locks.Mode
	Sec  locks.Sections
}

// String names the locks that are held, those of some cases with their
// condition.
func (f *StateFact) String() string {
	if f == nil {
		return ""
	}
	var out []string
	for _, c := range f.Cases {
		for _, l := range c.Locks {
			if l.Can&locks.Taken != 0 {
				out = append(out, l.Lock.String()+c.when())
			}
		}
	}
	return strings.Join(out, " ")
}

// effect says what a call does.
func (f *StateFact) effect() string {
	var out []string
	for _, c := range f.Cases {
		for _, l := range c.Locks {
			word := ""
			switch l.Can {
			case locks.Own:
				word = "acquires "
			case locks.Gone:
				word = "releases "
			case locks.Again:
				word = "retakes "
			default:
				word = "may change "
			}
			out = append(out, word+l.Lock.String()+c.when())
		}
	}
	return strings.Join(out, "; ")
}

func (c *CaseFact) when() string {
	var out []string
	for _, w := range c.When {
		name := w.Val.String()
		if w.Result > 0 {
			name = fmt.Sprintf("result%d", w.Result-1)
		}
		switch {
		case w.Test == locks.Nil && w.Holds:
			name += "==nil"
		case w.Test == locks.Nil:
			name += "!=nil"
		case !w.Holds:
			name = "!" + name
		}
		out = append(out, name)
	}
	if len(out) == 0 {
		return ""
	}
	return " if " + strings.Join(out, "&&")
}

func (c *Codec) state(s locks.State) *StateFact {
	if s.IsTop() || s.Trivial() {
		return nil
	}
	f := &StateFact{Dropped: c.paths(s.Dropped()), Widened: s.Widened()}
	some := len(f.Dropped) > 0
	for _, k := range s.Cases() {
		var cf CaseFact
		for _, w := range k.When {
			if w.Val.IsComputed() {
				continue // that two objects are one: it has no name abroad
			}
			val := c.path(w.Val)
			if val.Root != 0 || w.Result > 0 {
				cf.When = append(cf.When, CondFact{Val: val, Result: w.Result, Test: w.Test, Holds: w.Holds})
			}
		}
		for _, l := range k.Locks {
			if p := c.path(l.Path); p.Root != 0 {
				cf.Locks = append(cf.Locks, LockFact{Lock: p, Can: l.Can, Mode: l.Mode, Sec: l.Sec})
			}
		}
		some = some || len(cf.Locks) > 0
		f.Cases = append(f.Cases, cf)
	}
	if !some {
		return nil
	}
	slices.SortStableFunc(f.Cases, func(a, b CaseFact) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return f
}

func (d *decoder) state(f *StateFact) locks.State {
	if f == nil {
		return locks.Reached()
	}
	var cases []locks.Case
	for _, cf := range f.Cases {
		var k locks.Case
		for _, w := range cf.When {
			c := locks.Cond{Val: d.path(w.Val), Result: w.Result, Test: w.Test, Holds: w.Holds}
			if c.Known() {
				k.When = append(k.When, c)
			}
		}
		for _, l := range cf.Locks {
			k.Locks = append(k.Locks, locks.Lock{Path: d.path(l.Lock), Can: l.Can, Mode: l.Mode, Sec: l.Sec})
		}
		cases = append(cases, k)
	}
	return locks.Make(cases, d.paths(f.Dropped), f.Widened)
}

// SameSection reports whether two points of a function hold one and the same lock in one section on all ways.
func SameSection(a, b *StateFact) bool {
	if a == nil || b == nil || len(a.Cases) != 1 || len(b.Cases) != 1 {
		return false
	}
	return slices.ContainsFunc(a.Cases[0].Locks, func(l LockFact) bool {
		return slices.ContainsFunc(b.Cases[0].Locks, func(k LockFact) bool {
			return l.Lock.String() == k.Lock.String() && l.Can == k.Can && l.Sec.Same(k.Sec)
		})
	})
}
