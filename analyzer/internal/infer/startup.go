package infer

import (
	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// startUps marks the methods that by name and signature bring their object
// into service, and those that only such methods call. What happens there
// before a goroutine is started happens before the object is shared. It is a
// guess: findings there are shown at low confidence.
func (p *Package) startUps() {
	sites := p.sites()
	for _, f := range p.Funcs {
		f.StartUp, f.Setter = f.Is(role.StartUp), f.Is(role.Setter)
	}
	for range 4 { // helpers of helpers; deeper ones are rare
		changed := false
		for _, f := range p.Funcs {
			if f.Ctx.Root {
				continue
			}
			if !f.StartUp && onlyAtStart(sites[f]) {
				f.StartUp, changed = true, true
			}
			if !f.Setter && onlyBySetters(sites[f]) {
				f.Setter, changed = true, true
			}
		}
		if !changed {
			return
		}
	}
}

func onlyBySetters(sites []site) bool {
	for _, s := range sites {
		if !s.caller.Setter && !s.caller.Ctx.InitOnly || s.call.Kind != summary.Direct && s.call.Kind != summary.Deferred {
			return false
		}
	}
	return len(sites) > 0
}

func onlyAtStart(sites []site) bool {
	for _, s := range sites {
		if !s.caller.StartUp && !s.caller.Ctx.InitOnly || s.call.Kind == summary.Goroutine || s.call.Kind == summary.Escaped || afterGo(s.caller, s.call) {
			return false
		}
	}
	return len(sites) > 0
}

// afterGo reports whether the caller has started goroutines before the call.
func afterGo(f *Func, call *summary.Call) bool {
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Kind == summary.Goroutine && c.Pos < call.Pos {
			return true
		}
	}
	return false
}

// AtStart reports whether an access of f brings its object into service: f is
// a start-up method, the map belongs to what f got, the key is not one that
// its caller chose, and f has not started a goroutine before.
func (f *Func) AtStart(a *access.Access) bool {
	if !f.StartUp || a.Path.Root().Kind != accesspath.Param || a.Spawned {
		return false
	}
	if k := a.Key.Root(); k.Kind == accesspath.Param && k.Index > 0 && a.Key.Depth() == 0 {
		return false // one entry of many, as a request asks for
	}
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Kind == summary.Goroutine && c.Pos < a.Pos {
			return false
		}
	}
	return true
}
