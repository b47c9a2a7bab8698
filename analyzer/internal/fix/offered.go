package fix

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// offeredByHand says how the steps come under a lock that only another package can name: by a method there that makes a look and an
// act like these in one section, or by a new one where the type that has the lock offers none.
func (m *Maker) offeredByHand(f check.Finding, lock *types.Var) string {
	v, ok := f.Of.(*witness.Verdict)
	pair := ok && f.Loc.Valid() && (v.Act.Op == access.Insert || v.Act.Op == access.Delete)
	if owner := ownerOf(lock); pair && owner != nil && !m.offers(owner, f.Loc.Var, v) {
		name := owner.Obj().Name()
		return check.Fit("add a method to "+name+" that does both under "+lock.Name(), "add a method to "+name+" that does both", "add a method that does both")
	}
	return check.Fit("go through what its package offers under "+lock.Name(), "go through what its package offers")
}

// ownerOf returns the exported type of the lock's package that has a lock as a field; nil if there is none.
func ownerOf(lock *types.Var) *types.Named {
	scope := lock.Pkg().Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() || tn.IsAlias() {
			continue
		}
		named, ok := tn.Type().(*types.Named)
		if st, isStruct := tn.Type().Underlying().(*types.Struct); ok && isStruct && slices.Contains(slices.Collect(st.Fields()), lock) {
			return named
		}
	}
	return nil
}

// offers reports whether an exported method of a type makes an act as that of a pair on a map that is a field, in one section with
// a look at it. One that only puts an entry in where there is none makes no new value of an old one.
func (m *Maker) offers(owner *types.Named, field *types.Var, v *witness.Verdict) bool {
	updates := v.Pair.Has(depend.Data | depend.Content)
	for fn := range owner.Methods() {
		var fact summary.Fact
		if !fn.Exported() || !m.pass.ImportObjectFact(fn, &fact) {
			continue
		}
		for i := range fact.Accesses {
			a := &fact.Accesses[i]
			fills := a.Op == access.Insert && a.Filled
			alike := a.Op == v.Act.Op && !(updates && fills)
			if alike && of(a, field) && (a.Validated || lookedUpWith(&fact, a)) {
				return true
			}
		}
	}
	return false
}

// of reports whether an access is one of the map in a field.
func of(a *summary.AccessFact, field *types.Var) bool {
	n := len(a.Path.Steps)
	return n > 0 && a.Path.Steps[n-1].Field == field.Name()
}

// lookedUpWith reports whether a method looks at the map of an act in the act's own section, as one does that takes an entry out.
func lookedUpWith(fact *summary.Fact, act *summary.AccessFact) bool {
	return slices.ContainsFunc(fact.Accesses, func(a summary.AccessFact) bool {
		return a.Op == access.Lookup && a.Path.String() == act.Path.String() && summary.SameSection(a.Held, act.Held)
	})
}
