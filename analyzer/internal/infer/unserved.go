package infer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// maxRouterSteps bounds the values and calls through which it is followed where a router comes from.
const maxRouterSteps = 8

// awaitServers finds the handlers that are registered with a router which no server has by then: nothing calls them while the
// function goes on that registers them, unless it serves itself, or gives the router away. What else it starts runs beside them once
// a server has the router. Complexity: linear in the package, and in the calls that register, times the bound.
func (p *Package) awaitServers() {
	w := awaits{p, make(map[*Func][]ssa.Instruction)}
	for _, f := range p.Funcs {
		var known map[accesspath.Path]bool // routers
		for i := range f.Calls {
			c := &f.Calls[i]
			at := registeredWith(f, c)
			if at == nil {
				continue
			}
			if known == nil {
				if known = make(map[accesspath.Path]bool); len(w.servedIn(f)) > 0 {
					break
				}
			}
			path := p.Paths.Of(at)
			late, asked := known[path]
			if !asked || !path.Known() {
				late = w.unserved(router{of: at, steps: maxRouterSteps}) && !givesAway(f, at)
				known[path] = late
			}
			if late {
				c.Beside = nil
				c.After = slices.DeleteFunc(slices.Clone(c.After), func(j int) bool { return f.Calls[j].Start == nil })
			}
		}
	}
}

// registeredWith returns the router with which a call registers a handler, nil if it does not.
func registeredWith(f *Func, c *summary.Call) ssa.Value {
	call, ok := c.Point.Instr(f.SSA).(ssa.CallInstruction)
	if !ok || c.Start == nil || !c.Registered {
		return nil
	}
	fn, args := ssautil.Callee(call.Common())
	if fn == nil || fn.Signature().Recv() == nil || !model.IsRouter(fn.Signature().Recv().Type()) {
		return nil
	}
	return ssautil.Unwrap(ssautil.Settled(args[0]))
}

// givesAway reports whether a function gives code outside the package a router, or the object that has it, for anything but to register
// something with it: that may serve.
func givesAway(f *Func, at ssa.Value) bool {
	has := []ssa.Value{at}
	if ld, ok := at.(*ssa.UnOp); ok {
		if fld, ok := ld.X.(*ssa.FieldAddr); ok {
			has = append(has, ssautil.Unwrap(ssautil.Settled(fld.X)))
		}
	}
	is := func(v ssa.Value) bool { return slices.Contains(has, ssautil.Unwrap(ssautil.Settled(v))) }
	return ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
		if st, ok := instr.(*ssa.Store); ok {
			return is(st.Val) && !ofThisCall(st.Addr)
		}
		call, ok := instr.(ssa.CallInstruction)
		if !ok || call.Common().StaticCallee() != nil && call.Common().StaticCallee().Pkg == f.SSA.Pkg {
			return false
		}
		fn, args := ssautil.Callee(call.Common())
		if fn != nil && (model.Registers(fn) || fn.Signature().Recv() != nil && model.IsRouter(fn.Signature().Recv().Type())) {
			return false
		}
		return slices.ContainsFunc(args, is)
	})
}

// ofThisCall reports whether an address is that of a variable of the function, or of a part of what is made there.
func ofThisCall(addr ssa.Value) bool {
	if fld, ok := addr.(*ssa.FieldAddr); ok {
		addr = fld.X
	}
	_, made := addr.(*ssa.Alloc)
	return made
}

// awaits looks for routers that no server has yet.
type awaits struct {
	*Package
	served map[*Func][]ssa.Instruction // by which a function brings a server into service
}

func (w *awaits) servedIn(f *Func) []ssa.Instruction {
	at, ok := w.served[f]
	if !ok {
		at = transfer.ServedIn(f.SSA)
		w.served[f] = at
	}
	return at
}

// A router is where handlers are registered with: a value, or what fields of the object lead to to which that points.
type router struct {
	of     ssa.Value
	fields []int // the outermost first
	part   bool  // it is a part of the object, by value
	steps  int
}

