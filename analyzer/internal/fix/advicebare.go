package fix

import (
	"fmt"
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// pairWithoutLock says how a look and an act become one step on a map that has no lock. The new one is free wherever it is taken; but
// what runs under it must not take it again, as all that uses the map will.
func (m *Maker) pairWithoutLock(f check.Finding, v *witness.Verdict) string {
	look, act := m.in.Line(m.in.Named(v.Check)), m.in.Line(m.in.Named(v.Act))
	h := m.underNew(f, v, func(*infer.Site) bool { return true })
	switch {
	case h.out != "":
		return check.Fit(fmt.Sprintf("give the map a lock; look again and change in one section of it, %s", h.without(v.Act)),
			"give the map a lock; look again and change in one section of it")
	case look == act:
		return fmt.Sprintf("give the map a lock, and hold it over look and act (line %d), and at each other access", act)
	}
	return fmt.Sprintf("give the map a lock, and hold it from line %d to line %d, and at each other access", look, act)
}

// underNew opens a section of a new lock over a pair, which others take at the sites that suits accepts.
func (m *Maker) underNew(f check.Finding, v *witness.Verdict, suits func(*infer.Site) bool) hand {
	if !f.Loc.Valid() {
		return hand{out: all}
	}
	s := m.scene(f.Func, types.NewVar(f.Pos, m.pass.Pkg, "mu", types.Typ[types.Invalid]))
	if s == nil {
		return hand{out: all}
	}
	s.vars, s.takers = []*types.Var{f.Loc.Var}, make(map[*infer.Func]bool)
	pl := m.in.Place(f.Loc)
	for i := range pl.Sites {
		if site := &pl.Sites[i]; !site.Exempt && suits(site) && site.Func != f.Func {
			s.takers[site.Func] = true
		}
	}
	return m.hand(f.Func, s, stepsOf(v), nil, nil)
}

// oneStepByHand says how two steps on a concurrent map become one: by the method that does both where there is one, else by a new
// mutex, which all take that make such a look out of date.
func (m *Maker) oneStepByHand(f check.Finding, v *witness.Verdict) string {
	look, act := m.in.Line(m.in.Named(v.Check)), m.in.Line(m.in.Named(v.Act))
	version := m.pass.Pkg.GoVersion()
	if src := m.source(f.Pos); src != nil {
		version = m.goVersion(src.file)
	}
	switch one := v.OneStep(version); {
	case one == "CompareAndSwap" && v.Pair.Polarity != depend.Present:
		return fmt.Sprintf("in a loop, use CompareAndSwap for an entry that is found and LoadOrStore where none is (lines %d and %d)", look, act)
	case one != "" && look == act:
		return fmt.Sprintf("use %s in place of the two steps at line %d, and go by what it returns", one, act)
	case one != "":
		return fmt.Sprintf("use %s in place of the steps at lines %d and %d, and go by what it returns", one, look, act)
	}
	h := m.underNew(f, v, func(s *infer.Site) bool { return s.Acc.Op.Writes() })
	switch {
	case h.out != "":
		return check.Fit(fmt.Sprintf("look again and change in one section of a mutex that all such changes take, %s", h.without(v.Act)),
			"look again and change in one section of a mutex that all such changes take")
	case look == act:
		return fmt.Sprintf("hold a mutex over look and act (line %d), and for each other change that the look asks for", act)
	}
	return fmt.Sprintf("hold a mutex from line %d to line %d, and for each other change that the look asks for", look, act)
}
