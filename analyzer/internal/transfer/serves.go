package transfer

import (
	"go/token"
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// maxServing bounds the calls through which it is looked for what serves.
const maxServing = 2

// servesAt returns where a function that registers handlers brings a server into service: no handler is called before the first of
// these. None says nothing: others serve.
func (a *analysis) servesAt() []ssa.Instruction { return ServedIn(a.fn) }

// ServedIn returns where a function brings a server into service, by itself, in a literal, or in another function of the package.
// Complexity: linear in the function and, up to a bound, those that it names.
func ServedIn(fn *ssa.Function) (at []ssa.Instruction) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if serves(instr, maxServing) {
				at = append(at, instr)
			}
		}
	}
	return at
}

// servedBeside returns the calls that register handlers before a goroutine starts that still runs where the function serves: what is
// registered is called from then on.
func (a *analysis) servedBeside(c *summary.Call, after *running, serves func() []ssa.Instruction) (calls []int) {
	for _, o := range a.starts {
		if !a.sum.Calls[o.call].Registered || slices.Contains(c.After, o.call) {
			continue
		}
		if slices.ContainsFunc(serves(), func(s ssa.Instruction) bool { return after.has(s) && a.reach.MayPrecede(o.instr, s) }) {
			calls = append(calls, o.call)
		}
	}
	return calls
}

// keepsHandler reports whether a call gives a server a handler which it may call while a goroutine runs that starts later: the function
// waits for none between that and where it serves.
func (a *analysis) keepsHandler(instr ssa.CallInstruction) bool {
	fn, _ := ssautil.Callee(instr.Common())
	if !model.KeepsHandler(fn) {
		return false
	}
	return !a.overBeforeServing(instr)
}

// overBeforeServing reports whether the function waits for goroutines behind an instruction, and serves after that: one that is started
// here has ended by then.
func (a *analysis) overBeforeServing(instr ssa.Instruction) bool {
	if a.waitsServed == nil {
		a.waitsServed = sync.OnceValue(a.waitsBeforeServing)
	}
	return slices.ContainsFunc(a.waitsServed(), func(wait ssa.Instruction) bool { return a.reach.MayPrecede(instr, wait) })
}

// servedWhile adds the objects which a goroutine gets that the function gives a server, too, and whose requests can come while the
// goroutine runs.
func (a *analysis) servedWhile(c *summary.Call, st start, after *running, serves func() []ssa.Instruction) {
	call, ok := st.instr.(ssa.CallInstruction)
	if !ok || len(a.handlersHere()) == 0 {
		return
	}
	for _, v := range ssautil.HandedOver(call.Common()) {
		root, anew := a.Paths.Root(a.Paths.Of(v).Root()), len(a.addAnew(nil, v, st.instr)) > 0
		known := func(made ssa.Instruction) bool {
			return after.has(made) || a.madeBefore(made, st.instr, anew) && a.servesWhile(st, after, serves())
		}
		if slices.ContainsFunc(a.handlersHere()[root], known) && !slices.Contains(c.Kept, root) && !a.overBeforeServing(st.instr) && !a.helperWaits(call, serves()) {
			c.Kept = append(c.Kept, root)
		}
	}
}

// helperWaits reports whether a function of the package, called before the server serves, receives from a channel which the goroutine gets.
func (a *analysis) helperWaits(start ssa.CallInstruction, serves []ssa.Instruction) bool {
	given := make(map[ssa.Value]bool)
	for _, v := range ssautil.HandedOver(start.Common()) {
		given[ssautil.Unwrap(v)] = true
	}
	waits := func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		if !ok || call.Call.StaticCallee() == nil || !a.reach.MayPrecede(start, call) {
			return false
		}
		fn := call.Call.StaticCallee()
		for i, arg := range call.Call.Args {
			if i < len(fn.Params) && given[ssautil.Unwrap(arg)] && receivesFrom(fn, i) {
				return slices.ContainsFunc(serves, func(s ssa.Instruction) bool { return s != instr && a.reach.MayPrecede(instr, s) })
			}
		}
		return false
	}
	return ssautil.Some(a.fn, waits)
}

