package threads

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A constructor often calls, on the object that it has just made, what a goroutine alone calls later: the thread of the
// constructor comes to the object as well, but before any other does.

// comesTo returns the threads that make accesses of f on an object which others may know by then. Those that f makes by
// itself or through others must begin at the same parameter: else they are all that run f.
func (t *Theory) comesTo(f *infer.Func, own []*access.Access) Set {
	if len(own) == 0 {
		return t.runs[f]
	}
	var out Set
	seen := make(map[seenAt]bool)
	for _, a := range own {
		r := a.Path.Root()
		whole, _ := ownership.Input(r.Index)
		if a.Spawned || r.Kind != accesspath.Param || r.Fn != f.Key || !a.Own.Given(whole) && !a.Taken.Given(whole) {
			return t.runs[f]
		}
		out = out.Join(t.sharedAt(seenAt{f, a.Path}, seen))
	}
	for _, id := range out.ids {
		if !t.oneWay(t.Threads[id]) {
			return t.runs[f]
		}
	}
	return out
}

// oneWay reports whether one way leads from the maker of an object to where a thread begins that works on it.
func (t *Theory) oneWay(th *Thread) bool {
	call, f := th.call, th.Starter
	for range maxFrames {
		if call == nil || len(call.Args) == 0 || f == nil {
			return true
		}
		if r := call.Args[0].Root(); r.Kind != accesspath.Param || r.Fn != f.Key {
			return true // it is made here, or comes from elsewhere
		}
		sites := t.pkg.CallersOf(f)
		if len(sites) != 1 || sites[0].Call.Looped {
			return len(sites) == 0
		}
		call, f = sites[0].Call, sites[0].Caller
	}
	return false
}

// A seenAt is a path that begins at a parameter of a function.
type seenAt struct {
	f    *infer.Func
	path accesspath.Path
}

// sharedAt returns the threads that run a function where others may know what lies at a path. Complexity: linear in
// the calls of at most maxTraced functions.
func (t *Theory) sharedAt(at seenAt, seen map[seenAt]bool) Set {
	if seen[at] {
		return Set{}
	}
	if seen[at] = true; len(seen) > maxTraced {
		return Set{any: true}
	}
	out := t.beginning(at.f)
	for _, s := range t.pkg.CallersOf(at.f) {
		if s.Call.Kind.SameThread() {
			out = out.Join(t.sharedBy(s, at, seen))
		}
	}
	return out
}

// beginning returns the threads that begin with a function.
func (t *Theory) beginning(f *infer.Func) (out Set) {
	if t.start(f) || f.Ctx.InitOnly {
		out = out.Join(only(mainThread))
	}
	if t.entry[f] {
		out = out.Join(only(callers))
	}
	for _, th := range t.Threads[callers+1:] {
		if th.Target == f {
			out = out.Join(only(th.index))
		}
	}
	return out
}

// sharedBy is sharedAt for one call: none where the caller alone knows the object.
func (t *Theory) sharedBy(s infer.CallSite, at seenAt, seen map[seenAt]bool) Set {
	i := at.path.Root().Index
	if i >= len(s.Call.Args) || i >= len(s.Call.Owned) || !s.Call.Args[i].Known() {
		return t.runs[s.Caller]
	}
	fate := s.Call.Owned[i]
	from, owned := fate.Own.If()
	if !owned || fate.At.Leads(at.path) || fate.Foreign.Leads(at.path) {
		return t.runs[s.Caller]
	}
	if from == 0 {
		return Set{}
	}
	arg := s.Call.Args[i]
	r := arg.Root()
	in, ok := ownership.Input(r.Index)
	if r.Kind != accesspath.Param || r.Fn != s.Caller.Key || !ok || from != in || s.Call.Kind == summary.OnceOnly {
		return t.runs[s.Caller]
	}
	up := t.pkg.Paths.Rebase(at.path, t.pkg.Paths.ParamOf(at.f.Key, i), arg)
	if !up.Known() {
		return t.runs[s.Caller]
	}
	return t.sharedAt(seenAt{s.Caller, up}, seen)
}
