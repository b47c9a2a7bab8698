package threads

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A Theory is what is known of a package's threads.
type Theory struct {
	// Threads are all threads, Main and Callers first.
	Threads []*Thread
	// Visits are the accesses that goroutines and servers make.
	Visits []*Visit

	pkg       *infer.Package
	entry     map[*infer.Func]bool
	runs      map[*infer.Func]Set
	byAcc     map[*access.Access][]*Visit
	all       *reached                 // what the callers reach at any time
	but       map[*infer.Func]*reached // the same, but for one of the entries
	rest      map[*summary.Call]map[*access.Access][]spot
	useful    map[*infer.Func]bool
	outlines  map[*infer.Func]*outline
	seen      map[visited]bool            // that of the last walk, empty; nil while one is under way
	put       map[*types.Var][]ssa.Value  // what pointer fields are set to
	twice     map[*types.Var]bool         // those with containers two slots of which have one object; nil until it is asked
	inside    map[*types.Var]bool         // those whose objects no caller can have
	served    map[*infer.Func]*infer.Func // see services; nil until it is asked
	given     *exits                      // see OnOwn; nil until it is asked
	oneHolder map[*types.Var]bool         // see OneHolder; nil until it is asked
}

// The indices of the threads that every package has.
const (
	mainThread = iota
	callers
)

// Analyze works out the threads of a package: who runs what, to a fixpoint over
// the calls, and which accesses each goroutine makes, in its starter's terms.
// Accesses after a wait lose that mark when a goroutine that the wait is not for
// goes on. Complexity: linear in the calls, times the threads, which are bounded
// for each function; the walk of a goroutine is bounded, too.
func Analyze(pkg *infer.Package) *Theory {
	t := &Theory{
		pkg: pkg, entry: make(map[*infer.Func]bool), runs: make(map[*infer.Func]Set),
		byAcc:  make(map[*access.Access][]*Visit),
		inside: make(map[*types.Var]bool),
		but:    make(map[*infer.Func]*reached), rest: make(map[*summary.Call]map[*access.Access][]spot),
		outlines: make(map[*infer.Func]*outline),
	}
	t.Threads = []*Thread{{Kind: Main, Times: One, index: mainThread}, {Kind: Callers, Times: Many, index: callers}}
	t.entries()
	t.findUseful()
	t.spawned()
	t.run()
	t.times()
	t.forRequests()
	t.refineJoins()
	return t
}

// Package returns the package that the theory is of.
func (t *Theory) Package() *infer.Package { return t.pkg }

// Of returns the threads that may run f.
func (t *Theory) Of(f *infer.Func) Set { return t.runs[f] }

// Runs reports whether a thread runs f.
func (t *Theory) Runs(th *Thread, f *infer.Func) bool { return t.runs[f].Has(th.index) }

// Open reports whether code outside the package can reach f, by calls that do
// not start goroutines.
func (t *Theory) Open(f *infer.Func) bool { return t.runs[f].Has(callers) }

// Names writes a set with the names of its threads.
func (t *Theory) Names(s Set) []string {
	if s.any {
		return []string{"any thread"}
	}
	var out []string
	for _, id := range s.ids {
		out = append(out, t.Threads[id].String())
	}
	return out
}

// VisitsOf returns the accesses of goroutines and servers that a is.
func (t *Theory) VisitsOf(a *access.Access) []*Visit { return t.byAcc[a] }

func (t *Theory) thread(th *Thread) *Thread {
	th.index = len(t.Threads)
	t.Threads = append(t.Threads, th)
	return th
}

