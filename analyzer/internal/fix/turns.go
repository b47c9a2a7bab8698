package fix

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// changeInTurn fixes two steps on a sync.Map for which there is no one method: a new mutex is held
// from the look to the change that rests on it, and for every other change of the package that would make such a look out of
// date. Functions that only look take no mutex.
//
// It is safe. All that happens to the map is in the package's own source: it is named there only to call
// one of its methods on it, and no other package can name it. Which changes make a look out of date is what the finding itself
// rests on (see [witness.Judge.Steps]): with the look and each of those changes under one mutex, none
// comes in between. No statement moves, and the map itself needs no lock, so
// nothing is protected less than before. Nothing else takes the mutex, and as for any new mutex each of its sections ends by
// itself, or after what may only take its time, calls no function that takes it, too, and takes no lock that may be
// held where another one begins (see holdable). So who waits for the mutex gets it.
func (m *Maker) changeInTurn(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok || !v.Concurrent() || v.Local || !f.Loc.Valid() {
		return nil, ""
	}
	entries := f.Loc.Var
	if m.stepped[entries] {
		return nil, refusal("other steps on " + entries.Name() + " get a fix of their own in this run")
	}
	switch {
	case !inSight(v):
		return nil, "the look is at the entries that a walk comes to, and the walk would have to hold the mutex"
	case spawned(v):
		return nil, refusal("a step is taken in a goroutine that " + v.Func.Name + " starts")
	}
	var all []*witness.Verdict
	for _, o := range m.in.Pairs() {
		if o.Concurrent() && !o.Local && o.Act.Path.Location() == f.Loc && inSight(o) && !spawned(o) {
			all = append(all, o)
		}
	}
	refused := m.unturned[entries] // sections that come to be beside it make it no easier
	var p *turnPlan
	if refused == "" {
		if p, refused = m.takeTurns(entries, all); p == nil {
			m.unturned[entries] = refused
		}
	}
	if p == nil {
		m.opened = nil
		p, _ = m.takeTurns(entries, connected(m.in, v, all)) // without those that nothing of it depends on
	}
	if p == nil {
		return nil, refused
	}
	m.turned[entries] = append(m.turned[entries], p)
	return p.fix, ""
}

// turnAgain gives the fix that was made for another finding on the same map, and is this one's, too.
func (m *Maker) turnAgain(f check.Finding) (*analysis.SuggestedFix, refusal) {
	v, ok := f.Of.(*witness.Verdict)
	if !ok || !f.Loc.Valid() {
		return nil, ""
	}
	for _, p := range m.turned[f.Loc.Var] {
		if slices.Contains(p.pairs, v) {
			m.opened = slices.Clone(p.opened)
			return p.fix, ""
		}
	}
	return nil, ""
}

// alone notes that a row has changed the steps on a map: a mutex for it has to wait for the next run, which sees
// what they are by then.
func alone(r row) row {
	return func(m *Maker, f check.Finding) (*analysis.SuggestedFix, refusal) {
		fix, refused := r(m, f)
		if fix != nil && f.Loc.Valid() {
			m.stepped[f.Loc.Var] = true
		}
		return fix, refused
	}
}

// inSight reports whether the look of a pair is made in its function: what the function that a walk calls
// gets was looked up by the walk.
func inSight(v *witness.Verdict) bool {
	root := v.Func.SSA.Syntax()
	return root != nil && within(root, v.Check.Pos) && within(root, v.Act.Pos)
}

// spawned reports whether a goroutine takes a step of a pair, which its starter's section does not cover.
func spawned(v *witness.Verdict) bool { return v.Check.Spawned || v.Act.Spawned }

