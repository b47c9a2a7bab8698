package threads

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A frame is a function on the way from a goroutine's start up to where its
// callers begin: it starts the goroutine, or calls what leaves it running.
type frame struct {
	f     *infer.Func
	call  *summary.Call // the go statement or the call; nil for a server
	below *frame
	top   bool // no caller is followed further
	// failing: the goroutine gets here only where a function on the way has
	// returned an error before it waited.
	failing bool
}

// A rise is the way up from where a goroutine starts.
type rise struct {
	frames []*frame
	// before are the functions whose part before the start is an earlier phase
	// of the object: they bring the goroutine up, and do nothing else.
	before map[*infer.Func]bool
	// all are all functions on the way.
	all map[*infer.Func]bool
	// loose: the goroutine runs on when the package's functions have returned.
	loose bool
	// failing: it does so only where one of them has failed.
	failing bool
	// ends are the last frames of each way up, and those of calls that are not followed.
	ends    []*frame
	callers *reached
}

// maxFrames bounds the way up from one goroutine.
const maxFrames = 32

// up finds the way up from where a thread starts.
func (t *Theory) up(th *Thread) *rise {
	if th.rise != nil {
		return th.rise
	}
	r := &rise{before: make(map[*infer.Func]bool), all: make(map[*infer.Func]bool)}
	th.rise = r
	first := &frame{f: th.Starter, call: th.call}
	r.frames = []*frame{first}
	if th.Kind == Server {
		r.loose, first.top = true, true
		return r
	}
	r.all[th.Starter], r.before[th.Starter] = true, true
	serves := t.goesOn(th)
	for i := 0; i < len(r.frames); i++ {
		t.climb(r, r.frames[i], serves)
	}
	return r
}

// climb adds the callers of a frame that leave the goroutine running.
func (t *Theory) climb(r *rise, fr *frame, serves bool) {
	fr.top = true
	if !fr.call.Leaves {
		return // joined before the function returns
	}
	fr.failing = fr.call.Failing || fr.below != nil && fr.below.failing
	if t.entry[fr.f] || t.start(fr.f) || t.runs[fr.f].Empty() {
		r.runsOn(fr)
	}
	for _, s := range t.pkg.CallersOf(fr.f) {
		if !s.Call.Kind.SameThread() {
			r.runsOn(fr) // its thread ends, the goroutine goes on
			r.ends = append(r.ends, fr)
			continue
		}
		if s.Call.Start == nil || !s.Call.Leaves {
			continue
		}
		if r.all[s.Caller] {
			r.ends = append(r.ends, &frame{f: s.Caller, call: s.Call, below: fr})
			continue
		}
		if len(r.frames) >= maxFrames {
			r.runsOn(fr)
			r.ends = append(r.ends, fr)
			return
		}
		fr.top = false
		r.all[s.Caller] = true
		r.before[s.Caller] = s.Call.Kind != summary.OnceOnly && (serves || s.Caller.StartUp || t.runs[s.Caller].Only(mainThread))
		r.frames = append(r.frames, &frame{f: s.Caller, call: s.Call, below: fr})
	}
	if fr.top {
		r.ends = append(r.ends, fr)
	}
}

// runsOn notes that the goroutine runs on when a frame's function has returned.
func (r *rise) runsOn(fr *frame) {
	if fr.failing {
		r.failing = true
	} else {
		r.loose = true
	}
}

// endedBy reports whether these waits end a goroutine. It may signal on a group that its starter is
// given: then each way up must come by a function that gives it one which is waited for. What those
// who call the package give it where the package itself calls the starter is left aside: they have
// objects of their own.
func (t *Theory) endedBy(th *Thread, waits []accesspath.Path) bool {
	if th.call == nil || len(waits) == 0 {
		return false
	}
	if th.call.Signals.Has(waits) {
		return true
	}
	ends := t.up(th).ends
	return len(ends) > 0 && all(ends, func(fr *frame) bool {
		for ; fr != nil; fr = fr.below {
			if fr.call != nil && fr.call.Signals.Has(waits) {
				return true
			}
		}
		return false
	})
}

