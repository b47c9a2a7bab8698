package summary

import (
	"fmt"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

// maxRuns bounds the runs of one function; what it does with function values
// beyond that is unknown.
const maxRuns = 32

// RanParam is the i-th parameter of what a Run runs.
func RanParam(i int) accesspath.Root {
	return accesspath.Root{Kind: accesspath.Param, Fn: Ran{}, Index: i}
}

// AddRun notes one more run. Runs of one parameter with the same fate are one:
// only what all of them promise counts.
func (f *Func) AddRun(r Run) {
	for _, fate := range r.Fate.Singles() {
		one := r
		one.Fate = fate
		f.addRun(one)
	}
}

func (f *Func) addRun(r Run) {
	for i := range f.Runs {
		old := &f.Runs[i]
		if old.Func != r.Func || old.Fate != r.Fate {
			continue
		}
		var lattice locks.Lattice
		old.Held = lattice.Merge(old.Held, r.Held)
		old.Tended = old.Tended && r.Tended
		if old.Ended != r.Ended {
			old.Ended = locks.Cond{}
		}
		old.Many = old.Many || r.Many || r.Fate == callback.Awaited && len(old.Held.Held()) == 0
		old.Turns = old.Turns || r.Turns
		old.Room = accesspath.Path{} // one way may begin while the other goes on
		old.Given = slices.DeleteFunc(slices.Clone(old.Given), func(b Binding) bool { return !slices.Contains(r.Given, b) })
		for _, c := range r.Checks {
			if !slices.Contains(old.Checks, c) {
				old.Checks = append(slices.Clone(old.Checks), c)
			}
		}
		return
	}
	if len(f.Runs) >= maxRuns {
		f.Cut(fmt.Sprintf("more than %d runs of function arguments", maxRuns))
		r = Run{Func: r.Func, Fate: callback.Kept, Held: locks.Reached()}
		if slices.ContainsFunc(f.Runs, func(o Run) bool { return o.Func == r.Func && o.Fate == r.Fate }) {
			return
		}
	}
	f.Runs = append(f.Runs, r)
}

// CrowdRuns takes back that those who call may have one goroutine alone run a function, where f runs that in another way, too.
func (f *Func) CrowdRuns() {
	for i := range f.Runs {
		r := &f.Runs[i]
		if r.Room.Known() && slices.ContainsFunc(f.Runs, func(o Run) bool { return o.Func == r.Func && o.Fate != r.Fate }) {
			r.Room = accesspath.Path{}
		}
	}
}

// Fate joins what the function does with a function-typed parameter.
func (f *Func) Fate(param accesspath.Path) callback.Fate {
	fate := callback.NotRun
	for _, r := range f.Runs {
		if r.Func == param {
			fate = fate.Join(r.Fate)
		}
	}
	return fate
}

func (r RunFact) String() string {
	s := fmt.Sprintf("runs arg %d", r.Param)
	switch {
	case r.Fate == callback.Kept, r.Fate == callback.Returned:
		s = fmt.Sprintf("%v: arg %d", r.Fate, r.Param)
	case r.Fate != callback.Now:
		s += " " + r.Fate.String()
	}
	if r.Many {
		s += ", several at once"
		if r.Room > 0 {
			s += fmt.Sprintf(" if arg %d says so", r.Room-1)
		}
	}
	if r.Turns {
		s += ", in turn"
	}
	if r.Tended {
		s += ", for one goroutine"
	}
	if r.Ended != nil {
		s += fmt.Sprintf(", ended if result%d==nil", r.Ended.Result-1)
	}
	if held := r.Held.String(); held != "" {
		s += " under " + held
	}
	return s
}

func (c *Codec) run(f *Func, r Run, index map[int]int) (RunFact, bool) {
	if r.Func.Root().Fn != f.Key {
		return RunFact{}, false
	}
	out := RunFact{Param: r.Func.Root().Index, Fate: r.Fate, Held: c.state(r.Held), Many: r.Many, Turns: r.Turns, Tended: r.Tended}
	if p := r.Room.Root(); p.Kind == accesspath.Param && p.Fn == f.Key {
		out.Room = p.Index + 1
	}
	if r.Ended.Result > 0 {
		out.Ended = &EndedFact{Result: r.Ended.Result, Test: r.Ended.Test, Holds: r.Ended.Holds}
	}
	for _, i := range r.Checks {
		if j, ok := index[i]; ok {
			out.Checks = append(out.Checks, j)
		}
	}
	for _, b := range r.Given {
		af := c.path(b.Arg)
		if b.Param.Depth() > 0 || af.Root == accesspath.Const || af.Root == 0 && b.Own != ownership.Owned {
			continue
		}
		out.Given = append(out.Given, GivenFact{Param: b.Param.Root().Index, Arg: af, Owned: b.Own == ownership.Owned})
	}
	return out, true
}

func (d *decoder) run(r RunFact) Run {
	out := Run{
		Func: d.path(PathFact{Root: accesspath.Param, Index: r.Param}),
		Fate: r.Fate, Held: d.state(r.Held), Many: r.Many, Turns: r.Turns, Tended: r.Tended, Checks: r.Checks,
	}
	if r.Room > 0 {
		out.Room = d.path(PathFact{Root: accesspath.Param, Index: r.Room - 1})
	}
	if e := r.Ended; e != nil {
		out.Ended = locks.Cond{Result: e.Result, Test: e.Test, Holds: e.Holds}
	}
	for _, g := range r.Given {
		b := Binding{Param: d.table.Root(RanParam(g.Param)), Arg: d.path(g.Arg)}
		if g.Owned {
			b.Own = ownership.Owned
		}
		out.Given = append(out.Given, b)
	}
	return out
}
