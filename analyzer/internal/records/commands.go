package records

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A filled is a function that is stored in a field of a struct, from which code outside
// the module calls it.
type filled struct {
	action *ssa.Function
	closes *ssa.MakeClosure // nil if it closes over nothing
	object ssa.Value        // the address of the struct
	by     model.Caller
}

// filledBy returns the function that an instruction stores in such a field.
func filledBy(instr ssa.Instruction) (filled, bool) {
	st, ok := instr.(*ssa.Store)
	if !ok {
		return filled{}, false
	}
	addr, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return filled{}, false
	}
	f := filled{object: addr.X, by: model.CallerOf(ssautil.Pointee(addr.X.Type()))}
	v := st.Val
	if c, ok := v.(*ssa.ChangeType); ok {
		v = c.X
	}
	f.closes, _ = v.(*ssa.MakeClosure)
	f.action = ssautil.Function(v)
	return f, f.action != nil && f.by != model.AnyCaller
}

// actions notes the functions of which it is known who calls them, since fn stores them
// where it is.
func (g *gatherer) actions(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if f, ok := filledBy(instr); ok {
				g.act(g.nodeOfSSA(f.action), f.by)
			}
			switch instr := instr.(type) {
			case ssa.CallInstruction:
				g.actionsGiven(instr)
			case *ssa.MakeInterface:
				g.commandMade(instr)
			}
		}
	}
}

// act notes who calls a function.
func (g *gatherer) act(node outside.Name, by model.Caller) {
	if node == "" {
		return
	}
	g.acted[node] = true
	if by == model.MainCaller {
		g.rec.Commands[node] = true
	}
}

// actionsGiven notes the functions that a call gives a command for its actions.
func (g *gatherer) actionsGiven(call ssa.CallInstruction) {
	fn, args := ssautil.Callee(call.Common())
	if fn == nil {
		return
	}
	for _, arg := range args {
		if made, ok := arg.(*ssa.MakeInterface); ok {
			g.commandsIn(call.Parent(), fn, made.X.Type())
		}
	}
	if !model.TakesAction(fn) {
		return
	}
	for _, arg := range args[1:] {
		if f := ssautil.Function(arg); f != nil {
			g.act(g.nodeOfSSA(f), model.MainCaller)
		}
	}
}

// commandsIn notes the methods that run the commands which a function of a library finds in a value of type t: in gives it that.
func (g *gatherer) commandsIn(in *ssa.Function, fn *types.Func, t types.Type) {
	var from outside.Name
	if obj, ok := callback.Outermost(in).Object().(*types.Func); ok && obj.Name() != "init" {
		from = g.name(obj)
	}
	for _, command := range model.CommandsIn(fn, t) {
		for _, m := range g.methodsOf(command) {
			if model.RunsCommand(m) {
				g.act(g.name(m), model.MainCaller)
				g.refer(outside.Ref{From: from, Loose: true, Shown: true}, m)
			}
		}
	}
}

// commandMade notes the methods of a value that becomes a command, which the library's interface names.
func (g *gatherer) commandMade(made *ssa.MakeInterface) {
	by := model.CallerOf(made.Type())
	iface, ok := made.Type().Underlying().(*types.Interface)
	if !ok || by == model.AnyCaller {
		return
	}
	for _, m := range g.methodsOf(made.X.Type()) {
		if obj, _, _ := types.LookupFieldOrMethod(iface, false, m.Pkg(), m.Name()); obj != nil {
			g.act(g.name(m), by)
		}
	}
}

// handler notes a function that a goroutine of a library calls, one for each struct.
func (r *runner) handler(instr ssa.Instruction, order int) {
	f, ok := filledBy(instr)
	if !ok || f.by != model.OneCaller {
		return
	}
	run := outside.Run{From: r.node, To: r.nodeOfSSA(f.action), Order: order, Looped: r.reach.InLoop(instr)}
	run.Again, run.Endless = run.Looped, run.Looped
	if f.closes != nil && len(f.closes.Bindings) == 1 {
		run.Own, run.Made = r.ours(r.pkg.Paths.Of(f.closes.Bindings[0]))
	}
	thread := r.handlers[f.object]
	if thread != "" {
		r.add(outside.Run{From: thread, To: run.To, Own: run.Own})
		return
	}
	several := run.Looped || uses(f.object) > 1
	if r.handlers == nil {
		r.handlers = make(map[ssa.Value]outside.Name)
	}
	r.handlers[f.object] = r.start(run, outside.Start{Many: several, Serves: true}, nil)
}

// uses counts the places to which a struct goes.
func uses(v ssa.Value) int {
	n := 0
	if v.Referrers() == nil {
		return n
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr:
		case *ssa.UnOp:
			n += uses(r)
		case *ssa.MakeInterface:
			n += uses(r)
		default:
			n++
		}
	}
	return n
}
