package infer

import (
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// startUps marks the methods that by name and signature bring their object
// into service, the functions that are documented to run before anything else
// does, those that are there for tests alone, and those that only such functions
// call. What happens there before a goroutine is started happens before the
// object is shared. It is a guess: findings there are shown at low confidence.
func (p *Package) startUps() {
	sites := p.sites()
	for _, f := range p.Funcs {
		f.StartUp, f.Setter = f.Is(role.StartUp), f.Is(role.Setter)
		f.Before = f.Is(role.OnceBefore) && !slices.ContainsFunc(sites[f], site.starts) ||
			f.Is(role.ForTests) && !slices.ContainsFunc(sites[f], site.inProduction)
	}
	for range 4 { // helpers of helpers; deeper ones are rare
		changed := false
		for _, f := range p.Funcs {
			if f.Ctx.Root {
				continue
			}
			if f.startUp(sites[f]) {
				changed = true
			}
		}
		if !changed {
			return
		}
	}
}

// starts reports whether the call starts a goroutine: use refutes what the
// documentation says of the time.
func (s site) starts() bool { return s.call.Kind == summary.Goroutine }

// inProduction reports whether the call refutes a name that says that only tests
// call the function: its caller is none of that kind.
func (s site) inProduction() bool {
	c := s.caller
	return !c.Is(role.ForTests) && !c.Ctx.InitOnly && !strings.HasSuffix(c.SSA.Prog.Fset.Position(c.SSA.Pos()).Filename, "_test.go")
}

// startUp marks f by its callers, and reports whether that says anything new.
func (f *Func) startUp(sites []site) bool {
	startUp, before, setter := f.StartUp, f.Before, f.Setter
	f.StartUp = startUp || onlyAtStart(sites, func(c *Func) bool { return c.StartUp || c.Before })
	f.Before = before || onlyAtStart(sites, func(c *Func) bool { return c.Before })
	f.Setter = setter || onlyBySetters(sites)
	return f.StartUp != startUp || f.Before != before || f.Setter != setter
}

func onlyBySetters(sites []site) bool {
	for _, s := range sites {
		if !s.caller.Setter && !s.caller.Ctx.InitOnly || s.call.Kind != summary.Direct && s.call.Kind != summary.Deferred {
			return false
		}
	}
	return len(sites) > 0
}

// onlyAtStart reports whether all calls are by functions of the kind asked for,
// before they start goroutines.
func onlyAtStart(sites []site, start func(*Func) bool) bool {
	for _, s := range sites {
		if !start(s.caller) && !s.caller.Ctx.InitOnly {
			return false
		}
		if s.starts() || s.call.Kind == summary.Escaped || afterGo(s.caller, s.call) {
			return false
		}
	}
	return len(sites) > 0
}

// afterGo reports whether the caller has started goroutines before the call.
func afterGo(f *Func, call *summary.Call) bool {
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Kind == summary.Goroutine && f.Flow.MayPrecede(c.Point, call.Point) {
			return true
		}
	}
	return false
}

// AtStart reports whether an access of f brings its object into service: f is
// documented to run before anything else does, or it is a start-up method, the
// map belongs to what f got, and the key is not one that its caller chose; and
// f has not started a goroutine before.
func (f *Func) AtStart(a *access.Access) bool {
	if a.Spawned || !f.Before && !f.bringsUp(a) {
		return false
	}
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Kind == summary.Goroutine && f.Flow.MayPrecede(c.Point, a.Point) {
			return false
		}
	}
	return true
}

func (f *Func) bringsUp(a *access.Access) bool {
	if !f.StartUp || a.Path.Root().Kind != accesspath.Param {
		return false
	}
	k := a.Key.Root()
	return k.Kind != accesspath.Param || k.Index == 0 || a.Key.Depth() != 0 // else one entry of many, as a request asks for
}
