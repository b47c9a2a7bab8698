package output

import (
	"path"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// A traceView is the interleaving as a grid. Its columns are, from left to
// right: one for each lock that A holds, A's lane, the middle, B's lane, one for
// each lock that B holds. Row 1 has the headings, row i+1 step i.
type traceView struct {
	LocksA, LocksB int
	HeadA, HeadB   int // columns
	Middle         int
	Last           int // the line below the last row
	Steps          []stepView
	Held           []heldView
	Arrow          []arrowView
}

// A stepView is one step.
type stepView struct {
	finding.Step
	Number      int
	Row, Column int
	Side        string // a or b
	Place       string
	Undoes      bool // this step overwrites the lost one
}

// A heldView is a lock held from one row to another.
type heldView struct {
	Lock             string
	Read             bool
	Side             string
	Column, From, To int // To is the line below the last row
}

// An arrowView is the piece of the arrow, from the step that overwrites to the
// lost one, that lies in one row.
type arrowView struct {
	Row, Column int
	Part        string // head, body or tail
	Dir         string // left or right: where the head points
}

func (r *run) traceView(trace []finding.Step, file string) *traceView {
	if len(trace) == 0 {
		return nil
	}
	locks := [2][]string{lockNames(trace, 0), lockNames(trace, 1)}
	v := &traceView{LocksA: len(locks[0]), LocksB: len(locks[1]), Last: len(trace) + 2}
	v.HeadA = v.LocksA + 1
	v.Middle = v.HeadA + 1
	v.HeadB = v.HeadA + 2
	lost, by := overwritten(trace)
	for i, s := range trace {
		step := stepView{
			Step: s, Number: i + 1, Row: i + 2, Side: sides[lane(s)],
			Column: [...]int{v.HeadA, v.HeadB}[lane(s)], Undoes: by >= 0 && i == by,
		}
		if s.Pos.File != "" {
			step.Place = r.files.place(finding.Position{File: s.Pos.File, Line: s.Pos.Line})
		}
		if s.Pos.File == file {
			step.Place = path.Base(step.Place) // lanes are narrow, and the path stands above
		}
		v.Steps = append(v.Steps, step)
	}
	for side, before := range [...]int{0, v.HeadB} { // columns before the locks'
		for _, h := range held(trace, side) {
			h.Column = before + slices.Index(locks[side], h.Lock) + 1
			v.Held = append(v.Held, h)
		}
	}
	v.Arrow = arrow(trace, lost, by, v.Middle)
	return v
}

var sides = [...]string{"a", "b"}

// lane is 1 for goroutine B and 0 for all else.
func lane(s finding.Step) int {
	if s.Goroutine == "B" {
		return 1
	}
	return 0
}

// lockName parts a lock as steps name it into its name and whether it is held
// for reading only.
func lockName(lock string) (name string, read bool) { return strings.CutSuffix(lock, " (read)") }

func lockNames(trace []finding.Step, side int) []string {
	var out []string
	for _, s := range trace {
		for _, l := range s.Locks {
			if name, _ := lockName(l); lane(s) == side && slices.Index(out, name) < 0 {
				out = append(out, name)
			}
		}
	}
	return out
}

// overwritten returns the lost step and the one that undoes it: the next of the
// other goroutine, that with a note first. -1 if there is none.
func overwritten(trace []finding.Step) (lost, by int) {
	lost, by = -1, -1
	for i, s := range trace {
		switch {
		case lost < 0:
			if s.Lost {
				lost = i
			}
		case lane(s) != lane(trace[lost]):
			if s.Note != "" {
				return lost, i
			}
			if by < 0 {
				by = i
			}
		}
	}
	return lost, by
}

// held returns how long each lock of one lane is held. A lock goes on from a
// step to the lane's next one if both list it, in the same mode; unless the
// other goroutine has it in between, which it could not if it were still held.
func held(trace []finding.Step, side int) []heldView {
	var out []heldView
	open := make(map[string]int) // lock as listed: index into out
	for i, s := range trace {
		for lock := range open {
			if lane(s) == side && slices.Index(s.Locks, lock) < 0 || lane(s) != side && excluded(lock, s.Locks) {
				delete(open, lock)
			}
		}
		if lane(s) != side {
			continue
		}
		for _, lock := range s.Locks {
			at, ok := open[lock]
			if !ok {
				at = len(out)
				open[lock] = at
				name, read := lockName(lock)
				out = append(out, heldView{Lock: name, Read: read, Side: sides[side], From: i + 2})
			}
			out[at].To = i + 3
		}
	}
	return out
}

// excluded reports whether a goroutine cannot hold the lock while another holds
// those: only readers share.
func excluded(lock string, others []string) bool {
	name, read := lockName(lock)
	for _, o := range others {
		if other, shared := lockName(o); other == name && !(read && shared) {
			return true
		}
	}
	return false
}

// arrow returns the pieces of the arrow, one for each row: down the middle from
// the lost step to the one that overwrites it, the head at the lost one.
func arrow(trace []finding.Step, lost, by, column int) []arrowView {
	if lost < 0 || by < 0 {
		return nil
	}
	dir := "left"
	if lane(trace[lost]) == 1 {
		dir = "right"
	}
	var out []arrowView
	for i := lost; i <= by; i++ {
		part := "body"
		switch i {
		case lost:
			part = "head"
		case by:
			part = "tail"
		}
		out = append(out, arrowView{Row: i + 2, Column: column, Part: part, Dir: dir})
	}
	return out
}
