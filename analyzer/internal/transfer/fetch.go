package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// noteLoad notes the locks that are held where an instruction gives a map: it
// reads a field or variable, or calls an accessor.
func (a *analysis) noteLoad(s locks.State, instr ssa.Instruction) {
	switch v := instr.(type) {
	case *ssa.UnOp:
		if ssautil.IsMap(v.Type()) {
			a.loads[v] = s
		}
	case *ssa.Call:
		if ssautil.IsMap(v.Type()) && a.effects[v] != nil {
			a.loads[v] = s
		}
	}
}

// fetched returns the locks that were held where the map value v was read
// from its field or variable, in an accessor too; false if that is not known.
func (a *analysis) fetched(v ssa.Value) (locks.State, bool) {
	switch v := v.(type) {
	case *ssa.UnOp:
		s, ok := a.loads[v]
		return s, ok
	case *ssa.ChangeType:
		return a.fetched(v.X)
	case *ssa.Call:
		return a.fetchedBy(v)
	}
	return locks.State{}, false
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
// that it returns: those of its callers, and those that it took on every path.
func (a *analysis) fetchedBy(call *ssa.Call) (locks.State, bool) {
	var lattice locks.Lattice
	at, noted := a.loads[call]
	e := a.effects[call]
	if !noted || e == nil || len(e.targets) == 0 {
		return locks.State{}, false
	}
	p, all := a.Paths.Of(call), lattice.Ident()
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
		if !gives && len(t.sum.Results) == 1 && a.substitute(t.sum.Results[0].Path, *t, call) == p {
			r := &t.sum.Results[0]
			if r.Fetch.IsTop() {
				return locks.State{}, false
			}
			give(r.Fetch)
		}
	}
	return all, !all.IsTop()
}
