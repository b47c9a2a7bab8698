package conduct

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Slow returns what a part of a function does, callees included, where the code of others
// may take its time: the effect's Stay is the first place at which another goroutine of the
// module may be waited for, or code runs of which that is not known. inModule tells which
// packages belong to the module; quick, which may be nil, accepts calls of which the caller
// knows more.
func (t *Theory) Slow(f *infer.Func, within func(at Spot) bool, inModule func(*types.Package) bool, quick func(*infer.Func, *summary.Stay) bool) Effect {
	return t.Of(f, within, func(g *infer.Func, s *summary.Stay) bool {
		return !s.Awaits() && (quick != nil && quick(g, s) || !t.LeadsToWait(s, inModule))
	})
}

// LeadsToWait reports whether unknown code, or a function of another package, may come to
// code of the module that waits for another goroutine. Of functions outside the module that
// is not asked: they come to what they get, which the steps of the package show.
func (t *Theory) LeadsToWait(s *summary.Stay, inModule func(*types.Package) bool) bool {
	if s.Kind == summary.Waits || s.Kind == summary.Calls && !inModule(s.Func.Pkg()) {
		return false // what is run once is a callee
	}
	start, _, ok := t.beginning(s)
	if !ok {
		return s.Kind != summary.Invokes || !fixed(s.Func) || len(t.implementing(s)) > 0
	}
	where, known := t.pkg.Module.Waits(t.pkg.Types.Path(), start)
	return !known || where != ""
}

// Returns returns the functions of the package to which a call of a function of another
// package of the module may come back; not known where the module is not.
func (t *Theory) Returns(s *summary.Stay) (back []*infer.Func, known bool) {
	start, elsewhere, ok := t.beginning(s)
	if !ok {
		return nil, false
	}
	if _, known := t.pkg.Module.Waits(t.pkg.Types.Path(), start); !known {
		return nil, false
	}
	leads, known := t.pkg.Module.Leads(t.pkg.Types.Path(), start)
	if !known {
		return nil, true // a function that leads nowhere
	}
	return t.ledTo(leads, elsewhere), true
}

// beginning returns the node at which the code of a place begins, and whether files that
// were not analysed have to do with it; not ok where the module is not known as a whole.
func (t *Theory) beginning(s *summary.Stay) (start outside.Name, elsewhere, ok bool) {
	module, path := t.pkg.Module, t.pkg.Types.Path()
	if module == nil || s.Kind == summary.Value && s.Sig == nil {
		return "", false, false
	}
	elsewhere = true // a file of another build may have to do with it
	switch {
	case s.Kind == summary.Calls:
		return outside.NameOf(s.Func), false, true
	case s.Kind == summary.Invokes:
		return module.Invoked(s.Type, s.Func), module.Mentioned(path, s.Func.Name()), true
	case s.Field != nil && module.Has(s.Field.Pkg()):
		start = outside.Variable(s.Field)
	case s.Made != nil && module.Has(s.Made.Pkg()):
		start = outside.Result(outside.NameOf(s.Made), 0)
	default:
		start = outside.Shape(s.Sig)
	}
	return start, elsewhere, true
}
