package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// callEvents records what a call does to maps, itself and in its callees.
func (a *analysis) callEvents(s locks.State, instr ssa.CallInstruction, e *effect, deferred bool) {
	if e == nil {
		return
	}
	val, _ := instr.(ssa.Value)
	base := event{instr: instr}
	if val != nil {
		base.outcomes = []ssa.Value{val}
	}
	args := e.call.Args
	at := func(v ssa.Value, op access.Op) event {
		ev := base
		ev.val = v
		ev.acc = access.Access{Path: a.Paths.Of(v), Op: op, Held: s, Pos: instr.Pos()}
		return ev
	}
	switch e.builtin {
	case "len":
		ev := at(args[0], access.Len)
		ev.acc.Hint, ev.acc.Reported, ev.acc.Sizes = depend.Reserves(val), depend.Reported(val), depend.Sizes(val)
		a.add(ev)
	case "delete":
		ev := at(args[0], access.Delete)
		ev.acc.Key, ev.key = a.dep.KeyOf(args[1]), args[1]
		a.add(ev)
	case "clear":
		ev := at(args[0], access.Clear)
		ev.acc.Empty = true
		a.add(ev)
	}
	a.modelEvents(e, at)
	var runs []run
	for i := range e.targets {
		runs = append(runs, a.targetEvents(s, instr, e, &e.targets[i], deferred)...)
	}
	if len(runs) > 1 {
		a.linkChains(e, runs)
	}
}

// modelEvents records what a library function does to a map.
func (a *analysis) modelEvents(e *effect, at func(ssa.Value, access.Op) event) {
	if e.recv == nil {
		return
	}
	op, ok := modelOps[e.model.Kind]
	over := ssautil.Unwrap(e.recv)
	if !ok || !op.Concurrent() && !ssautil.IsMap(over.Type()) {
		return
	}
	if op == access.Range && !op.Concurrent() {
		for _, held := range heldIn(over) {
			a.add(at(held, access.Range))
		}
	}
	ev := at(over, op)
	if op == access.Clear {
		ev.from = e.call.Args[1:]
	}
	if fn, _ := ssautil.Callee(e.call); fn != nil {
		ev.acc.Method = fn.Name()
	}
	if op == access.Visit && len(e.call.Args) > 1 {
		a.throughBody(&ev, e.call.Args[1])
	}
	if op == access.Range && len(ev.outcomes) == 1 {
		a.copied(&ev)
	}
	switch val, _ := ev.instr.(ssa.Value); {
	case ev.acc.Method == "DeleteFunc":
		if key := depend.DeletedKey(e.call.Args[1]); key != nil {
			op, ev.acc.Op, ev.from = access.Delete, access.Delete, nil
			ev.acc.Key, ev.key = a.dep.KeyOf(key), key
			break
		}
		ev.acc.Validated = true // it tests each entry
	case op == access.Atomic && ev.acc.Method == "LoadAndDelete" && val != nil && len(ssautil.Extracts(val)) == 0:
		op, ev.acc.Op = access.Remove, access.Remove // what it took is not looked at
	case op == access.Atomic && ev.acc.Method == "LoadOrStore" && val != nil && a.ignoresWinner(e.call, val):
		op, ev.acc.Op = access.Store, access.Store // it goes on with its own
	case op == access.Atomic && ev.acc.Method == "Swap" && val != nil && len(ssautil.Extracts(val)) == 0:
		op, ev.acc.Op = access.Store, access.Store // nor at what it replaced
	case op == access.Atomic && len(e.call.Args) > 2:
		ev.acc.Eager = depend.Eager(e.call.Args[2])
	}
	if e.model.Kind.Keyed() && len(e.call.Args) > 1 {
		if key := sole(e.call.Args[1]); key != nil {
			ev.acc.Key, ev.key = a.dep.KeyOf(key), key
		}
		if op != access.Lookup {
			ev.outcomes = nil // the set itself
		}
		if op == access.Insert {
			ev.acc.Stored = access.StoredPure // there is nothing to a value
		}
	}
	if op.Concurrent() && len(e.call.Args) > 1 && op != access.Visit {
		key := e.call.Args[1]
		ev.acc.Key, ev.key = a.dep.KeyOf(key), key
		if op == access.Store && len(e.call.Args) > 2 {
			ev.value = e.call.Args[2]
			ev.acc.Stored, ev.acc.Value = a.dep.StoredUnder(ev.value, key), a.Paths.Of(ev.value)
			ev.acc.NewKey = a.dep.UniqueKey(key)
		}
	}
	val, ok := ev.instr.(ssa.Value)
	if !ok {
		a.add(ev) // deferred, or in a goroutine: the result is not seen
		return
	}
	switch _, tuple := val.Type().(*types.Tuple); {
	case tuple && (op == access.Load || op == access.Atomic):
		ev.outcomes, ev.presence = ssautil.CommaOk(val)
		ev.senses = depend.Tell(ev.outcomes)
	case (op == access.Load || op == access.Lookup) && ssautil.IsBool(val.Type()): // Has
		ev.presence, ev.senses = ev.outcomes, depend.Tell(ev.outcomes)
	}
	a.add(ev)
}

// sole returns the one value that a variadic parameter gets, or the argument of another one; nil where there are
// several.
func sole(arg ssa.Value) ssa.Value {
	list, ok := arg.(*ssa.Slice)
	if !ok {
		if _, slice := arg.Type().Underlying().(*types.Slice); slice {
			return nil
		}
		return arg
	}
	array, ok := list.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	if args := ssautil.Arguments(array); len(args) == 1 {
		return args[0]
	}
	return nil
}

// ignoresWinner reports whether a LoadOrStore does not look at what it gives,
// and the function goes on with the value that it wanted to store.
func (a *analysis) ignoresWinner(call *ssa.CallCommon, result ssa.Value) bool {
	if len(ssautil.Extracts(result)) > 0 || len(call.Args) < 3 {
		return false
	}
	made := ssautil.Unwrap(call.Args[2])
	return made.Referrers() != nil && slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		_, converted := r.(*ssa.MakeInterface)
		return !converted && a.reach.MayPrecede(result.(ssa.Instruction), r)
	})
}
