package records

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Function values are followed through fields and variables of the module,
// parameters and results of its declared functions, and variables of functions that
// get one value. Each is a node that leads to what is put into it. A value that goes
// another way can be any of its shape, and what comes from there, too.

// maxHops bounds the steps from a function value back to where it comes from.
const maxHops = 8

// values returns the nodes of what a function value can be.
func (g *gatherer) values(v ssa.Value, hops int) []outside.Name {
	if hops == 0 {
		return anyOf(v)
	}
	switch v := v.(type) {
	case *ssa.Function:
		return []outside.Name{cmp.Or(g.nodeOfSSA(v), outside.Elsewhere)}
	case *ssa.MakeClosure:
		return g.values(v.Fn, hops-1)
	case *ssa.ChangeType:
		return g.values(v.X, hops-1)
	case *ssa.Const:
		return nil
	case *ssa.Parameter:
		if node := g.param(v); node != "" {
			return []outside.Name{node}
		}
	case *ssa.Phi:
		var out []outside.Name
		for _, e := range v.Edges {
			out = append(out, g.values(e, hops/2)...)
		}
		return out
	case *ssa.Field:
		if field := fieldAt(v.X.Type(), v.Field); g.ours(field) {
			return []outside.Name{outside.Variable(field)}
		}
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return g.read(v, hops)
		}
	}
	if call, i := ssautil.CallResult(v); call != nil {
		return g.returned(v, call, i, hops)
	}
	return anyOf(v)
}

// anyOf returns the node of all function values of v's shape.
func anyOf(v ssa.Value) []outside.Name {
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	return []outside.Name{outside.Shape(sig)}
}

// read returns the nodes of what is read from an address.
func (g *gatherer) read(v *ssa.UnOp, hops int) []outside.Name {
	addr := v.X
	if node := g.held(addr); node != "" {
		return []outside.Name{node}
	}
	for i := 0; i < maxHops; i++ {
		captured, ok := addr.(*ssa.FreeVar)
		if !ok {
			break
		}
		addr = ssautil.Binding(captured)
	}
	if cell, ok := addr.(*ssa.Alloc); ok {
		if only := ssautil.SoleStore(cell); only != nil {
			return g.values(only, hops-1)
		}
	}
	return anyOf(v)
}

// held returns the node of the field or package-level variable that an address is;
// "" of another one, or of one outside the module.
func (g *gatherer) held(addr ssa.Value) outside.Name {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		if field := fieldAt(addr.X.Type(), addr.Field); g.ours(field) {
			return outside.Variable(field)
		}
	case *ssa.Global:
		if v, ok := addr.Object().(*types.Var); ok && g.ours(v) {
			return outside.Variable(v)
		}
	}
	return ""
}

// fieldAt returns a field of a struct, or of one that a pointer leads to.
func fieldAt(t types.Type, i int) *types.Var {
	if s, ok := ssautil.Pointee(t).Underlying().(*types.Struct); ok {
		return s.Field(i)
	}
	return nil
}

func (g *gatherer) ours(v *types.Var) bool {
	return v != nil && v.Pkg() != nil && g.inScope(v.Pkg().Path())
}

// param returns the node of a declared function's parameter.
func (g *gatherer) param(v *ssa.Parameter) outside.Name {
	fn := v.Parent()
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return ""
	}
	return outside.Param(g.name(obj), slices.Index(fn.Params, v))
}

// returned returns the nodes of a call's result i, which is v. Code outside the module can have
// made it of the functions that it is given.
func (g *gatherer) returned(v ssa.Value, call *ssa.Call, i, hops int) []outside.Name {
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || call.Call.IsInvoke() {
		return anyOf(v)
	}
	if fn.Pkg() != nil && g.inScope(fn.Pkg().Path()) {
		return []outside.Name{outside.Result(g.name(fn), i)}
	}
	out := []outside.Name{outside.Elsewhere}
	for _, arg := range args {
		if _, ok := arg.Type().Underlying().(*types.Signature); ok {
			out = append(out, g.values(arg, hops-1)...)
		}
	}
	return out
}

// flows notes where the function values of an instruction go.
func (g *gatherer) flows(from outside.Name, instr ssa.Instruction, fn *ssa.Function) {
	switch instr := instr.(type) {
	case *ssa.Store:
		g.stored(instr)
	case *ssa.Return:
		for i, v := range instr.Results {
			if obj, ok := fn.Object().(*types.Func); ok {
				g.put(outside.Result(g.name(obj), i), v)
			} else {
				g.put(outside.Result(from, i), v)
				g.escapes(v)
			}
		}
	case ssa.CallInstruction:
		g.calls(from, instr)
	case *ssa.MakeInterface:
		g.escapes(instr.X)
		g.handsOut(instr.X)
	case *ssa.Send, *ssa.MapUpdate, *ssa.Select:
		for _, op := range instr.Operands(nil) {
			g.escapes(*op)
		}
	}
}

