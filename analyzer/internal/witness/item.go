package witness

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// oneItem reports whether look and act are part of the work on one item of a work queue, by
// which the entry goes, and so is each step that could come in between: the queue is a lock
// for each key. It is none for the map as a whole.
func (j *Judge) oneItem(v *Verdict) bool {
	return j.keyed(v, func(f *infer.Func, a *access.Access) (any, bool) { return j.Pkg.ItemOf(f, a.Key) })
}

// ownKey reports whether look and act, and each step that could come in between, are to an entry that goes by the object
// or the number which the goroutine that takes the step has to itself, or by the key of the round that has started it.
func (j *Judge) ownKey(v *Verdict) bool {
	named := v.Act.Path.Location().Var
	if j.changedOnce(v.Act.Path.Location()) {
		return false
	}
	if !v.Concurrent() && named != nil && named.IsField() && !j.Pkg.OwnMap(named) {
		return false
	}
	return j.keyed(v, j.Pkg.OwnerOf) || j.keyed(v, j.Pkg.RoundOf) && !j.besideRound(v)
}

// besideRound reports whether a local map, of which no place tells the steps, is changed by something else than the
// goroutines of the rounds of a walk, each under its key: by the function that starts them, or by others that it starts.
func (j *Judge) besideRound(v *Verdict) bool {
	if v.Act.Path.Location().Valid() {
		return false
	}
	start, _ := j.Pkg.RoundOf(v.Func, v.Act)
	at, ok := start.(ssa.CallInstruction)
	if !ok {
		return true
	}
	starter := j.Pkg.Lookup(accesspath.FuncKey(at.Parent()))
	if starter == nil {
		return true
	}
	changes := func(a *access.Access) bool {
		return a.Path.Root() == v.Act.Path.Root() && outdates(v, a) && !a.Fresh && !a.Joined
	}
	for _, visit := range j.Sharing.Threads.Visits {
		a := *visit.Access
		if a.Path = visit.Path; changes(&a) && !ofKey(j.Pkg.RoundOf).gives(visit.Func, visit.Access, start) {
			return true
		}
	}
	return slices.ContainsFunc(starter.Accesses, func(a access.Access) bool {
		return changes(&a) && !(a.Spawned && a.Point.Instr(at.Parent()) == ssa.Instruction(at))
	})
}

// An ofKey returns what gives the key of an access to one goroutine at a time.
type ofKey func(*infer.Func, *access.Access) (any, bool)

func (j *Judge) keyed(v *Verdict, of ofKey) bool {
	if v.Unlocked() && !v.Concurrent() || !entryLook(v.Check) || v.Check.Spawned || v.Act.Spawned {
		return false
	}
	queue, ok := of(v.Func, v.Check)
	if !ok || !of.gives(v.Func, v.Act, queue) {
		return false
	}
	return !slices.ContainsFunc(j.steps(v), func(s *infer.Site) bool {
		return s.Imported() || s.Acc.Spawned || !of.gives(s.Func, s.Acc, queue)
	})
}

// gives reports whether an access is to an entry that goes by what a queue gives.
func (of ofKey) gives(f *infer.Func, a *access.Access, queue any) bool {
	got, ok := of(f, a)
	return ok && got == queue
}
