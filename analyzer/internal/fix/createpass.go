package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// passable reports what speaks against holding the mutex from the look until the function
// returns. Who holds it must come to an end without those who wait for it:
//
//   - nothing that runs comes back to a function that takes it, by a call, a function value
//     that is named there, or code of others;
//   - nothing waits for another goroutine of the module, which may be one that waits for the
//     mutex: no channel, group or condition, and no code of others that may come to one. Functions
//     outside the module may be slow, but not such as wait for events;
//   - no lock that is taken there, or while that is held, may be held by who comes to one of
//     these functions.
//
// That holds for all functions that fill the map in this way, or none gets the mutex: the others
// would put entries in beside it.
func (c *creation) passable() refusal {
	all := c.m.creators(c.entries)
	if refused := c.passage(all).aside(); refused != "" {
		return refused
	}
	if refused := c.passage(all).passable(); refused != "" {
		return refused
	}
	for _, o := range all {
		if o.lock = c.lock; o.f == c.f {
			continue
		}
		if refused := o.passage(all).passable(); refused != "" {
			return refusal(o.f.Name+" puts entries in, too, and cannot take the mutex: ") + refused
		}
	}
	return ""
}

// passage finds the functions that take the mutex.
func (c *creation) passage(all []*creation) *passage {
	w := &passage{creation: c, runs: make(map[*infer.Func]bool)}
	for _, o := range all {
		w.takers = append(w.takers, taker{o.f, o.v.Check.Held})
	}
	for _, f := range c.m.in.Pkg.Funcs {
		for i := range f.Locking {
			if l := &f.Locking[i]; c.lock != nil && l.Acquire && l.Lock.Location().Var == c.lock {
				w.takers = append(w.takers, taker{f, l.Held})
			}
		}
	}
	return w
}

func (w *passage) passable() refusal {
	if refused := w.effects(); refused != "" {
		return refused
	}
	if refused := w.comesBack(); refused != "" {
		return refused
	}
	if refused := w.crossed(); refused != "" {
		return refused
	}
	return w.ordered()
}

// A passage is what runs under the mutex.
type passage struct {
	*creation
	takers []taker
	runs   map[*infer.Func]bool // the functions that run there
	extras []*infer.Func        // those that may run, since they stand or are named there
	takes  []*types.Var         // the locks that are taken there
}

// A taker is a function that takes the mutex, or is to take it in the same run, and what may
// be held there.
type taker struct {
	f    *infer.Func
	held locks.State
}

// has reports whether a place is one under the mutex: the return of the second look, or
// behind it.
func (w *passage) has(p token.Pos) bool {
	return !p.IsValid() || w.is.Body.Pos() <= p && p < w.decl.End()
}

// aside asks whether others put entries in without the mutex: what they put in between
// the second look and the Store would still be lost. Other packages that fill a map of
// this kind have mutexes of their own, and are not asked.
func (w *passage) aside() refusal {
	for _, s := range w.m.in.Place(w.v.Act.Path.Location()).Sites {
		puts := s.Acc.Op == access.Store || s.Acc.Op == access.Atomic && !strings.HasSuffix(s.Acc.Method, "AndDelete")
		if s.Func == nil || s.Exempt || s.AtStart || !puts || s.Acc.Joined {
			continue
		}
		inside := slices.ContainsFunc(w.takers, func(t taker) bool {
			root := t.f.SSA.Syntax()
			return root != nil && within(root, s.Acc.Pos)
		})
		if !inside && (s.Func.Ctx.Open() || s.Func.IsLiteral()) {
			return refusal(fmt.Sprintf("%s (line %d) puts entries in without such a look", s.Func.Name, w.m.in.Line(s.Acc.Pos)))
		}
	}
	return ""
}