func (g *gatherer) stored(st *ssa.Store) {
	if node := g.held(st.Addr); node != "" {
		g.put(node, st.Val)
		return
	}
	if f, ok := st.Addr.(*ssa.FieldAddr); ok && model.CallerOf(ssautil.Pointee(f.X.Type())) == model.MainCaller {
		if g.action(st.Val) {
			return
		}
	}
	cell, ok := st.Addr.(*ssa.Alloc)
	if !ok || ssautil.SoleStore(cell) == nil {
		g.escapes(st.Val)
	}
	switch st.Addr.(type) {
	case *ssa.FieldAddr, *ssa.Global: // of code outside the module
		g.handsOut(st.Val)
	}
}

// action notes that a function becomes the action of a command, if a value is one.
func (g *gatherer) action(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Signature)
	if ok {
		g.put(outside.Actions, v)
		g.escapes(v)
	}
	return ok
}

// handsOut notes that code outside the module gets a value: a function, or what holds functions.
func (g *gatherer) handsOut(v ssa.Value) {
	if _, ok := v.Type().Underlying().(*types.Signature); ok {
		g.put(outside.Outsiders, v)
		return
	}
	t := v.Type()
	for range maxMentioned {
		switch u := t.Underlying().(type) {
		case *types.Signature:
			g.lead(outside.Outsiders, outside.Shape(u))
			return
		case interface{ Elem() types.Type }:
			t = u.Elem()
		default:
			return
		}
	}
}

// calls notes what a call runs, and where its arguments go.
func (g *gatherer) calls(from outside.Name, instr ssa.CallInstruction) {
	call := instr.Common()
	if _, apart := instr.(*ssa.Go); !apart {
		g.callLeads(from, instr)
	}
	fn, args := ssautil.Callee(call)
	if _, builtin := call.Value.(*ssa.Builtin); builtin {
		args = call.Args
	}
	for i, arg := range args {
		switch {
		case fn == nil || call.IsInvoke():
			g.escapes(arg)
			if _, own := g.own(call.Value.Type()); call.IsInvoke() && !own {
				g.handsOut(arg)
			}
		case fn.Pkg() != nil && g.inScope(fn.Pkg().Path()):
			g.put(outside.Param(g.name(fn), i), arg)
		case model.TakesAction(fn):
			g.action(arg)
		default:
			g.handsOut(arg)
			if from != "" {
				g.put(from, arg) // the library may run it
				g.put(place(from, instr), arg)
			}
		}
	}
}

// callLeads notes what a call runs. Of function values the place tells which ones, the function all that it runs.
func (g *gatherer) callLeads(from outside.Name, instr ssa.CallInstruction) {
	call := instr.Common()
	_, builtin := call.Value.(*ssa.Builtin)
	switch {
	case builtin, call.IsInvoke() && model.Foreign(call.Value, g.inScope):
	case call.IsInvoke():
		if iface, own := g.own(call.Value.Type()); own && !isParam(call.Value.Type()) {
			g.lead(from, outside.Method(iface, call.Method.Name()))
		} else {
			g.lead(from, outside.Outer(call.Method))
		}
	case call.StaticCallee() != nil:
		g.lead(from, g.nodeOfSSA(call.StaticCallee()))
	case !model.IsCancel(call.Value.Type()):
		g.put(from, call.Value)
		g.put(place(from, instr), call.Value)
	}
}

// place is the node of a call of a function value.
func place(from outside.Name, instr ssa.CallInstruction) outside.Name {
	if from == "" {
		return ""
	}
	return outside.PlaceOf(from, ssautil.PointOf(instr))
}

// put notes that a function value goes into a node, or is run by it.
func (g *gatherer) put(node outside.Name, v ssa.Value) {
	if _, ok := v.Type().Underlying().(*types.Signature); ok {
		for _, from := range g.values(v, maxHops) {
			g.lead(node, from)
		}
		if fn, ok := callee(v); ok {
			g.free(fn)
			if !g.inScope(path(fn)) && model.Awaits(fn) {
				g.rec.Waits[node] = true
			}
		}
	}
}

// escapes notes a function value that goes where it is not followed.
func (g *gatherer) escapes(v ssa.Value) {
	if v == nil {
		return
	}
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok {
		return
	}
	g.put(outside.Shape(sig), v)
}

func callee(v ssa.Value) (*types.Func, bool) {
	if made, ok := v.(*ssa.MakeClosure); ok {
		v = made.Fn
	}
	fn, ok := v.(*ssa.Function)
	if !ok {
		return nil, false
	}
	obj, ok := fn.Object().(*types.Func)
	return obj, ok
}

// free notes that a declared function can be called with anything, and its result
// go anywhere: by an interface, or by its value.
func (g *gatherer) free(fn *types.Func) {
	if fn.Pkg() == nil || !g.inScope(fn.Pkg().Path()) {
		return
	}
	first := 0
	if fn.Signature().Recv() != nil {
		first = 1
	}
	for i := range fn.Signature().Params().Len() {
		if sig, ok := fn.Signature().Params().At(i).Type().Underlying().(*types.Signature); ok {
			g.lead(outside.Param(g.name(fn), first+i), outside.Shape(sig))
		}
	}
	for i := range fn.Signature().Results().Len() {
		if sig, ok := fn.Signature().Results().At(i).Type().Underlying().(*types.Signature); ok {
			g.lead(outside.Shape(sig), outside.Result(g.name(fn), i))
		}
	}
}
