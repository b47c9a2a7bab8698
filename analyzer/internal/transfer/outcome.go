package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A function may have a goroutine run what it gets, by ways that no signal tells of, as a queue that another one works off. Where
// a literal leaves what that has given in a variable of the function, and this reads it after a wait, to give it to its caller,
// it has waited for the literal: else it would have nothing to read. Then the outcome with which it returns what it
// has read tells callers that the goroutine has ended.

// outcomeAt names what a variable holds where it is read after a wait; the unknown path if instr is no such read. The variable is
// one that the function has made, or to which it has got a pointer.
func (a *analysis) outcomeAt(instr *ssa.UnOp) accesspath.Path {
	if instr.Op != token.MUL || instr.X == nil {
		return accesspath.Path{}
	}
	switch x := instr.X.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		if made := a.cellOf(x); made == nil || !a.hasOutcome(made) {
			return accesspath.Path{}
		}
	case *ssa.Parameter:
	case *ssa.UnOp: // what a captured parameter points to
		if made := a.cellOf(x.X); made == nil || !holdsParam(made) {
			return accesspath.Path{}
		}
	default:
		return accesspath.Path{}
	}
	p := a.Paths.Of(instr.X)
	if p.Depth() > 0 || !a.waitsBefore(instr) {
		return accesspath.Path{}
	}
	return a.on(p, read)
}

// cellOf returns the variable at an address that literals share; nil if it is another one.
func (a *analysis) cellOf(addr ssa.Value) *ssa.Alloc {
	for range maxTellers {
		switch x := addr.(type) {
		case *ssa.Alloc:
			if x.Heap {
				return x
			}
			return nil
		case *ssa.FreeVar:
			addr = ssautil.Binding(x)
		}
	}
	return nil
}

// holdsParam reports whether a variable only ever holds what its function has got as a parameter.
func holdsParam(made *ssa.Alloc) bool {
	_, param := ssautil.SoleStore(made).(*ssa.Parameter)
	return param
}

// waitsBefore reports whether a function comes to an instruction only after something that blocks, or stands in one that
// blocks.
func (a *analysis) waitsBefore(instr ssa.Instruction) bool {
	for fn := a.fn; fn != nil; fn = fn.Parent() {
		if ssautil.Some(fn, func(i ssa.Instruction) bool {
			return a.blocks(i, 0) && (fn != a.fn || ssautil.Dominates(i, instr))
		}) {
			return true
		}
	}
	return false
}

// blocks reports whether an instruction waits on channels, by a function of the package that it calls, too.
func (a *analysis) blocks(instr ssa.Instruction, depth int) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Select:
		return instr.Blocking
	case *ssa.Call:
		fn := instr.Call.StaticCallee()
		return depth == 0 && fn != nil && fn.Pkg != nil && fn.Pkg == callback.Outermost(a.fn).Pkg &&
			ssautil.Some(fn, func(i ssa.Instruction) bool { return a.blocks(i, depth+1) })
	}
	return false
}

// leavesOutcome notes of a goroutine that runs a literal, by which that leaves in variables of the function what one has given
// which only callers know: who has read one of them has waited for its end.
func (a *analysis) leavesOutcome(c *summary.Call, instr ssa.CallInstruction, call *ssa.CallCommon, t *target) {
	if !t.closure {
		return
	}
	var relays []summary.Relay
	for _, v := range append([]ssa.Value{call.Value}, call.Args...) {
		made, ok := ssautil.Unwrap(v).(*ssa.MakeClosure)
		if !ok || accesspath.FuncKey(made.Fn.(*ssa.Function)) != t.key {
			continue
		}
		for i, cell := range made.Bindings {
			if own, ok := cell.(*ssa.Alloc); ok && a.leftIn(made.Fn.(*ssa.Function).FreeVars[i]) {
				relays = append(relays, summary.Relay{On: a.on(a.Paths.Of(own), read), After: []accesspath.Path{a.endOfRuns(instr)}})
			}
		}
	}
	if len(relays) > 0 {
		c.Signals.On = append(c.Signals.On, a.endOfRuns(instr))
		a.passOnAlso(relays)
	}
}

// hasOutcome reports whether a literal leaves in a variable what a function has given that only callers know.
func (a *analysis) hasOutcome(cell *ssa.Alloc) bool {
	for _, r := range *cell.Referrers() {
		made, ok := r.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for i, b := range made.Bindings {
			if b == ssa.Value(cell) && a.leftIn(made.Fn.(*ssa.Function).FreeVars[i]) {
				return true
			}
		}
	}
	return false
}

// leftIn reports whether a literal sets a captured variable to what a function gives that is a parameter of one around it.
func (a *analysis) leftIn(cell *ssa.FreeVar) bool {
	for _, r := range *cell.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok || st.Addr != ssa.Value(cell) {
			continue
		}
		if call, _ := ssautil.CallResult(st.Val); call != nil && !call.Call.IsInvoke() && len(a.params(call.Call.Value)) > 0 {
			return true
		}
	}
	return false
}

// endOfRuns names the end of the goroutines that a call starts.
func (a *analysis) endOfRuns(call ssa.Instruction) accesspath.Path {
	v, ok := call.(ssa.Value)
	if !ok {
		return accesspath.Path{}
	}
	return a.on(a.Paths.Root(accesspath.Root{Kind: accesspath.Value, Val: v}), ended)
}

// endedAt returns the outcome with which a function returns only when all goroutines have ended in which it runs what
// it gets.
func endedAt(sum *summary.Func) (c locks.Cond) {
	for _, r := range sum.Runs {
		if r.Fate != callback.Goroutine {
			continue
		}
		if c.Result > 0 && r.Ended != c || r.Ended.Result == 0 {
			return locks.Cond{}
		}
		c = r.Ended
	}
	return c
}

// endsBy notes whether the goroutine that a run is in ends before the function returns, or by which outcome that tells so.
func (a *analysis) endsBy(instr ssa.CallInstruction, o *open, r *summary.Run) {
	a.awaits(instr, o, r)
	a.tellsEnd(instr, r)
}

// tellsEnd finds the outcome of the function that tells that the goroutine has ended in which a run is.
func (a *analysis) tellsEnd(instr ssa.CallInstruction, r *summary.Run) {
	r.Ended = locks.Cond{}
	end := a.endOfRuns(instr)
	if r.Fate != callback.Goroutine || !end.Known() {
		return
	}
	results := a.fn.Signature.Results()
	for i := results.Len() - 1; i >= 0; i-- {
		if !ssautil.IsError(results.At(i).Type()) {
			continue
		}
		c := locks.Cond{Result: i + 1, Test: locks.Nil, Holds: true}
		if sig := (summary.Signals{On: []accesspath.Path{end}}); sig.Has(a.waitedIf(c)) {
			r.Ended = c
		}
		return
	}
}