// effects asks of all that runs whether it ends without other goroutines. Literals that stand there
// count as run, and functions of the package that are named there.
func (w *passage) effects() refusal {
	work := []*infer.Func{w.f}
	w.extras = w.named()
	work = append(work, w.extras...)
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		if f != w.f && w.runs[f] {
			continue
		}
		within := func(at conduct.Spot) bool { return f != w.f || at.Made != w.held() && w.has(at.Pos) }
		var back refusal
		e := w.m.conduct.Slow(f, within, w.m.besides, func(g *infer.Func, s *summary.Stay) bool {
			back = first(back, w.returning(g, s))
			return w.m.quick(g, s)
		})
		if e.Stay != nil {
			return w.waiting(e.In, e.Stay)
		}
		if back != "" {
			return back
		}
		if e.Odd {
			return "a lock that has no name of its own would be taken under the mutex"
		}
		w.takes = append(w.takes, e.Takes...)
		if f != w.f {
			w.runs[f] = true
		}
		for g := range e.Runs {
			w.runs[g] = true
		}
	}
	return ""
}

// returning says that a function of another package of the module may come back to one that
// takes the mutex.
func (w *passage) returning(g *infer.Func, s *summary.Stay) refusal {
	if s.Kind != summary.Calls || s.Func == nil || !w.m.besides(s.Func.Pkg()) {
		return ""
	}
	back, _ := w.m.conduct.Returns(s)
	for _, t := range w.takers {
		if slices.Contains(back, t.f) {
			return refusal(fmt.Sprintf("%s (line %d) may come back to %s, which takes the mutex", plainName(s.Func), w.m.in.Line(s.Pos), t.f.Name))
		}
	}
	return ""
}

// waiting words why the mutex is not held over a place.
func (w *passage) waiting(f *infer.Func, s *summary.Stay) refusal {
	at := fmt.Sprintf(" (line %d)", w.m.in.Line(s.Pos))
	const while = " while the entry is made"
	switch {
	case s.Kind == summary.Waits:
		return refusal(f.Name + " waits for another goroutine" + while + at)
	case s.Kind == summary.Value:
		return refusal("a function of which not all is known runs" + while + at + ", and may wait for another goroutine")
	case s.Func != nil:
		return refusal(plainName(s.Func) + " may wait for another goroutine" + while + at)
	}
	return "too much is done while the entry is made"
}

// named returns the package's functions that a stretch under the mutex names, and the literals in it.
// What a go statement starts does not count: nothing waits for it.
func (w *passage) named() []*infer.Func {
	var out []*infer.Func
	ast.Inspect(w.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			return false
		case *ast.FuncLit:
			for _, g := range w.m.in.Pkg.Funcs {
				if w.has(n.Pos()) && g.SSA.Syntax() == ast.Node(n) {
					out = append(out, g)
				}
			}
		case *ast.Ident:
			fn, ok := w.body.info.Uses[n].(*types.Func)
			if !ok || !w.has(n.Pos()) {
				break
			}
			if g := w.m.in.Pkg.Lookup(any(fn.Origin())); g != nil {
				out = append(out, g)
			}
		}
		return true
	})
	return out
}

// comesBack asks whether something that runs leads to a function that takes the mutex.
func (w *passage) comesBack() refusal {
	under := []*conduct.Under{w.m.conduct.From(w.f, w.has)}
	for _, f := range w.extras {
		under = append(under, w.m.conduct.From(f, func(token.Pos) bool { return true }))
	}
	for _, t := range w.takers {
		for _, u := range under {
			if o := u.Back(t.f); o != nil {
				return refusal(fmt.Sprintf("code of others runs while the entry is made (line %d), which may call %s", w.m.in.Line(o.Pos), t.f.Name))
			}
			if u.Enters(t.f) || w.runs[t.f] || slices.Contains(w.extras, t.f) {
				return refusal(t.f.Name + " would be called under the mutex that it takes")
			}
		}
		for _, g := range w.m.in.Pkg.Funcs {
			if w.runs[g] && w.names(g, t.f) {
				return refusal(g.Name + ", which names " + t.f.Name + ", runs while the entry is made")
			}
		}
	}
	for _, l := range w.m.conduct.Locks() {
		if slices.ContainsFunc(under, func(u *conduct.Under) bool { return u.Takes[l] }) {
			w.takes = append(w.takes, l)
		}
	}
	return ""
}

