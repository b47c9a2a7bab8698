package check

import (
	"fmt"
	"unicode/utf8"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// MaxMessage is the most characters that a message has: with the category and
// the confidence after it, a line of 160.
const MaxMessage = 132

// Fit returns the first form of a message that is short enough. The forms come
// longest first; when none fits, the last one is cut.
func Fit(forms ...string) string {
	for _, f := range forms {
		if utf8.RuneCountInString(f) <= MaxMessage {
			return f
		}
	}
	last := []rune(forms[len(forms)-1])
	return string(last[:MaxMessage-1]) + "…"
}

// detail is how much a message about a pair tells.
type detail int

const (
	brief      detail = iota // the map, and what happens where
	withHarm                 // what two goroutines do to each other
	withLocks                // the locks held
	withModes                // that the first is held for reading
	withCallee               // the functions in which it happens
)

// Unlocked is the message about a pair that lacks a lock; it is reported at
// the check.
func (in *Input) Unlocked(v *witness.Verdict) string {
	harm := ": " + in.Consequence(v)
	return fitPair(func(d detail) string {
		s := fmt.Sprintf("%s is %s here%s", in.Name(v.Act.Path), CheckWord(v.Check), d.via(Via(v.Check)))
		then := fmt.Sprintf(", then %s %s%s", Doing(v.Act), in.AtLine(in.Named(v.Act), in.Named(v.Check)), d.via(Via(v.Act)))
		switch {
		case len(v.CheckLocks)+len(v.ActLocks) == 0:
			s += then + ", both without a lock"
		case d < withLocks:
			s += then + ", not in one critical section"
		default:
			s += " " + in.Under(v.CheckLocks) + then + " " + in.Under(v.ActLocks)
		}
		return s + d.only(withHarm, harm)
	})
}

// Split is the message about a pair in two critical sections; check is where
// the check stands, and the act is where it is reported.
func (in *Input) Split(v *witness.Verdict, check Pos) string {
	harm := ": " + in.Consequence(v)
	return fitPair(func(d detail) string {
		s := fmt.Sprintf("%s is %s %s%s", in.Name(v.Act.Path), CheckWord(v.Check), in.AtLine(check, in.Named(v.Act)), d.via(Via(v.Check)))
		then := fmt.Sprintf("%s here%s", Doing(v.Act), d.via(Via(v.Act)))
		switch {
		case d < withLocks:
			s += " and " + then + " in two critical sections"
		case in.LockNames(v.CheckLocks) == in.LockNames(v.ActLocks) && isTurn(v.ActLocks):
			s += " and " + then + " in two " + sent(v.ActLocks[0].Lock) + " sent to " + in.LockNames(v.ActLocks)
		case in.LockNames(v.CheckLocks) == in.LockNames(v.ActLocks):
			s += " and " + then + " in two critical sections of " + in.LockNames(v.ActLocks)
			if d >= withModes && locks.OnlyRead(v.CheckLocks) {
				s += ", the first for reading"
			}
		default:
			s += " " + in.Under(v.CheckLocks) + ", then " + then + " " + in.Under(v.ActLocks)
		}
		return s + d.only(withHarm, harm)
	})
}

// fitPair writes a message with as much detail as fits.
func fitPair(write func(detail) string) string {
	return Fit(write(withCallee), write(withModes), write(withLocks), write(withHarm), write(brief))
}

func (d detail) via(text string) string { return d.only(withCallee, text) }

// only leaves a text out where less is told.
func (d detail) only(from detail, text string) string {
	if d < from {
		return ""
	}
	return text
}
