package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An agenda is a list of functions to be run later, in a variable or a field that is not exported: whatever is taken out of
// it is called, and nothing else is done with it. So what is only put there runs under what is held wherever
// the package calls what it takes out, whatever was held where it was put in.
type agenda struct {
	leaks bool
	runs  []agendaRun
}

// An agendaRun is a call of what is taken out of an agenda.
type agendaRun struct {
	by   *Func
	call *ssa.Call
}

// listed finds the literals that run under what is held where the package runs what is in a list, and reports whether
// there are some. It asks for the contexts of those who run the list.
func (p *Package) listed(sites map[*Func][]site) bool {
	var lists agendas
	found := false
	for _, f := range p.Funcs {
		if !f.IsLiteral() || !f.Ctx.Root || f.Ctx.Dead || !slices.ContainsFunc(sites[f], site.anywhere) {
			continue
		}
		into := p.putIn(f)
		if len(into) == 0 {
			continue
		}
		if lists == nil {
			lists = p.agendas()
		}
		if held := p.heldAtRuns(f, lists, into); len(held) > 0 {
			p.handed[f] = append(p.handed[f], held...)
			found = true
		}
	}
	return found
}

// heldAtRuns returns the locks that are held wherever what is in some lists is run, in the terms of f, which is there.
func (p *Package) heldAtRuns(f *Func, lists agendas, into []*types.Var) []locks.Held {
	var entries [][]locks.Held
	for _, v := range into {
		list := lists[v]
		if list == nil || list.leaks {
			return nil
		}
		for _, r := range list.runs {
			at, ok := heldAtValue(r.by, r.call)
			if !ok {
				return nil
			}
			call := &summary.Call{Kind: summary.Direct, Point: pointOf(r.call), Held: at}
			entries = append(entries, p.entryAt(f, site{r.by, call}, r.by.Ctx.Entry))
		}
	}
	return meet(p.Paths.Table, entries)
}

// putIn returns the lists to which the literal f is appended, if nothing else is done with it; none otherwise.
func (p *Package) putIn(f *Func) []*types.Var {
	var into []*types.Var
	for _, use := range p.usesOfFuncs()[f.SSA] {
		v, refs := ssa.Value(f.SSA), []ssa.Instruction{use}
		if made, ok := use.(*ssa.MakeClosure); ok {
			v, refs = made, *made.Referrers()
		}
		lists, ok := p.appended(v, refs, 0)
		if !ok {
			return nil
		}
		into = append(into, lists...)
	}
	return into
}

// maxListers bounds the functions that pass a function on until one appends it to a list.
const maxListers = 3

// appended returns the lists to which some uses of a function append it; false if one does something else.
func (p *Package) appended(v ssa.Value, uses []ssa.Instruction, depth int) (into []*types.Var, ok bool) {
	for _, r := range uses {
		var lists []*types.Var
		ok := false
		switch r := r.(type) {
		case *ssa.DebugRef:
			ok = true
		case *ssa.ChangeType:
			lists, ok = p.appended(r, *r.Referrers(), depth)
		case *ssa.Store:
			if slot, is := r.Addr.(*ssa.IndexAddr); is && r.Val == v {
				lists, ok = listOf(slot.X)
			}
		case *ssa.Call:
			if depth < maxListers {
				lists, ok = p.appendedBy(r, v, depth+1)
			}
		}
		if !ok {
			return nil, false
		}
		into = append(into, lists...)
	}
	return into, true
}

// appendedBy is appended for the function of the package that a call passes v to.
func (p *Package) appendedBy(call *ssa.Call, v ssa.Value, depth int) (into []*types.Var, ok bool) {
	fn := p.calledHere(call)
	if fn == nil || call.Call.Value == v {
		return nil, false
	}
	for i, arg := range call.Call.Args {
		if arg != v {
			continue
		}
		param := fn.SSA.Params[i]
		lists, ok := p.appended(param, *param.Referrers(), depth)
		if !ok {
			return nil, false
		}
		into = append(into, lists...)
	}
	return into, true
}

// calledHere returns the function of the package that a call names, nil if it names none.
func (p *Package) calledHere(call *ssa.Call) *Func {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return nil
	}
	own := p.byKey[accesspath.FuncKey(fn)]
	if own == nil || len(own.SSA.Params) != len(call.Call.Args) {
		return nil
	}
	return own
}

// listOf returns the lists that get what is in an array, as the compiler makes one of what append adds, or of what
// a list has from the start: the array is for nothing else.
func listOf(array ssa.Value) (into []*types.Var, ok bool) {
	made, ok := array.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.IndexAddr:
		case *ssa.Slice:
			lists, ok := storedIn(r)
			if !ok {
				return nil, false
			}
			into = append(into, lists...)
		default:
			return nil, false
		}
	}
	return into, true
}

// storedIn returns the lists in which a slice is stored, or what append makes by adding it to another one, if nothing
// else is done with it.
func storedIn(x ssa.Value) (into []*types.Var, ok bool) {
	for _, r := range *x.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Val != x || listAt(r.Addr) == nil {
				return nil, false
			}
			into = append(into, listAt(r.Addr))
		case *ssa.Call:
			_, appends := ssautil.BuiltinCall(r, "append")
			lists, ok := storedIn(r)
			if !ok || !appends {
				return nil, false
			}
			into = append(into, lists...)
		default:
			return nil, false
		}
	}
	return into, true
}

// listAt returns the variable, or the field, that an address is that of, if it has a list of functions and is
// not exported; nil otherwise.
func listAt(addr ssa.Value) *types.Var {
	v, ok := globalVar(addr)
	if field, is := addr.(*ssa.FieldAddr); is {
		v, ok = fieldVar(field), true
	}
	if !ok || v.Exported() {
		return nil
	}
	list, ok := v.Type().Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	if _, fn := list.Elem().Underlying().(*types.Signature); !fn {
		return nil
	}
	return v.Origin()
}
