package infer

import (
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// startUps marks the methods that by name and signature bring their object
// into service, and those that only such methods call. What happens there
// before a goroutine is started happens before the object is shared. It is a
// guess: findings there are shown at low confidence.
func (p *Package) startUps() {
	sites := p.sites()
	for _, f := range p.Funcs {
		f.StartUp, f.Setter = startUpMethod(f), setter(f)
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

// setterWords begin the names of functions that configure: they set one thing
// and give nothing back. A cache gives back what it has put in.
var setterWords = []string{"Set", "Add", "Define", "Configure", "Install", "Enable", "Override", "Register", "MustRegister"}

func setter(f *Func) bool {
	if f.Obj == nil || !f.Obj.Exported() || !errorOnly(f.Obj.Signature().Results()) {
		return false
	}
	for _, w := range setterWords {
		if strings.HasPrefix(f.Obj.Name(), w) {
			return true
		}
	}
	return false
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
		if c := &f.Calls[i]; c.Kind == summary.Goroutine && f.Flow.MayPrecede(c.Point, call.Point) {
			return true
		}
	}
	return false
}

// startUpWords begin the names of methods that prepare an object; those in
// startUpNames are the whole name.
var (
	startUpWords = []string{"Init", "Setup", "SetUp", "Provision", "Configure", "Bootstrap", "Unmarshal"}
	startUpNames = []string{"Start", "Open"}
)

func startUpMethod(f *Func) bool {
	if f.Obj == nil || f.Obj.Signature().Recv() == nil || !errorOnly(f.Obj.Signature().Results()) {
		return false
	}
	name := f.Obj.Name()
	r, n := utf8.DecodeRuneInString(name)
	name = string(unicode.ToUpper(r)) + name[n:]
	for _, w := range startUpNames {
		if name == w {
			return true
		}
	}
	for _, w := range startUpWords {
		if rest, ok := strings.CutPrefix(name, w); ok && (rest == "" || !unicode.IsLower(rune(rest[0])) || w == "Init" && strings.HasPrefix(rest, "ialize")) {
			return true
		}
	}
	return false
}

// errorOnly reports whether a function has nothing to give but an error.
func errorOnly(res *types.Tuple) bool {
	return res.Len() == 0 || res.Len() == 1 && types.Identical(res.At(0).Type(), types.Universe.Lookup("error").Type())
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
		if c := &f.Calls[i]; c.Kind == summary.Goroutine && f.Flow.MayPrecede(c.Point, a.Point) {
			return false
		}
	}
	return true
}
