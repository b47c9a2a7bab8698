package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// noteLoad notes the locks that are held where an instruction gives a map: it
// reads a field or variable, calls an accessor, has a literal run that leaves one in a
// variable, or looks up one of those that stay as they were put in.
func (a *analysis) noteLoad(s locks.State, instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.UnOp:
		if ssautil.IsMap(v.Type()) {
			a.loads[v] = s
		}
	case *ssa.Lookup:
		if givesMap(v) && a.Changes.KeepsEntries(v.X) {
			a.loads[v] = s
		}
	case *ssa.Call:
		e := a.effects[v]
		if e == nil {
			return
		}
		if givesMap(v) {
			a.loads[v] = s
		}
		for i := range e.targets {
			if t := &e.targets[i]; t.sum != nil && len(t.sum.Fetches) > 0 {
				a.loadedIn[t.key] = append(a.loadedIn[t.key], litRun{e, t, t.enter(s)})
			}
		}
	case *ssa.Store:
		cell, captured := v.Addr.(*ssa.FreeVar)
		if under, known := a.fetched(v.Val); captured && known && ssautil.IsMap(v.Val.Type()) {
			if a.sum.Fetches == nil {
				a.sum.Fetches = make(map[int]locks.State)
			}
			a.sum.Fetches[slices.Index(a.fn.FreeVars, cell)] = under
		}
	}
}

// givesMap reports whether a map is among what a call gives, or a lookup.
func givesMap(v ssa.Value) bool {
	results, several := v.Type().(*types.Tuple)
	if !several {
		return ssautil.IsMap(v.Type())
	}
	for v := range results.Variables() {
		if ssautil.IsMap(v.Type()) {
			return true
		}
	}
	return false
}

// A litRun is a run of a literal in a call, and the locks that are held where it starts.
type litRun struct {
	e  *effect
	t  *target
	at locks.State
}

// fetched returns the locks that were held where the map value v was read
// from its field or variable, in an accessor too; false if that is not known. Where it is one of several, the
// locks are those that were held at each.
func (a *analysis) fetched(v ssa.Value) (locks.State, bool) {
	var lattice locks.Lattice
	all := lattice.Ident()
	ways := []ssa.Value{v}
	for i := 0; i < len(ways); i++ {
		if from := a.comesFrom(ways[i]); len(from) > 0 {
			for _, one := range from {
				if !slices.Contains(ways, one) {
					ways = append(ways, one)
				}
			}
			continue
		}
		if ssautil.IsNil(ways[i]) {
			continue // there is nothing to look at
		}
		under, known := a.fetchedOne(ways[i])
		if !known {
			return locks.State{}, false
		}
		all = lattice.Merge(all, under)
	}
	return all, !all.IsTop()
}

// comesFrom returns the values of which v is one: those that come together in it, or the one that the function has put in
// the variable that it is read from.
func (a *analysis) comesFrom(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Edges
	case *ssa.UnOp:
		if cell, local := v.X.(*ssa.Alloc); local {
			if only := ssautil.SoleStore(cell); only != nil && only.Parent() == a.fn {
				return []ssa.Value{only}
			}
		}
	}
	return nil
}

// fetchedOne is fetched for a value that is not one of several.
func (a *analysis) fetchedOne(v ssa.Value) (locks.State, bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		if cell, ok := v.X.(*ssa.Alloc); ok {
			if only, ok := ssautil.SoleStore(cell).(ssa.Instruction); ok && only.Parent() != a.fn {
				return a.left(cell, only.Parent())
			}
		}
		s, ok := a.loads[v]
		return s, ok
	case *ssa.Lookup:
		s, ok := a.loads[v]
		return s, ok
	case *ssa.ChangeType:
		return a.fetched(v.X)
	case *ssa.Call:
		return a.fetchedBy(v, 0, v)
	case *ssa.Extract:
		switch from := v.Tuple.(type) {
		case *ssa.Call:
			return a.fetchedBy(from, v.Index, v)
		case *ssa.Lookup:
			return a.fetchedOne(from)
		}
	}
	return locks.State{}, false
}

// left is fetched for the one map that is ever stored in a local variable, by a literal that a
// call has run.
func (a *analysis) left(cell *ssa.Alloc, lit *ssa.Function) (locks.State, bool) {
	var lattice locks.Lattice
	all := lattice.Ident()
	for _, run := range a.loadedIn[accesspath.FuncKey(lit)] {
		under, known := run.t.sum.Fetches[capturedAs(cell, lit)]
		if !known {
			return locks.State{}, false
		}
		all = lattice.Merge(all, run.at.Then(under.Map(a.inTerms(run.e, run.t, false))))
	}
	return all, !all.IsTop()
}

// capturedAs returns as which of its free variables a literal knows a variable of the function
// around it, -1 if it does not.
func capturedAs(cell *ssa.Alloc, lit *ssa.Function) int {
	return slices.IndexFunc(lit.FreeVars, func(fv *ssa.FreeVar) bool { return ssautil.Binding(fv) == ssa.Value(cell) })
}

// carried reports whether a map is what a captured variable holds: it was read from its place where
// the variable was set.
func carried(v ssa.Value) bool {
	switch v := ssautil.Unwrap(v).(type) {
	case *ssa.FreeVar:
		return true
	case *ssa.UnOp:
		_, captured := v.X.(*ssa.FreeVar)
		return captured && v.Op == token.MUL
	}
	return false
}

// fetchedBy returns the locks that were held where an accessor read the map
// that it returns as one of its results: those of its callers, and those that it took on every path.
func (a *analysis) fetchedBy(call *ssa.Call, result int, v ssa.Value) (locks.State, bool) {
	var lattice locks.Lattice
	at, noted := a.loads[call]
	e := a.effects[call]
	if !noted || e == nil || len(e.targets) == 0 {
		return locks.State{}, false
	}
	p, all := a.Paths.Of(v), lattice.Ident()
	for i := range e.targets {
		t := &e.targets[i]
		if t.sum == nil {
			return locks.State{}, false
		}
		gives := false
		give := func(under locks.State) {
			gives, all = true, lattice.Merge(all, at.Then(under.Map(a.inTerms(e, t, false))))
		}
		for k := range t.sum.Accesses {
			r := &t.sum.Accesses[k]
			if r.Op != access.Return || a.substitute(r.Path, *t, call) != p {
				continue
			}
			if !r.Fetched {
				return locks.State{}, false
			}
			give(r.Fetch)
		}
		if !gives && result < len(t.sum.Results) && a.substitute(t.sum.Results[result].Path, *t, call) == p {
			r := &t.sum.Results[result]
			if r.Fetch.IsTop() {
				return locks.State{}, false
			}
			give(r.Fetch)
		}
	}
	return all, !all.IsTop()
}
