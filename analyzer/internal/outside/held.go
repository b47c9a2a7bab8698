package outside

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// A promise is what is held whenever a function is entered, by the field or the
// variable of the lock: less than an instance, and the same in all packages. The
// order is inclusion; nil, of a function that is not known to be called yet, is its
// top.
type promise map[*types.Var]locks.Mode

// over adds to the calls what the callers of their callers hold, through any number
// of packages. With assume, other modules do not count.
func (s *solver) over(contexts map[Name]*Context, assume bool) map[Name]*Context {
	held := s.held(assume)
	out := make(map[Name]*Context, len(contexts))
	for name, ctx := range contexts {
		next := *ctx
		next.Calls = nil
		for _, c := range ctx.Calls {
			next.Calls = append(next.Calls, c.with(held[c.Caller]))
		}
		out[name] = &next
	}
	return out
}

// with returns the call with what its caller is entered with.
func (c *Call) with(entry promise) *Call {
	if c.Apart || len(entry) == 0 {
		return c
	}
	next := *c
	next.Held = slices.Clone(c.Held)
	for v, mode := range entry {
		known := func(l Lock) bool { return l.Place == v }
		if !slices.Contains(c.Drops, v) && !slices.ContainsFunc(c.Takes, known) {
			next.Held = append(next.Held, Lock{Place: v, Mode: mode})
		}
	}
	slices.SortStableFunc(next.Held[len(c.Held):], func(a, b Lock) int { return compareVar(a.Place, b.Place) })
	return &next
}

func compareVar(a, b *types.Var) int {
	path := func(v *types.Var) string {
		if v.Pkg() == nil {
			return ""
		}
		return v.Pkg().Path()
	}
	return cmp.Or(cmp.Compare(path(a), path(b)), cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Pos(), b.Pos()))
}

// held returns what each function is entered with: the greatest solution of "what
// each call promises", so that recursion takes nothing away. It ends since promises
// only shrink. Complexity: the steps, times the locks that can be lost.
func (s *solver) held(assume bool) map[Name]promise {
	out, work := make(map[Name]promise), []Name{}
	lower := func(name Name, to promise) {
		if old := out[name]; old == nil || len(to) < len(old) || !maps.Equal(old, to) {
			out[name] = to
			work = append(work, name)
		}
	}
	for name := range s.decls {
		if s.live[name] && (s.begins(name, assume) || !s.told(name)) {
			lower(name, promise{})
		}
	}
	lower("", promise{})
	for len(work) > 0 {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		for _, st := range s.steps.from[from] {
			if s.live[from] {
				lower(st.To, out[st.To].meet(st.after(out[from])))
			}
		}
	}
	return out
}

// begins reports whether a function can be called by what no record shows.
func (s *solver) begins(name Name, assume bool) bool {
	opened := s.open[name] && !(assume && s.stays(name))
	return opened || s.loose[name] || s.api[name] && (!assume || s.alone[name])
}

// stays reports whether code outside could call a method only by looking for it in a value that it
// gets, though it is none for which the standard library looks, and the module calls it itself, by an
// interface of its own perhaps: that code outside does, too, is an assumption.
func (s *solver) stays(name Name) bool {
	live := func(from Name) bool { return from != name && s.live[from] }
	used := func(called Name) bool { return slices.ContainsFunc(s.referrers[called], live) }
	if !s.barely[name] || s.mentioned[name] || s.decls[name].Sought && !s.decls[name].Inward {
		return false
	}
	return used(name) || slices.ContainsFunc(s.calledBy[name], used)
}

// meet returns what both promise.
func (p promise) meet(q promise) promise {
	if p == nil {
		return q
	}
	out := make(promise)
	for v, mode := range p {
		if m, ok := q[v]; ok {
			out[v] = min(mode, m)
		}
	}
	return out
}

// after returns what is held at a call, where its caller is entered with p.
func (st *Passage) after(p promise) promise {
	out := make(promise)
	if !st.Apart {
		for v, mode := range p {
			if !slices.Contains(st.Drops, v) {
				out[v] = mode
			}
		}
	}
	for _, l := range st.Takes {
		out[l.Place] = max(out[l.Place], l.Mode)
	}
	return out
}

// stepIndex has the steps by where they start, and the pairs that they join.
type stepIndex struct {
	from  map[Name][]*Step
	joins map[Ref]bool
}

// join gathers the calls, those by interfaces as calls of each method that they can
// mean.
func (s *solver) join() {
	x := &stepIndex{from: make(map[Name][]*Step), joins: make(map[Ref]bool)}
	add := func(st *Step) {
		x.from[st.From] = append(x.from[st.From], st)
		x.joins[Ref{From: st.From, To: st.To}] = true
	}
	for _, r := range s.records {
		for i := range r.Steps {
			add(&r.Steps[i])
		}
	}
	for callee, calls := range s.calls { // with the ways
		for _, c := range calls {
			add(&Step{From: c.Caller, To: callee, Passage: c.Passage})
		}
	}
	s.steps = x
}

// told reports whether all references to a function that run are calls that are
// known.
func (s *solver) told(name Name) bool {
	some := false
	for _, from := range s.referrers[name] {
		if !s.live[from] {
			continue
		}
		if !s.steps.joins[Ref{From: from, To: name}] {
			return false
		}
		some = true
	}
	return some || s.meant[name]
}