// run spreads the threads from where they begin over the calls.
func (t *Theory) run() {
	var work []*infer.Func
	add := func(f *infer.Func, s Set) {
		old := t.runs[f]
		if next := old.Join(s); !next.Equal(old) {
			t.runs[f] = next
			work = append(work, f)
		}
	}
	for _, f := range t.pkg.Funcs {
		if t.start(f) || f.Ctx.InitOnly {
			add(f, only(mainThread))
		}
		if t.entry[f] {
			add(f, only(callers))
		}
	}
	for _, th := range t.Threads[callers+1:] {
		if f := th.Target; f != nil {
			add(f, only(th.index))
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for i := range f.Calls {
			c := &f.Calls[i]
			if g := t.pkg.Lookup(c.Callee); g != nil && c.Kind.SameThread() {
				add(g, t.runs[f])
			}
		}
	}
	for _, f := range t.pkg.Funcs {
		if t.runs[f].any {
			f.Cut(fmt.Sprintf("more than %d threads that run it: any thread is taken to", maxSet))
		}
	}
}

// times settles how often each goroutine exists, now that it is known who
// starts it.
func (t *Theory) times() {
	for _, th := range t.Threads[callers+1:] {
		if th.Times != Many && th.Starter != nil && !th.again() && t.runs[th.Starter].Only(mainThread) && !t.startedInLoop(th.Starter) {
			th.Times = One
		}
	}
}

// findUseful marks the functions that make an access, or call one that does:
// only these are worth following.
func (t *Theory) findUseful() {
	t.useful = make(map[*infer.Func]bool)
	var work []*infer.Func
	add := func(f *infer.Func) {
		if !t.useful[f] {
			t.useful[f] = true
			work = append(work, f)
		}
	}
	for _, f := range t.pkg.Funcs {
		for i := range f.Accesses {
			if infer.Own(&f.Accesses[i]) {
				add(f)
				break
			}
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range t.pkg.CallersOf(f) {
			add(s.Caller)
		}
	}
}

// refineJoins takes the mark off accesses that come after a wait for other
// goroutines than those that change their map, or look at what they change: some of
// these live on, or the function waits for its own alone, and none of them comes to the map. The visits of those
// that keep the mark are forgotten: they meet none.
func (t *Theory) refineJoins() {
	visits := make(map[accesspath.Location][]*Visit)
	for _, v := range t.Visits {
		if v.Path.Location().Valid() && !v.Access.Joined {
			visits[v.Path.Location()] = append(visits[v.Path.Location()], v)
		}
	}
	for _, f := range t.pkg.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			if !a.Joined || len(a.Waits) == 0 {
				continue
			}
			there := visits[a.Path.Location()]
			a.Joined = !t.waitsForOthers(there, f, a) && !t.drainsOthers(there, a) && !slices.ContainsFunc(there, func(v *Visit) bool {
				return (v.Op.Writes() || a.Op.Writes()) && t.livesOn(v, f, i)
			})
		}
	}
	t.Visits = slices.DeleteFunc(t.Visits, func(v *Visit) bool { return v.Access.Joined })
	for a := range t.byAcc {
		if a.Joined {
			delete(t.byAcc, a)
		}
	}
}

// waitsForOthers reports whether f waits for groups and channels of its own before an access to what
// others see, too, and no goroutine that signals on these is among the visits: the wait says
// nothing of the map.
func (t *Theory) waitsForOthers(visits []*Visit, f *infer.Func, a *access.Access) bool {
	if !a.Path.Location().Valid() || a.Path.Root().Kind == accesspath.Value {
		return false
	}
	if slices.ContainsFunc(a.Waits, func(w accesspath.Path) bool { return !madeHere(w.Root().Val) }) || t.signalled(f.SSA, a) {
		return false
	}
	return !slices.ContainsFunc(visits, func(v *Visit) bool {
		c := v.Thread.call
		return c != nil && (c.Signals.Any || len(c.Signals.On) > 0 && (v.Thread.Starter != f || c.Signals.Has(a.Waits)))
	})
}

// drainsOthers reports whether the waits before an access are for the handlers of servers, and none of those is among the visits.
func (t *Theory) drainsOthers(visits []*Visit, a *access.Access) bool {
	return drainsOnly(a.Waits) && !slices.ContainsFunc(visits, func(v *Visit) bool { return t.endedBy(v.Thread, a.Waits) })
}

// drainsOnly reports whether waits are for nothing but the handlers of servers.
func drainsOnly(waits []accesspath.Path) bool {
	return len(waits) > 0 && !slices.ContainsFunc(waits, func(w accesspath.Path) bool {
		switch at := w.Location().Var; {
		case at != nil:
			return !model.IsServer(ssautil.Pointee(at.Type()))
		case w.Root().Val != nil:
			return !model.IsServer(ssautil.Pointee(w.Root().Val.Type()))
		}
		return true
	})
}

// signalled reports whether a literal of a function comes to the map of an access, and signals that it has: whatever
// runs it, the function waits for that.
func (t *Theory) signalled(fn *ssa.Function, a *access.Access) bool {
	return slices.ContainsFunc(fn.AnonFuncs, func(lit *ssa.Function) bool {
		f := t.pkg.Lookup(accesspath.FuncKey(lit))
		comes := f != nil && summary.Signals{On: f.Signals}.Has(a.Waits) && slices.ContainsFunc(f.Accesses, func(b access.Access) bool {
			return b.Path.Location() == a.Path.Location()
		})
		return comes || t.signalled(lit, a)
	})
}

// madeHere reports whether a function itself makes what a path begins at.
func madeHere(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeChan:
		return true
	}
	return false
}

// livesOn reports whether a goroutine can go on after the waits that precede an
// access of f, on an object that f can know.
func (t *Theory) livesOn(v *Visit, f *infer.Func, i int) bool {
	if v.Thread.call == nil || v.Thread.call.Signals.Any {
		return drainsOnly(f.Accesses[i].Waits) // servers end when they end
	}
	up := t.up(v.Thread)
	for _, fr := range up.frames {
		if fr.f == f {
			return slices.Contains(fr.call.Beside, i) && t.at(v.Path, fr) == f.Accesses[i].Path
		}
	}
	return (up.loose || up.failing) && !t.endedBy(v.Thread, f.Accesses[i].Waits) && t.Known(v)
}
