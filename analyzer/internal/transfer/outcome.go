package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A function may have a goroutine run what it gets, by ways that no signal tells of, as a queue that another one works off. It gives
// a literal to a function that returns a ticket, and reads, after a wait for the ticket, what the literal has left in a variable.
// Where all that the literal does is to leave there what one call has given, no lock and no signal of its own orders the two: what
// ends the wait comes after the literal's end, or the function itself would race for the variable. Then the outcome with which it
// returns what it has read tells callers that the goroutine has ended in which that call was.

// An outcome is left by a literal that is given to a function which returns a ticket: in variables, of what a call gives.
type outcome struct {
	cells []*ssa.Alloc
	// run is the one call of the literal that runs what the function around it has got.
	run    *ssa.Call
	ticket ssa.Value
}

// outcomeOf returns the literal that a call gives away if all that it does is to leave what a function gives; nil if there is none.
func (a *analysis) outcomeOf(instr ssa.Instruction) *outcome {
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || a.reach.InLoop(call) {
		return nil
	}
	made := soleFunction(call.Call.Args)
	if made == nil || !usedOnlyBy(made, call) {
		return nil
	}
	lit := made.Fn.(*ssa.Function)
	run := soleRun(lit)
	if run == nil || len(a.params(run.Call.Value)) == 0 {
		return nil
	}
	u := &outcome{run: run, ticket: call}
	for i, v := range made.Bindings {
		if cell, ok := v.(*ssa.Alloc); ok && leftIn(lit.FreeVars[i], run) && leftByOne(cell, made, call) {
			u.cells = append(u.cells, cell)
		}
	}
	if len(u.cells) == 0 {
		return nil
	}
	return u
}

// soleFunction returns the literal among some arguments; nil if there is none, or any other function.
func soleFunction(args []ssa.Value) (lit *ssa.MakeClosure) {
	for _, arg := range args {
		made, ok := ssautil.Unwrap(arg).(*ssa.MakeClosure)
		switch {
		case !ok && !callback.Carries(arg.Type()):
		case !ok || lit != nil:
			return nil
		default:
			lit = made
		}
	}
	return lit
}

// usedOnlyBy reports whether a literal goes nowhere but to one call.
func usedOnlyBy(made *ssa.MakeClosure, call *ssa.Call) bool {
	for _, r := range *made.Referrers() {
		if _, debug := r.(*ssa.DebugRef); !debug && r != ssa.Instruction(call) {
			return false
		}
	}
	return ssautil.MakerOf(made.Fn.(*ssa.Function)) == made
}

// soleRun returns the one call of a function value in a literal that by itself orders nothing with other goroutines; nil if it does.
func soleRun(lit *ssa.Function) (run *ssa.Call) {
	speaks := ssautil.Some(lit, func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		if !ok || !ssautil.CallsValue(&call.Call) {
			return speaks(instr, 0)
		}
		again := run != nil
		run = call
		return again
	})
	if speaks {
		return nil
	}
	return run
}

// speaks reports whether an instruction may order what its goroutine does with another one, or run what is not known: it signals,
// waits, locks, or starts something.
func speaks(instr ssa.Instruction, depth int) bool {
	switch instr := instr.(type) {
	case *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Defer:
		return true
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Call:
		if b, ok := instr.Call.Value.(*ssa.Builtin); ok {
			return b.Name() == "close"
		}
		fn := instr.Call.StaticCallee()
		if fn == nil || fn.Signature.Recv() != nil || slices.ContainsFunc(instr.Call.Args, shares) {
			return true
		}
		if fn.Origin() != nil {
			fn = fn.Origin()
		}
		own := fn.Pkg != nil && fn.Pkg == callback.Outermost(instr.Parent()).Pkg
		return own && (depth > 0 || fn.Blocks == nil || ssautil.Some(fn, func(i ssa.Instruction) bool { return speaks(i, depth+1) }))
	}
	return false
}

// shares reports whether a function that gets an argument may speak to others by it.
func shares(arg ssa.Value) bool {
	switch ssautil.Unwrap(arg).Type().Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return true
	}
	return callback.Carries(arg.Type())
}

// leftIn reports whether a literal sets a captured variable once, to what a call gives.
func leftIn(cell *ssa.FreeVar, run *ssa.Call) bool {
	left := false
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			from, _ := ssautil.CallResult(r.Val)
			if left || r.Addr != ssa.Value(cell) || from != run {
				return false
			}
			left = true
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return left
}

