package locks

import (
	"cmp"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// Can is a set of possibilities for one lock, relative to the entry of the
// function. More possibilities promise less; union is the join.
type Can uint8

const (
	// Kept: it is as it was at entry.
	Kept Can = 1 << iota
	// Gone: the caller held it, and has lost it.
	Gone
	// Own: it was taken here and is held; the caller does not hold it, or
	// holds it too.
	Own
	// Again: the caller's hold was given up, and the lock was taken again.
	Again

	// Taken are the possibilities in which the function itself holds it.
	Taken = Own | Again
	// Left are those in which the caller's critical section has ended.
	Left = Gone | Again
	// Any is what can be said of a lock of which nothing is known.
	Any = Kept | Gone | Own | Again
)

// A Lock is what a case says of one lock. A lock that a case does not mention
// is Kept.
type Lock struct {
	Path accesspath.Path
	Can  Can
	// Mode is the weakest in which it was taken, and Sec are the sections;
	// both are zero unless it is Taken.
	Mode Mode
	Sec  Sections
}

// untouched reports whether l says no more than a lock that is not mentioned.
func (l Lock) untouched() bool { return l.Can == Kept }

// Must reports whether the function itself holds the lock in any case.
func (l Lock) Must() bool { return l.Can&^Taken == 0 && l.Can != 0 }

// join returns what either of two paths may have done.
func (l Lock) join(m Lock) Lock {
	if l == m {
		return l
	}
	mode := min(l.Mode, m.Mode)
	if mode == 0 {
		mode = max(l.Mode, m.Mode)
	}
	return Lock{l.Path, l.Can | m.Can, mode, l.Sec.Union(m.Sec)}
}

// acquire returns l after the lock was taken.
func (l Lock) acquire(mode Mode, sec Sections) Lock {
	out := Lock{Path: l.Path, Mode: mode, Sec: sec}
	if l.Can&(Kept|Own) != 0 {
		out.Can |= Own
	}
	if l.Can&Left != 0 {
		out.Can |= Again
	}
	return out
}

// release returns l after the lock was released. What was taken here leaves
// the lock as it was before; else it is the caller's that is given up.
func (l Lock) release() Lock {
	out := Lock{Path: l.Path}
	if l.Can&Own != 0 {
		out.Can |= Kept
	}
	if l.Can&^Own != 0 {
		out.Can |= Gone
	}
	return out
}

// then returns what comes of l when a callee does e.
func (l Lock) then(e Lock) Lock {
	out := Lock{Path: l.Path}
	if e.Can&Kept != 0 {
		out = out.join(l)
	}
	if e.Can&Gone != 0 {
		out = out.join(l.release())
	}
	if e.Can&Own != 0 {
		out = out.join(l.acquire(e.Mode, e.Sec))
	}
	if e.Can&Again != 0 {
		out = out.join(l.release().acquire(e.Mode, e.Sec))
	}
	return out
}

var canWords = map[Can]string{
	Kept: "kept", Gone: "given up", Own: "held", Again: "given up and retaken",
	Taken: "held", Left: "given up, perhaps retaken",
	Kept | Own: "perhaps held", Kept | Again: "kept, or given up and retaken", Kept | Gone: "perhaps given up",
}

// String says what is known of the lock: "s.mu held (2)".
func (l Lock) String() string {
	words, ok := canWords[l.Can]
	if !ok {
		words = "unknown"
	}
	s := l.Path.String() + " " + words
	if l.Mode == Read {
		s += " for reading"
	}
	if l.Sec != (Sections{}) {
		s += " (" + l.Sec.String() + ")"
	}
	return s
}

func comparePath(a, b accesspath.Path) int { return cmp.Compare(a.ID(), b.ID()) }

func compareLock(a, b Lock) int {
	if a == b {
		return 0
	}
	if c := cmp.Or(comparePath(a.Path, b.Path), cmp.Compare(a.Can, b.Can), cmp.Compare(a.Mode, b.Mode)); c != 0 {
		return c
	}
	for i := range a.Sec {
		if c := cmp.Compare(a.Sec[i], b.Sec[i]); c != 0 {
			return c
		}
	}
	return 0
}