// connected returns a pair with those of others whose acts make its look out of date, theirs included, and so on.
func connected(in *check.Input, v *witness.Verdict, all []*witness.Verdict) []*witness.Verdict {
	out := []*witness.Verdict{v}
	for i := 0; i < len(out); i++ {
		for _, s := range in.Steps(out[i]) {
			for _, o := range all {
				if o.Act.Stands() == s.Acc.Stands() && !slices.Contains(out, o) {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// A turnPlan is a new mutex for a sync.Map, with the functions that are to hold it.
type turnPlan struct {
	*mutexPlan
	entries *types.Var
	pairs   []*witness.Verdict
	order   []*infer.Func
	turns   map[*infer.Func]*turn
	fix     *analysis.SuggestedFix
	opened  []conduct.Section
}

// A turn is what one function does under the mutex. paired: what it does at one of the places rests on what it
// found at another.
type turn struct {
	at     []*access.Access
	calls  []*summary.Call // of functions that change the map for it alone
	paired bool
	held   int // of the places, those at which the mutex is held already
}

// takeTurns makes the plan for some pairs of a map.
func (m *Maker) takeTurns(entries *types.Var, pairs []*witness.Verdict) (*turnPlan, refusal) {
	home, refused := m.homeOfTurns(entries)
	if refused != "" {
		return nil, refused
	}
	p := &turnPlan{
		mutexPlan: &mutexPlan{m: m, home: home, lock: home.lock, takers: make(map[*infer.Func]bool)},
		entries:   entries, pairs: pairs, turns: make(map[*infer.Func]*turn),
	}
	if p.lock == nil {
		p.lock = m.newLock(home.name, entries)
	}
	if refused := p.gather(); refused != "" {
		return nil, refused
	}
	p.raise()
	if refused := p.scenes(); refused != "" {
		return nil, refused
	}
	edits, refused := p.declared()
	for _, s := range p.list {
		if refused != "" {
			return nil, refused
		}
		var es []analysis.TextEdit
		if es, refused = p.take(s); es == nil && refused == "" {
			refused = "no section covers the steps"
		}
		edits = append(edits, es...)
	}
	if refused != "" {
		return nil, refused
	}
	p.fix = &analysis.SuggestedFix{Message: "hold a mutex " + home.name + " from each look to the change that rests on it", TextEdits: edits}
	p.opened = slices.Clone(m.opened)
	return p, ""
}

// gather finds the looks and acts, and all that makes a look out of date.
func (p *turnPlan) gather() refusal {
	for _, v := range p.pairs {
		p.add(v.Func, v.Check)
		p.add(v.Func, v.Act)
		p.turns[v.Func].paired = true
		for _, s := range p.m.in.Steps(v) {
			switch {
			case s.Func == nil || s.Imported():
				return "another package changes the map"
			case s.Acc.Spawned:
				return refusal("a goroutine that " + s.Func.Name + " starts changes the map")
			case !s.AtStart:
				p.add(s.Func, s.Acc)
			}
		}
	}
	return ""
}

func (p *turnPlan) of(f *infer.Func) *turn {
	t := p.turns[f]
	if t == nil {
		t = &turn{}
		p.turns[f] = t
		p.order = append(p.order, f)
	}
	return t
}

func (p *turnPlan) add(f *infer.Func, a *access.Access) {
	t := p.of(f)
	if slices.ContainsFunc(t.at, func(o *access.Access) bool { return o.Pos == a.Pos }) {
		return
	}
	t.at = append(t.at, a)
	if slices.ContainsFunc(f.Effective(a), p.isLock) {
		t.held++
	}
}

// raise takes helpers out of the plan: a function that makes the change for those that look, and is known by its calls
// alone, is called under the mutex, and does not take it.
func (p *turnPlan) raise() {
	for range p.m.in.Pkg.Funcs { // each round takes one out; a ring of them could go on
		i := slices.IndexFunc(p.order, p.raisable)
		if i < 0 {
			return
		}
		g := p.order[i]
		p.order = slices.Delete(p.order, i, i+1)
		delete(p.turns, g)
		for _, c := range p.m.in.Pkg.CallersOf(g) {
			t := p.of(c.Caller)
			t.calls = append(t.calls, c.Call)
			if slices.ContainsFunc(c.Call.Held.Held(), p.isLock) {
				t.held++
			}
		}
	}
}

// raisable reports whether a function makes a change for its callers, of which one looks first, and all are known.
func (p *turnPlan) raisable(g *infer.Func) bool {
	t, known := p.turns[g], g.Obj != nil && !g.Ctx.Open() && !g.Ctx.Escaped && !g.Recursive
	if !known || t.paired || t.held > 0 || p.invoked(g) {
		return false
	}
	helps := false
	for _, c := range p.m.in.Pkg.CallersOf(g) {
		if c.Call.Kind != summary.Direct || c.Call.Registered || c.Call.Guessed {
			return false
		}
		of := p.turns[c.Caller]
		helps = helps || of != nil && of.paired && slices.ContainsFunc(of.at, func(a *access.Access) bool { return a.Lifted && a.Pos == c.Call.Pos })
	}
	return helps
}

// invoked reports whether a call by an interface may be one of a method.
func (p *turnPlan) invoked(g *infer.Func) bool {
	return slices.ContainsFunc(p.m.in.Pkg.Funcs, func(f *infer.Func) bool {
		return slices.ContainsFunc(f.Stays, func(st summary.Stay) bool {
			return st.Kind == summary.Invokes && st.Func != nil && st.Func.Name() == g.Obj.Name()
		})
	})
}

// scenes opens the functions, with the words for the mutex.
func (p *turnPlan) scenes() refusal {
	slices.SortStableFunc(p.order, func(a, b *infer.Func) int { return int(a.Pos) - int(b.Pos) })
	for _, f := range p.order {
		t := p.turns[f]
		switch {
		case t.held == len(t.at)+len(t.calls):
			p.takers[f] = true // it takes the mutex already
			continue
		case t.held > 0:
			return refusal(f.Name + " holds " + p.home.name + " at some of its steps already")
		}
		s := p.m.scene(f, p.lock)
		if s == nil {
			return unread(f)
		}
		s.vars, s.takers = []*types.Var{p.entries}, p.takers
		p.takers[f] = true
		p.list = append(p.list, s)
		if refused := p.words(s, t); refused != "" {
			return refused
		}
	}
	for _, g := range p.m.in.Pkg.Funcs {
		if slices.Contains(p.m.conduct.Takes(g), p.lock) {
			p.takers[g] = true
		}
	}
	return ""
}

// words finds the words for the mutex in a function.
func (p *turnPlan) words(s *scene, t *turn) refusal {
	for _, pos := range positions(t.points()) {
		path := s.path(pos)
		if path == nil {
			return refusal("a function literal in " + s.f.Name + " uses the map")
		}
		for _, n := range path {
			switch n.(type) {
			case *ast.DeferStmt, *ast.GoStmt:
				return refusal("a step of " + s.f.Name + " is put off by a go or defer statement")
			}
		}
	}
	for _, a := range t.at {
		if a.Lifted {
			continue
		}
		if refused := s.newName(p.home, a.Pos); refused != "" {
			return refused
		}
	}
	for _, pos := range t.lifted() {
		if refused := p.calledName(s, pos); refused != "" {
			return refused
		}
	}
	if s.base != nil {
		// Where the struct is embedded, another field may have the name.
		obj, _, _ := types.LookupFieldOrMethod(s.body.info.TypeOf(s.base), true, p.m.pass.Pkg, p.home.name)
		if v, _ := obj.(*types.Var); obj != nil && v != p.home.lock || v == nil && p.home.lock != nil {
			return "the name of the mutex means something else where " + refusal(s.f.Name) + " would use it"
		}
	}
	return s.captured()
}

// points are the places of a turn.
func (t *turn) points() (out []point) {
	for _, a := range t.at {
		out = append(out, point{a.Pos, true})
	}
	for _, c := range t.calls {
		if !slices.ContainsFunc(out, func(p point) bool { return p.pos == c.Pos }) {
			out = append(out, point{c.Pos, true})
		}
	}
	return out
}
