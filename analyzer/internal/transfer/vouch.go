package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// vouched returns the signals of the function that it never gives while a goroutine runs which it has
// started: who sees one of them knows that the goroutine has ended, too. What the goroutine signals
// by itself is left out.
func (a *analysis) vouched(st start, after *running, own summary.Signals) (on []accesspath.Path) {
	if own.Any {
		return nil
	}
	for _, p := range a.sum.Signals {
		early := slices.ContainsFunc(a.signalled, func(s signal) bool {
			return s.On == p && !s.Adds && !a.givenAfter(s.at, st, after, own)
		})
		if !early && !own.Has([]accesspath.Path{p}) {
			on = append(on, p)
		}
	}
	return on
}

// givenAfter reports whether a signal is given only when a goroutine has ended, or where it never began. One that is
// deferred is given at the function's end, before the calls that were deferred earlier. Without what runs meanwhile, the
// goroutine ends before the call returns that starts it.
func (a *analysis) givenAfter(at ssa.Instruction, st start, after *running, own summary.Signals) bool {
	d, deferred := at.(*ssa.Defer)
	if !deferred {
		return (after == nil || !after.has(at)) && !a.reach.MayPrecede(at, st.instr)
	}
	if after == nil {
		_, deferred = st.instr.(*ssa.Defer)
		return !deferred
	}
	for _, b := range a.fn.Blocks {
		end := runsDeferred(b)
		if end == nil || b == a.fn.Recover {
			continue
		}
		waitsThere := slices.Contains(after.ends, ssa.Instruction(end))
		if after.has(end) || waitsThere && !own.Has(a.deferredAfter(d, end)) {
			return false
		}
	}
	return true
}

// vouchedFor adds to a goroutine's signals those of the goroutine that has started it and waits for it.
func (a *analysis) vouchedFor(c, outer, inner *summary.Call, t *target, instr ssa.CallInstruction) {
	for _, on := range a.substituteAll(inner.Vouched, t, instr) {
		switch {
		case slices.Contains(c.Signals.On, on): // that of a goroutine between the two
			c.Vouched = append(c.Vouched, on)
		case slices.Contains(outer.Signals.On, on):
			c.Signals.On, c.Vouched = append(slices.Clip(c.Signals.On), on), append(c.Vouched, on)
			c.Relays = append(c.Relays, summary.Relayed(outer.Relays, on))
		}
	}
}
