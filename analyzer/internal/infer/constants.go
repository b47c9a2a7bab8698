package infer

import (
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// Truth values that all calls of a function pass as constants go together: where get(k, true, true) and get(k, false, false) are
// all the calls that there are, the one parameter tells what the other is. So what a function does where create is true is done
// under the lock that it takes where write is true.

// maxTogether bounds how many functions pass on a truth value on the way from the call with the constant to what is done by it.
const maxTogether = 3

// findTogether works out, of each access that a condition on a parameter decides on, what all calls hold by which that
// condition can hold.
func (p *Package) findTogether(sites map[*Func][]site) {
	for _, f := range p.order {
		for i := range f.Accesses {
			w := f.Accesses[i].When
			if _, done := f.together[w]; done || w.Param == 0 {
				continue
			}
			if f.together == nil {
				f.together = make(map[access.When]together)
			}
			f.together[w] = together{conds: p.goTogether(f, w, sites), entry: p.entryWhere(f, w, sites)}
		}
	}
}

// together is what is known where a condition on a parameter holds: conditions on other parameters, and what all calls hold
// by which it can hold.
type together struct {
	conds []locks.Cond
	entry []locks.Held
}

// narrowed returns the state at an access of f, and what callers usually hold there, of the calls and ways alone by which control
// comes to it.
func (f *Func) narrowed(a *access.Access) (locks.State, []locks.Held) {
	known, ok := f.together[a.When]
	if !ok || a.Lifted {
		return a.Held, f.Ctx.Usual
	}
	return assumeAll(a.Held, known.conds), stronger(f.Ctx.Usual, known.entry)
}

// stronger returns the locks of both sets, each in the mode that promises more.
func stronger(usual, entry []locks.Held) []locks.Held {
	out := slices.Clone(usual)
	for i, h := range out {
		if j := slices.IndexFunc(entry, func(o locks.Held) bool { return o.Lock == h.Lock }); j >= 0 {
			out[i].Mode = max(h.Mode, entry[j].Mode)
		}
	}
	return withEntry(out, entry)
}

// assumeAll returns the state where conditions hold, but the state as it is if no way leads there.
func assumeAll(s locks.State, conds []locks.Cond) locks.State {
	out := s
	for _, c := range conds {
		out = out.Assume(c)
	}
	if out.IsTop() {
		return s
	}
	return out
}

// entryWhere returns what all calls of f hold, as far as every call promises it, by which a condition on a parameter can hold.
func (p *Package) entryWhere(f *Func, w access.When, sites map[*Func][]site) []locks.Held {
	if f.Ctx.Open() || f.Ctx.Escaped || w.Param == 0 {
		return nil
	}
	var entries [][]locks.Held
	for _, s := range sites[f] {
		conds, possible := p.passedOn(s, w, sites)
		if !possible {
			continue
		}
		call := *s.call
		call.Held = assumeAll(call.Held, conds)
		entries = append(entries, p.entryAt(f, site{s.caller, &call}, s.caller.Ctx.Entry))
	}
	return meet(p.Paths.Table, entries)
}

// passedOn returns what is known of a caller's parameters if a condition on a parameter of the callee holds; false if by the arguments
// of the call it cannot.
func (p *Package) passedOn(s site, w access.When, sites map[*Func][]site) (conds []locks.Cond, possible bool) {
	if w.Param > len(s.call.Args) {
		return nil, true
	}
	arg := s.call.Args[w.Param-1]
	switch r := arg.Root(); {
	case arg.Depth() > 0:
	case r.Kind == accesspath.Const:
		return nil, w.Allows(r.Const)
	case r.Kind == accesspath.Param && r.Fn == s.caller.Key && truthValue(s.caller, r.Index) && w.Is == "":
		w.Param = r.Index + 1
		return p.goTogether(s.caller, w, sites), true
	}
	return nil, true
}

// goTogether returns what a condition on a truth value that f gets tells of it and of f's other parameters: what all calls pass as
// constants by which it can hold.
func (p *Package) goTogether(f *Func, w access.When, sites map[*Func][]site) []locks.Cond {
	if w.Is != "" || !truthValue(f, w.Param-1) {
		return nil
	}
	out := []locks.Cond{p.truth(f, w.Param-1, w.Set)}
	if f.Ctx.Open() || f.Ctx.Escaped || len(sites[f]) == 0 {
		return out
	}
	for i := range f.SSA.Params {
		if i == w.Param-1 || !truthValue(f, i) {
			continue
		}
		no, yes := canPass(f, [2]truthArg{{w.Param - 1, w.Set}, {i, false}}, sites, 0), canPass(f, [2]truthArg{{w.Param - 1, w.Set}, {i, true}}, sites, 0)
		if no != yes {
			out = append(out, p.truth(f, i, yes))
		}
	}
	return out
}

// truthArg is a parameter, and the truth value that it gets.
type truthArg struct {
	param int
	is    bool
}

// canPass reports whether some call may pass two truth values together.
func canPass(f *Func, both [2]truthArg, sites map[*Func][]site, depth int) bool {
	if f.Ctx.Open() || f.Ctx.Escaped || depth == maxTogether {
		return true
	}
	return slices.ContainsFunc(sites[f], func(s site) bool {
		above, on := both, 0 // those that the caller has from its own callers
		for i, v := range both {
			if v.param >= len(s.call.Args) {
				return true
			}
			arg := s.call.Args[v.param]
			switch r := arg.Root(); {
			case arg.Depth() > 0:
			case r.Kind == accesspath.Const && (r.Const == "true") != v.is:
				return false
			case r.Kind == accesspath.Param && r.Fn == s.caller.Key && truthValue(s.caller, r.Index):
				above[i].param = r.Index
				on++
			}
		}
		return on < 2 || canPass(s.caller, above, sites, depth+1)
	})
}

// truthValue reports whether a parameter of f is a truth value.
func truthValue(f *Func, i int) bool {
	if f.SSA == nil || i < 0 || i >= len(f.SSA.Params) {
		return false
	}
	b, ok := f.SSA.Params[i].Type().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Bool
}

// truth returns the condition that a truth value which f gets is true, or not.
func (p *Package) truth(f *Func, i int, is bool) locks.Cond {
	return locks.Cond{Val: p.Paths.ParamOf(f.Key, i), Test: locks.True, Holds: is}
}
