package records

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// An object that is driven is handed to a library, which calls its methods by an interface of its own, no two at a time:
// the application of a chain, the state machine of a cluster, a game. Such an interface counts as one of the module's,
// and the library as one more caller, a goroutine that begins where it gets the object.

// driven reports whether t is such an interface of code outside the module.
func (g *gatherer) driven(t types.Type) bool {
	return model.Driven(t) && !g.inModule(types.Unalias(t).(*types.Named).Obj().Pkg())
}

// handed notes what becomes of objects that a call hands to code outside by such interfaces.
func (r *runner) handed(instr ssa.CallInstruction, fn *types.Func, args []ssa.Value) {
	for _, arg := range args {
		switch t := arg.Type(); {
		case !r.gatherer.driven(t):
		case model.Drives(fn, t):
			r.drives(instr, arg)
		default:
			r.leak(t)
		}
	}
}

// drives notes the goroutine in which a library calls the methods of an object.
func (r *runner) drives(instr ssa.CallInstruction, object ssa.Value) {
	iface, _ := r.own(object.Type())
	run := outside.Run{From: r.node}
	r.on(&run, r.pkg.Paths.Of(object), instr)
	run.By, run.Turn = r.heldBy(object, r.f.SSA), true
	var thread outside.Name
	for m := range object.Type().Underlying().(*types.Interface).Methods() {
		run.To = outside.Method(iface, m.Name())
		r.gatherer.add(outside.Ref{From: r.owner, To: run.To})
		if thread == "" {
			thread = r.start(run, outside.Start{Many: run.Looped, Serves: true}, instr)
			continue
		}
		r.add(outside.Run{From: thread, To: run.To, By: run.By, Own: run.Own, Part: run.Part, Turn: true})
	}
}

// leaks notes the objects that an instruction gives to code outside in another way than by a call, by such an interface.
func (g *gatherer) leaks(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		switch addr := instr.Addr.(type) {
		case *ssa.FieldAddr, *ssa.Global:
			if g.held(addr) == "" {
				g.leak(instr.Val.Type())
			}
		}
	case *ssa.Return:
		if instr.Parent().Object() != nil {
			return
		}
		for _, v := range instr.Results {
			g.leak(v.Type())
		}
	}
}

func (g *gatherer) leak(t types.Type) {
	if iface, own := g.own(t); own && g.driven(t) {
		g.rec.Leaked[iface] = true
	}
}

// hands notes the goroutine in which a library calls the methods of an object that a package hands it which was not analysed.
func (p plain) hands(call *ast.CallExpr, fn *types.Func) {
	for _, t := range paramsOf(fn) {
		if !model.Drives(fn, t) {
			continue
		}
		p.g.driving[call] = true
		iface, _ := p.g.own(t)
		thread := outside.Thread(p.from, int(call.Pos()))
		if p.g.rec.Starts == nil {
			p.g.rec.Starts = make(map[outside.Name]outside.Start)
		}
		p.g.rec.Starts[thread] = outside.Start{Owner: p.from, Many: p.looped, Several: p.looped, Serves: true}
		p.g.rec.Runs = append(p.g.rec.Runs, outside.Run{From: p.from, To: thread, Looped: p.looped, Again: p.looped})
		for m := range t.Underlying().(*types.Interface).Methods() {
			to := outside.Method(iface, m.Name())
			p.g.add(outside.Ref{From: p.from, To: to})
			p.g.rec.Runs = append(p.g.rec.Runs, outside.Run{From: thread, To: to, Turn: true})
		}
	}
}

// unreadDriven notes what a package that was not analysed hands to code outside: what a library calls in turn becomes
// a value of its interface and goes nowhere else by that, so that it is one of the plain expressions.
func (g *gatherer) unreadDriven(files []*ast.File, plain map[ast.Expr]bool) {
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn, _ := typeutil.Callee(g.info, call).(*types.Func)
			if fn == nil || fn.Pkg() != nil && g.inScope(fn.Pkg().Path()) {
				return true
			}
			params := paramsOf(fn)
			for i, arg := range call.Args {
				t := g.info.TypeOf(arg)
				if t == nil {
					continue
				}
				if i < len(params) && g.driving[call] && model.Drives(fn, params[i]) {
					plain[arg] = true
					g.boxed("", t)
					g.convert(t, params[i], false)
					g.change(t, params[i])
					continue
				}
				g.leak(t)
				if i < len(params) {
					g.leak(params[i])
				}
			}
			return true
		})
	}
}

// paramsOf returns the types of a function's parameters.
func paramsOf(fn *types.Func) (out []types.Type) {
	for v := range fn.Signature().Params().Variables() {
		out = append(out, v.Type())
	}
	return out
}
