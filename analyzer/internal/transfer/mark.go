package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Mark is an operation on a flag, or on an entry under a key, that may be a lock: who has set it, where it was not set,
// goes on alone until it is taken back.
type Mark struct {
	Lock accesspath.Path
	// Puts: it sets the mark; otherwise it takes it back, or only Asks whether it is set.
	Puts, Asks bool
	// Latch: nothing takes the mark back; or, if that Ends, only what has waited for the end of the goroutine that is started
	// where it was set.
	Latch, Ends bool
	// Look is what has found that the mark was not set, and To the block to which that leads; nil where one atomic step does
	// both.
	Look ssa.Instruction
	To   *ssa.BasicBlock
	// Atomic: it is an atomic operation. Before: it returns whether the mark was set before, and not whether it sets it.
	Atomic, Before bool
}

// noteMark notes an assignment that sets a mark, or takes it back.
func (a *analysis) noteMark(instr ssa.Instruction, id int32) {
	m := a.Mark(instr)
	if m == nil || m.Latch {
		return // who sets a latch need not go on alone: see claim
	}
	if m.Asks {
		return // that changes nothing
	}
	if a.marks == nil {
		a.marks = make(map[ssa.Instruction]int32)
	}
	a.marks[instr] = id
	a.interesting, a.locks = true, true
}

// markStep returns s after such an assignment.
func (a *analysis) markStep(s locks.State, instr ssa.Instruction) locks.State {
	id, ok := a.marks[instr]
	if !ok {
		return s
	}
	m := a.Mark(instr)
	if !m.Puts {
		return s.Release(m.Lock)
	}
	return s.Acquire(m.Lock, locks.Write, a.section(id, 0).Of())
}

// passMark notes the marks that a goroutine takes back: it has them from its start on, if they are set there.
func (a *analysis) passMark(instr *ssa.Go) {
	fn, args := ssautil.Callee(&instr.Call)
	targets := a.targets(&instr.Call, fn, args)
	for i := range targets {
		t := &targets[i]
		if t.sum == nil || t.sum.Imported {
			continue
		}
		for _, lock := range a.substituteAll(t.sum.Effect.Releases(), t, instr) {
			if locks.IsFlag(lock) || a.Boarded(lock) {
				if a.passes == nil {
					a.passes = make(map[*ssa.Go][]accesspath.Path)
				}
				a.passes[instr] = append(a.passes[instr], lock)
			}
		}
	}
}

// passMarks returns s behind the start of a goroutine, which has the marks from then on that it takes back.
func (a *analysis) passMarks(s locks.State, instr *ssa.Go) locks.State {
	for _, lock := range a.passes[instr] {
		s = s.Release(lock)
	}
	return s
}

// fromMark applies a call that sets a mark, if it was not set, or takes it back.
func (a *analysis) fromMark(e *effect) {
	m := a.Mark(e.instr)
	switch {
	case m == nil:
	case m.Puts:
		held, free := locks.Reached().Acquire(m.Lock, locks.Write, a.section(e.id, 0).Of()), locks.Reached()
		if m.Before {
			held, free = free, held
		}
		e.do(a.ifTrue(e.instr, held, free))
	default:
		e.do(locks.Reached().Release(m.Lock))
	}
}

// recordMark notes what is held where a mark is set or taken back, by which it is known whether it is a lock.
func (a *analysis) recordMark(s locks.State, instr ssa.Instruction) {
	m := a.Mark(instr)
	if m == nil {
		return
	}
	_, later := instr.(*ssa.Defer)
	out := summary.Mark{Lock: m.Lock, Puts: m.Puts, Asks: m.Asks, Point: a.at, Deferred: later, Latch: m.Latch, Held: s, Atomic: m.Atomic}
	if m.Look != nil {
		from := m.Look.Block()
		out.Seen, out.Side = a.edge(from, m.To, a.stateAt(m.Look)), slices.Index(from.Succs, m.To)
	}
	if m.Latch && !m.Puts {
		out.Waits, out.Seen = a.waitedFor(instr)
	}
	a.sum.Marks = append(a.sum.Marks, out)
}

// waitedFor returns what an instruction comes after a wait for, and what is held at all these waits.
func (a *analysis) waitedFor(instr ssa.Instruction) ([]accesspath.Path, locks.State) {
	var at []ssa.Instruction
	a.joinsBefore(instr, func(j *join) { at = append(at, j.instr) })
	on, any, _ := a.joined(instr)
	if any {
		on = nil // it is not known for what
	}
	return on, a.heldAt(at)
}
