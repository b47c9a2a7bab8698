package transfer

import (
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Flight is what a function does that runs a function which it gets for one
// caller at a time per key.
type Flight struct {
	// Param is the position of the function.
	Param int
	// Lock is the entry that keeps others out meanwhile.
	Lock accesspath.Path
	// Holders are the parameters of the functions that take the entry out when
	// they have run what they get.
	Holders []accesspath.Path
}

// flightKey numbers the section of a flight.
const flightKey = -3

// flies notes that what the function gets runs under the lock that a key's entry
// is, wherever it runs.
func (a *analysis) flies() {
	fl := a.Flight(a.fn)
	if fl == nil {
		return
	}
	for _, h := range fl.Holders {
		if !a.runsWithin(h) {
			return
		}
	}
	around := locks.Reached().Acquire(fl.Lock, locks.Write, a.section(flightKey, 0).Of())
	param, some := a.Paths.ParamOf(a.key, fl.Param), false
	for i := range a.sum.Runs {
		r := &a.sum.Runs[i]
		if r.Func != param {
			continue
		}
		some = true
		r.Held = around.Then(r.Held)
		if r.Fate == callback.Returned {
			r.Fate = callback.Kept // it runs before the entry is gone
		}
	}
	if !some {
		a.sum.AddRun(summary.Run{Func: param, Fate: callback.Kept, Held: around})
	}
}

// runsWithin reports whether a function runs what it gets as that parameter before
// it returns, if at all.
func (a *analysis) runsWithin(param accesspath.Path) bool {
	sum := a.sum
	if key := param.Root().Fn; key != a.key {
		sum = a.Summary(key)
	}
	return sum != nil && sum.Fate(param) != callback.NotRun && sum.Fate(param).Within(callback.Now|callback.Deferred|callback.Once)
}