func (r router) to(v ssa.Value, fields ...int) router {
	return router{of: v, fields: append(fields, r.fields...), part: r.part, steps: r.steps - 1}
}

// unserved reports whether a router is made on the way here, each time, or is what callers that are not known give a function to
// register handlers with: who has it in service registers them behind a lock of its own, or not at all.
func (w *awaits) unserved(r router) bool {
	if r.steps == 0 {
		return false
	}
	switch v := ssautil.Unwrap(ssautil.Settled(r.of)).(type) {
	case *ssa.UnOp:
		fld, ok := v.X.(*ssa.FieldAddr)
		return ok && v.Op == token.MUL && w.unserved(r.to(fld.X, fld.Field))
	case *ssa.FieldAddr:
		r.part = true
		return w.unserved(r.to(v.X))
	case *ssa.Alloc:
		return w.unservedPart(r, v)
	case *ssa.Parameter:
		return w.unservedOfCallers(r, v)
	case *ssa.Call:
		return w.unservedResult(r, v)
	}
	return false
}

// unservedPart is unserved for an object that is made here: all that is put in the field.
func (w *awaits) unservedPart(r router, made *ssa.Alloc) bool {
	if len(r.fields) == 0 {
		return true
	}
	put := false
	for _, use := range *made.Referrers() {
		fld, ok := use.(*ssa.FieldAddr)
		if !ok || fld.Field != r.fields[0] {
			continue
		}
		for _, st := range *fld.Referrers() {
			if st, ok := st.(*ssa.Store); ok && st.Addr == ssa.Value(fld) {
				if put = true; !w.unserved(router{of: st.Val, fields: r.fields[1:], part: r.part, steps: r.steps - 1}) {
					return false
				}
			}
		}
	}
	return put
}

// unservedResult is unserved for what a call gives: a router that a library makes, one that belongs to another, or the result of a
// function of the package.
func (w *awaits) unservedResult(r router, call *ssa.Call) bool {
	fn, args := ssautil.Callee(&call.Call)
	switch {
	case fn == nil:
		return false
	case fn.Pkg() != w.Types && fn.Signature().Recv() != nil:
		return len(r.fields) == 0 && model.IsRouter(fn.Signature().Recv().Type()) && w.unserved(r.to(args[0]))
	case fn.Pkg() != w.Types:
		return model.MakesRouter(fn)
	}
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 {
		return false
	}
	returns := depend.Returns(callee)
	return len(returns) > 0 && !slices.ContainsFunc(returns, func(ret *ssa.Return) bool {
		return !w.unserved(r.to(ssautil.ResultAt(ret, 0)))
	})
}

// unservedOfCallers is unserved for a parameter: what each caller in the package gives, ahead of what it serves. One who is not known
// gives the router itself to have handlers registered.
func (w *awaits) unservedOfCallers(r router, param *ssa.Parameter) bool {
	f := w.byKey[accesspath.FuncKey(param.Parent())]
	i := slices.Index(param.Parent().Params, param)
	sites := w.CallersOf(f)
	if len(sites) == 0 {
		return len(r.fields) == 0 && !r.part
	}
	return !slices.ContainsFunc(sites, func(s CallSite) bool {
		call, ok := s.Call.Point.Instr(s.Caller.SSA).(*ssa.Call)
		if !ok || call.Call.StaticCallee() != f.SSA || w.servesBefore(s.Caller, call) {
			return true
		}
		return !w.unserved(r.to(call.Call.Args[i]))
	})
}

// servesBefore reports whether a function can have brought a server into service when it comes to a call.
func (w *awaits) servesBefore(f *Func, call ssa.Instruction) bool {
	return slices.ContainsFunc(w.servedIn(f), func(s ssa.Instruction) bool { return !ssautil.Dominates(call, s) })
}