// receivesFrom reports whether a function receives from its parameter.
func receivesFrom(fn *ssa.Function, param int) bool {
	return ssautil.Some(fn, func(instr ssa.Instruction) bool {
		op, ok := instr.(*ssa.UnOp)
		return ok && op.Op == token.ARROW && op.X == ssa.Value(fn.Params[param])
	})
}

// madeBefore reports whether a server gets an object at made before a goroutine gets the same one: another round of a loop may have
// another.
func (a *analysis) madeBefore(made, start ssa.Instruction, anew bool) bool {
	if anew {
		return ssautil.Dominates(made, start)
	}
	return a.reach.MayPrecede(made, start)
}

// servesWhile reports whether requests can come while a goroutine runs, as far as the function brings a server into service: it does so
// meanwhile, or did so before, and did not wait for its end. Others do where it does not.
func (a *analysis) servesWhile(st start, after *running, serves []ssa.Instruction) bool {
	return len(serves) == 0 || slices.ContainsFunc(serves, func(s ssa.Instruction) bool {
		return after.has(s) || !servesToTheEnd(s) && a.reach.MayPrecede(s, st.instr)
	})
}

// servesToTheEnd reports whether an instruction returns when the server has ended.
func servesToTheEnd(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	fn, _ := ssautil.Callee(call.Common())
	return fn != nil && model.Serves(fn)
}

// handlersHere returns the objects that the function gives away as values of an interface by which a server calls them, each time in
// a goroutine of its own, and where: whatever gets them there, they are known to those goroutines.
func (a *analysis) handlersHere() map[accesspath.Path][]ssa.Instruction {
	if a.handlers != nil {
		return a.handlers
	}
	a.handlers = make(map[accesspath.Path][]ssa.Instruction)
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			made, ok := instr.(*ssa.MakeInterface)
			if !ok || !calledByServer(made) {
				continue
			}
			if p := a.Paths.Of(made.X); p.Depth() == 0 && p.Root().Kind == accesspath.Value {
				a.handlers[p] = append(a.handlers[p], made)
			}
		}
	}
	return a.handlers
}

// calledByServer reports whether an interface that is made of an object has a method that servers call on it.
func calledByServer(made *ssa.MakeInterface) bool {
	iface, ok := made.Type().Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for m := range iface.Methods() {
		of, _, _ := types.LookupFieldOrMethod(made.X.Type(), true, m.Pkg(), m.Name())
		if fn, ok := of.(*types.Func); ok && role.Serves(fn) {
			return true
		}
	}
	return false
}

// waitsBeforeServing returns where the function waits for goroutines before it brings a server into service.
func (a *analysis) waitsBeforeServing() (waits []ssa.Instruction) {
	serves := a.servesAt()
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			if a.waitsAt(instr) && slices.ContainsFunc(serves, func(s ssa.Instruction) bool { return s != instr && a.reach.MayPrecede(instr, s) }) {
				waits = append(waits, instr)
			}
		}
	}
	return waits
}

// waitsAt reports whether an instruction receives something, or joins goroutines.
func (a *analysis) waitsAt(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case ssa.CallInstruction:
		e := a.effects[instr]
		return e != nil && e.model.Kind == model.Join
	}
	return false
}

// serves reports whether an instruction calls what serves, or has a function of the package that does.
func serves(instr ssa.Instruction, depth int) bool {
	if call, ok := instr.(ssa.CallInstruction); ok {
		if fn, _ := ssautil.Callee(call.Common()); fn != nil && (model.Serves(fn) || fn.Pkg() != instr.Parent().Pkg.Pkg && model.RunsRouter(fn)) {
			return true
		}
	}
	if depth == 0 {
		return false
	}
	for _, op := range instr.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if ok && fn.Pkg == instr.Parent().Pkg && ssautil.Some(fn, func(inner ssa.Instruction) bool { return serves(inner, depth-1) }) {
			return true
		}
	}
	return false
}