// names reports whether a function names another one, which it may give to others.
func (w *passage) names(g, other *infer.Func) bool {
	root := g.SSA.Syntax()
	return root != nil && other.Obj != nil && w.body.mentions(root, func(id *ast.Ident) bool { return w.body.info.Uses[id] == types.Object(other.Obj) })
}

// crossed asks whether the function comes to others that get a mutex for another map in the same
// run, or have it, and those who share that one come back to those who share this one.
func (w *passage) crossed() refusal {
	var others []*creation
	for _, v := range w.m.in.Pairs() {
		if o, _ := w.m.creation(v); o != nil && o.entries != w.entries {
			o.house() // for the mutex that is there already
			others = append(others, o)
		}
	}
	reached := make(map[*types.Var]bool)
	var work []*types.Var
	reach := func(runs func(*infer.Func) bool, takes func(*types.Var) bool) {
		for _, o := range others {
			if (runs(o.f) || o.lock != nil && takes(o.lock)) && !reached[o.entries] {
				reached[o.entries] = true
				work = append(work, o.entries)
			}
		}
	}
	reach(func(f *infer.Func) bool { return w.runs[f] }, func(l *types.Var) bool { return slices.Contains(w.takes, l) })
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		for _, o := range others {
			if o.entries != v {
				continue
			}
			u := w.m.conduct.From(o.f, func(token.Pos) bool { return true })
			back := slices.ContainsFunc(w.takers, func(t taker) bool { return u.Enters(t.f) })
			if back || w.lock != nil && u.Takes[w.lock] {
				return refusal(fmt.Sprintf("entries of %s are made meanwhile, and %s comes to those of %s", v.Name(), o.f.Name, w.entries.Name()))
			}
			reach(u.Enters, func(l *types.Var) bool { return u.Takes[l] })
		}
	}
	return ""
}

// ordered asks whether the order of locks stays free of circles: of what is taken under the
// mutex, by this function or others that take it, nothing is held where it is taken.
func (w *passage) ordered() refusal {
	t := w.m.conduct
	if w.lock != nil {
		leads := t.LeadsTo(w.lock)
		w.takes = append(w.takes, slices.DeleteFunc(slices.Clone(t.Locks()), func(l *types.Var) bool { return !leads[l] })...)
	}
	for _, l := range w.takes {
		if l == w.lock {
			return refusal(l.Name() + " would be taken twice")
		}
		for _, x := range t.Locks() {
			if x != l && !t.Leads(l, x) {
				continue
			}
			for _, g := range w.takers {
				if t.Under(x).Enters(g.f) || g.holds(x) {
					return refusal(fmt.Sprintf("%s is taken while the entry is made, and %s may run with it held", x.Name(), g.f.Name))
				}
			}
		}
	}
	return ""
}

// holds reports whether the function itself may hold a lock where it takes the mutex.
func (g taker) holds(x *types.Var) bool {
	return slices.ContainsFunc(g.held.Locks(), func(l locks.Lock) bool {
		return l.Can&locks.Taken != 0 && l.Path.Location().Var == x
	})
}

// besides reports whether a package belongs to the module that is analysed. Where nothing
// tells that module, its packages are taken to be those whose paths begin as this one's.
func (m *Maker) besides(pkg *types.Package) bool {
	if m.pass.Module != nil || pkg == nil || pkg == m.pass.Pkg {
		return m.ofModule(pkg)
	}
	return repository(pkg.Path()) == repository(m.pass.Pkg.Path())
}

// repository is the part of an import path that names a repository: three elements, or the first
// one if that is no host.
func repository(path string) string {
	parts := strings.Split(path, "/")
	if strings.Contains(parts[0], ".") {
		return strings.Join(parts[:min(3, len(parts))], "/")
	}
	return parts[0]
}
