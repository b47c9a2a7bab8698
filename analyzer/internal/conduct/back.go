package conduct

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// foreign reports whether a method is called of a value that code outside the module made of data alone.
func (t *Theory) foreign(f *infer.Func, s *summary.Stay) bool {
	if t.pkg.Module == nil || !t.pkg.Module.Whole(t.pkg.Types.Path()) {
		return false
	}
	call := ssautil.CallAt(f.SSA, s.Pos)
	return call != nil && call.Common().IsInvoke() && model.Foreign(call.Common().Value, t.pkg.Module.Contains)
}

// passed returns the package's functions to which those come that other packages pass to a
// function as its parameters, where a call is of one of these.
func (t *Theory) passed(f *infer.Func, s *summary.Stay) (back []*infer.Func) {
	if !s.Given || f.Obj == nil || t.pkg.Module == nil {
		return nil
	}
	for i, p := range f.SSA.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); !ok {
			continue
		}
		if leads, ok := t.pkg.Module.Leads(t.pkg.Types.Path(), outside.Param(outside.NameOf(f.Obj), i)); ok {
			back = append(back, t.ledTo(leads, false)...)
		}
	}
	return back
}

// comesBack returns the package's functions to which unknown code may come, where
// the module as a whole is known.
func (t *Theory) comesBack(f *infer.Func, s *summary.Stay) (back []*infer.Func, known bool) {
	start, elsewhere, ok := t.beginning(s)
	if !ok {
		return nil, false
	}
	back, known = t.backFrom(start, elsewhere)
	if s.Kind != summary.Value || start != outside.Shape(s.Sig) {
		return back, known
	}
	if by, told := t.backBy(f, s, elsewhere); told {
		if known && !t.pkg.Module.Own(t.pkg.Types.Path()) {
			by = append(by, back...) // other modules may have their own functions called there
		}
		return by, known
	}
	return back, known
}

// backBy does the same for a call of a function value, by the functions that the module shows to be called there. Those
// of its shape are more, but for functions that are seen on all their way to the call.
func (t *Theory) backBy(f *infer.Func, s *summary.Stay, elsewhere bool) (back []*infer.Func, told bool) {
	call := ssautil.CallAt(f.SSA, s.Pos)
	if call == nil {
		return nil, false
	}
	at := outside.PlaceOf(outside.NodeOf(f.SSA), ssautil.PointOf(call))
	if !t.pkg.Module.Tells(at) {
		return nil, false
	}
	return t.backFrom(at, elsewhere)
}

func (t *Theory) backFrom(start outside.Name, elsewhere bool) (back []*infer.Func, known bool) {
	at := beginning{start, elsewhere}
	if r, ok := t.back[at]; ok {
		return r.funcs, r.known
	}
	if leads, ok := t.pkg.Module.Leads(t.pkg.Types.Path(), start); ok {
		back, known = t.ledTo(leads, elsewhere), true
	}
	if t.back == nil {
		t.back = make(map[beginning]returning)
	}
	t.back[at] = returning{back, known}
	return back, known
}

// A beginning is where unknown code begins, and whether files that were not analysed
// have to do with it; returning are the functions to which it may come.
type (
	beginning struct {
		start     outside.Name
		elsewhere bool
	}
	returning struct {
		funcs []*infer.Func
		known bool
	}
)

// ledTo returns the package's functions among what unknown code leads to.
func (t *Theory) ledTo(leads func(outside.Name) bool, elsewhere bool) (back []*infer.Func) {
	if t.nodes == nil {
		for _, g := range t.pkg.Funcs {
			t.nodes = append(t.nodes, outside.NodeOf(g.SSA))
		}
	}
	for i, g := range t.pkg.Funcs {
		mentioned := elsewhere && g.Obj != nil && g.Ctx.Root && t.pkg.Module.Mentioned(t.pkg.Types.Path(), g.Obj.Name())
		if leads(t.nodes[i]) || mentioned {
			back = append(back, g)
		}
	}
	return back
}