// Within reports whether goroutines alone run f, and each ends before the call returns
// that starts it.
func (t *Theory) Within(f *infer.Func) bool {
	runs := t.runs[f]
	return !runs.any && !runs.Empty() && !slices.ContainsFunc(runs.ids, func(id int) bool {
		return !t.endsWithin(t.Threads[id])
	})
}

// endsWithin reports whether a thread is a goroutine that ends before the call returns which
// starts it.
func (t *Theory) endsWithin(th *Thread) bool {
	if th.Kind != Goroutine || th.cut || th.Registered {
		return false
	}
	up := t.up(th)
	return !up.loose && !up.failing
}

// WithinToo reports whether goroutines make an access that end before the call returns which
// starts each, among others.
func (t *Theory) WithinToo(a *access.Access) bool {
	return slices.ContainsFunc(t.byAcc[a], func(v *Visit) bool { return t.endsWithin(v.Thread) })
}

// at expresses a path, given in the terms of the starter, in those of a frame.
func (t *Theory) at(p accesspath.Path, fr *frame) accesspath.Path {
	if fr.below == nil {
		return p
	}
	p = t.at(p, fr.below)
	return t.pkg.Paths.Substitute(p, accesspath.Path{}, func(r accesspath.Root) (accesspath.Path, bool) {
		switch r.Kind {
		case accesspath.Global, accesspath.Const:
			return t.pkg.Paths.Root(r), true
		case accesspath.Param:
			if r.Fn == fr.below.f.Key {
				if r.Index < len(fr.call.Args) {
					return fr.call.Args[r.Index], fr.call.Args[r.Index].Known()
				}
				return accesspath.Path{}, false
			}
			return t.pkg.Paths.Root(r), inside(fr.f.SSA, r.Fn)
		case accesspath.Value:
			v, ok := r.Val.(interface{ Parent() *ssa.Function })
			return t.pkg.Paths.Root(r), ok && v.Parent() != nil && inside(fr.f.SSA, accesspath.FuncKey(v.Parent()))
		}
		return accesspath.Path{}, false
	})
}

// inside reports whether fn is the function of that key or stands in it.
func inside(fn *ssa.Function, key any) bool {
	for ; fn != nil; fn = fn.Parent() {
		if accesspath.FuncKey(fn) == key {
			return true
		}
	}
	return false
}

// Known reports whether others can know the object that a visit works on: it
// is a package-level variable, the receiver of a method that callers call, or
// an object that a function on the way up also returns or stores.
func (t *Theory) Known(v *Visit) bool {
	for _, fr := range t.up(v.Thread).frames {
		p := t.at(v.Path, fr)
		if !p.Known() {
			continue
		}
		switch r := p.Root(); r.Kind {
		case accesspath.Global:
			return true
		case accesspath.Param:
			if receiver(r) && (fr.top || t.entry[fr.f] || r.Fn != fr.f.Key) {
				return true
			}
		case accesspath.Value:
			if fr.call == nil || slices.Contains(fr.call.Kept, t.pkg.Paths.Root(r)) || fr.below != nil && !t.owned(fr.call, t.pkg.Paths.Root(r)) {
				return true
			}
		}
	}
	return false
}

func receiver(r accesspath.Root) bool {
	fn, ok := r.Fn.(*types.Func)
	return ok && r.Index == 0 && fn.Signature().Recv() != nil
}

// owned reports whether an argument of a call is an object that only the caller
// has.
func (t *Theory) owned(c *summary.Call, root accesspath.Path) bool {
	for i, arg := range c.Args {
		if i < len(c.Owned) && c.Owned[i].Own == ownership.Owned && t.pkg.Paths.Root(arg.Root()) == root {
			return true
		}
	}
	return false
}

// A spot is where an access is made: on which object, under which locks, after
// which flag was claimed, after which waits, and by which function of a list.
type spot struct {
	path  accesspath.Path
	held  []locks.Held
	claim accesspath.Path
	waits []accesspath.Path
	// pick is as in a [Visit].
	pick *infer.Func
}
