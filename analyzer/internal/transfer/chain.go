package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// maxChains bounds the calls of parameters whose dependences are noted.
const maxChains = 8

// maxPutArgs bounds the arguments of such a call that may be what it stores.
const maxPutArgs = 4

// chains notes which calls of function-typed parameters depend on which others.
func (a *analysis) chains() {
	var calls []*ssa.Call
	var params []accesspath.Path
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if !ok || !ssautil.CallsValue(&c.Call) {
				continue
			}
			if ps := a.params(c.Call.Value); len(ps) == 1 {
				calls, params = append(calls, c), append(params, ps[0])
			}
		}
	}
	if len(calls) > maxChains {
		a.cut("calls of parameters that depend on others", maxChains)
		return
	}
	for i, look := range calls {
		for j, act := range calls {
			if i != j && params[i] != params[j] {
				a.chain(look, act, params[i], params[j])
			}
		}
	}
}

// chain notes how one call of a parameter depends on another.
func (a *analysis) chain(look, act *ssa.Call, from, to accesspath.Path) {
	l := &depend.Look{Instr: look, Op: access.Lookup, Senses: make(map[ssa.Value]depend.Sense)}
	for _, v := range a.resultValues(look) {
		if v == nil {
			continue
		}
		l.Outcomes = append(l.Outcomes, v)
		l.Senses[v] = summary.Assumed(ssautil.IsError(v.Type()))
		if ssautil.IsBool(v.Type()) || ssautil.IsError(v.Type()) {
			l.Presence = append(l.Presence, v)
		}
	}
	args := act.Call.Args
	as := func(op access.Op, value ssa.Value) (depend.Dependence, bool) {
		x := &depend.Act{Instr: act, Op: op, Value: value, Inputs: args, Lifted: true, Results: a.resultValues(act)}
		return a.dep.Between(l, x)
	}
	drop, ok := as(access.Delete, nil)
	if !ok || len(l.Outcomes) == 0 {
		return
	}
	c := summary.Chain{Look: from, Act: to, Drop: drop}
	put, _ := as(access.Insert, nil)
	c.Puts = append(c.Puts, summary.Put{Dependence: put, Stored: access.StoredShared})
	for _, arg := range args[:min(len(args), maxPutArgs)] {
		put, _ := as(access.Insert, arg)
		c.Puts = append(c.Puts, summary.Put{Dependence: put, Stored: a.dep.Stored(arg)})
	}
	a.sum.Chains = append(a.sum.Chains, c)
}

// A run is an access of a function that a call runs for its callee.
type run struct {
	event int
	// slot is one more than the argument that the function is.
	slot int32
	// index is the access in its summary.
	index int
	of    *target
}

// linkChains links what the functions that a call is given find and change, as
// the callee says that one depends on the other.
func (a *analysis) linkChains(e *effect, runs []run) {
	for i := range e.targets {
		t := &e.targets[i]
		if t.slot != 0 || t.sum == nil {
			continue
		}
		for k := range t.sum.Chains {
			c := &t.sum.Chains[k]
			for _, look := range runs {
				for _, act := range runs {
					if c.Look == a.Paths.ParamOf(t.key, int(look.slot)-1) && c.Act == a.Paths.ParamOf(t.key, int(act.slot)-1) {
						a.chained(c, look, act)
					}
				}
			}
		}
	}
}

// chained is a pair of a look and an act that a chain links.
func (a *analysis) chained(c *summary.Chain, look, act run) {
	l, x := &a.events[look.event].acc, &a.events[act.event].acc
	if !l.Op.Checks() || !x.Op.Writes() || l.Path != x.Path {
		return
	}
	decides := func(r summary.Result) bool { return slices.Contains(r.Checks, look.index) }
	if !slices.ContainsFunc(look.of.sum.Results, decides) {
		return
	}
	p := summary.Pair{Check: look.event, Act: act.event, Dependence: c.Drop}
	if !x.Op.Deletes() {
		put := c.Put(act.storedArg())
		p.Dependence = put.Dependence
		if act.storedArg() >= 0 {
			x.Stored = put.Stored
		}
	}
	p.Polarity = look.polarity(l, p.Polarity)
	if l.ContentUsed {
		p.Traits |= depend.Content
	}
	a.chainPairs = append(a.chainPairs, p)
}

// storedArg is the argument of the run that its act stores, -1 for none.
func (r run) storedArg() int {
	v := r.of.sum.Accesses[r.index].Value
	if root := v.Root(); v.Depth() == 0 && root.Kind == accesspath.Param && root.Fn == r.of.key {
		return max(root.Index-len(r.of.args), -1)
	}
	return -1
}

// polarity is what the look found on the act's path, given what that is if its
// results tell presence as is assumed.
func (r run) polarity(l *access.Access, assumed depend.Polarity) depend.Polarity {
	switch {
	case l.Op == access.Len:
		return depend.Count
	case assumed == depend.Any:
		return depend.Any
	case assumed == depend.Value || l.ContentUsed:
		return depend.Value
	}
	as, opposite := true, true
	sig := r.of.results()
	for j := range r.of.sum.Results {
		res := &r.of.sum.Results[j]
		k := slices.Index(res.Checks, r.index)
		if k < 0 || sig == nil || j >= sig.Len() {
			continue
		}
		want := summary.Assumed(ssautil.IsError(sig.At(j).Type()))
		as = as && res.Sense(k) == want
		opposite = opposite && res.Sense(k) == want.Not()
	}
	switch {
	case as:
		return assumed
	case opposite && assumed == depend.Absent:
		return depend.Present
	case opposite && assumed == depend.Present:
		return depend.Absent
	}
	return depend.Any
}
