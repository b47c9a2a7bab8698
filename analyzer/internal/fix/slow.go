package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// slow reports whether an unknown call may take long, and ends all the same, where the lock at hand
// is a new one: those that wait for it then wait for a file or a network, as they would if they
// made the call themselves, one after the other.
//
// It is a call of another module's function that is not made to wait for what may never come
// (model.Awaits). What it gets cannot lead it back to a function that is to take the lock: data, and
// objects of other modules. Nothing else takes a new lock, so that the call cannot wait for it either.
func (s *scene) slow(f *infer.Func, st *summary.Stay) bool {
	if !s.patient || st.Func == nil || s.m.ofModule(st.Func.Pkg()) || st.Awaits() {
		return false
	}
	switch st.Kind {
	case summary.Calls:
	case summary.Invokes:
		if s.m.conduct.LeadsToWait(st, s.m.ofModule) || s.m.conduct.ComesTo(f, st, func(g *infer.Func) bool { return s.takers[g] }) {
			return false
		}
	default:
		return false
	}
	call := s.m.callAt(st)
	return call != nil && !slices.ContainsFunc(call.Args, func(x ast.Expr) bool { return !s.m.leadsNowhere(s.m.pass.TypesInfo.TypeOf(x)) })
}

// callAt returns the call of a function that stands at a place.
func (m *Maker) callAt(st *summary.Stay) *ast.CallExpr {
	src := m.source(st.Pos)
	if src == nil {
		return nil
	}
	for _, n := range src.enclosing(st.Pos) {
		if call, ok := n.(*ast.CallExpr); ok && m.calleeOf(call) == st.Func {
			return call
		}
	}
	return nil
}

// leadsNowhere reports whether nothing of a type leads to code of this module: plain data, what other
// modules declare but for interfaces and functions, and containers of these.
func (m *Maker) leadsNowhere(t types.Type) bool {
	if model.Plain(t) || model.IsContext(t) || ssautil.IsError(t) {
		return true
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return !m.ofModule(n.Obj().Pkg()) && leadsBy(n.Underlying())
	}
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return m.leadsNowhere(t.Elem())
	case *types.Slice:
		return m.leadsNowhere(t.Elem())
	case *types.Array:
		return m.leadsNowhere(t.Elem())
	case *types.Map:
		return m.leadsNowhere(t.Key()) && m.leadsNowhere(t.Elem())
	}
	return false
}

// leadsBy reports whether a named type of another module holds data or an object.
func leadsBy(t types.Type) bool {
	switch t.(type) {
	case *types.Signature, *types.Chan, *types.Interface:
		return false
	}
	return true
}