// leftByOne reports whether nothing sets a variable but a literal, and what comes before the call that gets it; a call that comes
// after that may get its address.
func leftByOne(cell *ssa.Alloc, made *ssa.MakeClosure, call *ssa.Call) bool {
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if r.Addr != ssa.Value(cell) || !ssautil.Dominates(r, call) {
				return false
			}
		case *ssa.MakeClosure:
			if r != made && !onlyReads(r, cell) {
				return false
			}
		case *ssa.Call:
			if !ssautil.Dominates(call, r) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyReads reports whether a literal only reads a variable.
func onlyReads(made *ssa.MakeClosure, cell *ssa.Alloc) bool {
	for i, b := range made.Bindings {
		if b != ssa.Value(cell) {
			continue
		}
		for _, r := range *made.Fn.(*ssa.Function).FreeVars[i].Referrers() {
			if _, read := r.(*ssa.UnOp); !read {
				return false
			}
		}
	}
	return true
}

// readAfter names the moment at which what a literal has left in a variable is read after a wait for a ticket.
func (a *analysis) readAfter(cell, ticket accesspath.Path) accesspath.Path {
	if !ticket.Known() {
		return accesspath.Path{}
	}
	return a.Paths.Apply(cell, read, ticket)
}

// outcomeAt names what a variable holds where it is read after a wait, for each ticket that this is for. The variable is one that
// the function has made, or to which it has got a pointer.
func (a *analysis) outcomeAt(instr *ssa.UnOp) (on []accesspath.Path) {
	if instr.Op != token.MUL || instr.X == nil {
		return nil
	}
	switch x := instr.X.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		if made := a.cellOf(x); made == nil || !setInLiteral(made) {
			return nil
		}
	case *ssa.Parameter:
	case *ssa.UnOp: // what a captured parameter points to
		if made := a.cellOf(x.X); made == nil || !holdsParam(made) {
			return nil
		}
	default:
		return nil
	}
	p := a.Paths.Of(instr.X)
	if p.Depth() > 0 {
		return nil
	}
	for _, ticket := range a.ticketsBefore(instr, 0) {
		if at := a.readAfter(p, ticket); at.Known() {
			on = append(on, at)
		}
	}
	return on
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

// setInLiteral reports whether a literal sets a variable.
func setInLiteral(cell *ssa.Alloc) bool {
	return slices.ContainsFunc(*cell.Referrers(), func(r ssa.Instruction) bool {
		made, ok := r.(*ssa.MakeClosure)
		return ok && !onlyReads(made, cell)
	})
}

// holdsParam reports whether a variable only ever holds what its function has got as a parameter.
func holdsParam(made *ssa.Alloc) bool {
	_, param := ssautil.SoleStore(made).(*ssa.Parameter)
	return param
}

// ticketsBefore names the tickets for which control has waited in any case where it comes to an instruction: by a receive, or in
// the case of a select that is chosen then. A literal has where each call of it has.
func (a *analysis) ticketsBefore(instr ssa.Instruction, depth int) (on []accesspath.Path) {
	fn := instr.Parent()
	ssautil.Some(fn, func(wait ssa.Instruction) bool {
		switch wait := wait.(type) {
		case *ssa.UnOp:
			if wait.Op == token.ARROW && ssautil.Dominates(wait, instr) {
				on = append(on, a.ticketOf(wait.X))
			}
		case *ssa.Select:
			for i, st := range wait.States {
				from, to := chosen(wait, i)
				if st.Dir == types.RecvOnly && to != nil && ssautil.DominatesEdge(from, 0, instr.Block()) {
					on = append(on, a.ticketOf(st.Chan))
				}
			}
		}
		return false
	})
	if made := ssautil.MakerOf(fn); made != nil && depth < maxTellers {
		on = append(on, a.ticketsOfCalls(made, depth+1)...)
	}
	return on
}

// ticketsOfCalls names the tickets for which each call of a literal has waited; none if it goes anywhere else.
func (a *analysis) ticketsOfCalls(made *ssa.MakeClosure, depth int) []accesspath.Path {
	var common common
	for _, r := range *made.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		call, ok := r.(*ssa.Call)
		if !ok || call.Call.Value != ssa.Value(made) {
			return nil
		}
		common.add(a.ticketsBefore(call, depth))
	}
	return common.on
}

// ticketOf names that of which a channel tells that it is over: it is given by a method of that alone, is a field of it, or is
// the ticket itself.
func (a *analysis) ticketOf(ch ssa.Value) accesspath.Path {
	switch x := ssautil.Unwrap(ch).(type) {
	case *ssa.Call:
		if fn := x.Call.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(x.Call.Args) == 1 {
			return a.Paths.Of(x.Call.Args[0])
		}
	case *ssa.UnOp:
		if addr, ok := x.X.(*ssa.FieldAddr); ok && x.Op == token.MUL {
			return a.Paths.Of(addr.X)
		}
	}
	return a.Paths.Of(ch)
}

// leavesOutcome notes of a goroutine that runs a literal which leaves in variables of the function what one has given that only
// callers know: who has read one of them after a wait for the ticket has waited for its end.
func (a *analysis) leavesOutcome(c *summary.Call, instr ssa.CallInstruction, t *target) {
	u := a.outcomeOf(instr)
	if u == nil || !t.closure || accesspath.FuncKey(u.run.Parent()) != t.key {
		return
	}
	var relays []summary.Relay
	for _, cell := range u.cells {
		if on := a.readAfter(a.Paths.Of(cell), a.Paths.Of(u.ticket)); on.Known() {
			relays = append(relays, summary.Relay{On: on, After: []accesspath.Path{a.endOfRuns(instr)}})
		}
	}
	c.Signals.On = append(c.Signals.On, a.endOfRuns(instr))
	a.passOnAlso(relays)
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
	r.Ended = locks.Cond{}
	if r.Fate == callback.Goroutine && !o.leaves && a.endsThere(instr, r) {
		a.tellsEnd(instr, r)
	}
}

// endsThere reports whether the goroutine that a run is in ends where that of a call does: it leaves its outcome there, or the
// callee tells when all have ended in which it runs something.
func (a *analysis) endsThere(instr ssa.CallInstruction, r *summary.Run) bool {
	if u := a.outcomeOf(instr); u != nil {
		return slices.Contains(a.params(u.run.Call.Value), r.Func)
	}
	e := a.effects[instr]
	return e != nil && slices.ContainsFunc(e.targets[:e.own], func(t target) bool { return t.sum != nil && endedAt(t.sum).Result > 0 })
}

// tellsEnd finds the outcome of the function that tells that the goroutine has ended in which a run is.
func (a *analysis) tellsEnd(instr ssa.CallInstruction, r *summary.Run) {
	end := a.endOfRuns(instr)
	if !end.Known() {
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
