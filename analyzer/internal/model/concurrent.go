package model

import "go/types"

// concurrentTypes are the concurrent maps of other modules: the type, and
// whether its methods have a pointer receiver.
var concurrentTypes = map[string]string{
	"github.com/orcaman/concurrent-map.ConcurrentMap":    "",
	"github.com/orcaman/concurrent-map/v2.ConcurrentMap": "",
	"github.com/puzpuzpuz/xsync.Map":                     "*",
	"github.com/puzpuzpuz/xsync.MapOf":                   "*",
	"github.com/puzpuzpuz/xsync/v2.Map":                  "*",
	"github.com/puzpuzpuz/xsync/v2.MapOf":                "*",
	"github.com/puzpuzpuz/xsync/v3.Map":                  "*",
	"github.com/puzpuzpuz/xsync/v3.MapOf":                "*",
	"github.com/puzpuzpuz/xsync/v4.Map":                  "*",
	"github.com/alphadose/haxmap.Map":                    "*",
}

// concurrentMethods says what their methods do; the maps agree on the names.
var concurrentMethods = map[Kind]string{
	ConcurrentLoad:   "Get Load Has",
	ConcurrentStore:  "Set Store MSet",
	ConcurrentDelete: "Remove Delete Del Clear",
	ConcurrentRange:  "Range ForEach Count Len Size IsEmpty Items Keys Iter IterBuffered IterCb",
	ConcurrentAtomic: `SetIfAbsent Upsert Pop RemoveCb LoadOrStore LoadOrCompute LoadOrTryCompute LoadAndStore
		LoadAndDelete Compute GetOrSet GetOrCompute GetAndDel Swap CompareAndSwap CompareAndDelete`,
}

// replacing are the atomic steps by which a key that has a value can get another one.
var replacing = map[string]bool{"Upsert": true, "LoadAndStore": true, "Compute": true, "Swap": true, "CompareAndSwap": true}

// Replaces reports whether a method of a concurrent map can put another value under a key that has one.
func Replaces(fn *types.Func) bool {
	switch Lookup(fn).Kind {
	case ConcurrentStore:
		return true
	case ConcurrentAtomic:
		return replacing[fn.Name()]
	}
	return false
}

// oneSteps are the methods that do in one step what sync.Map's method of a name does; the first that
// a map has is the one to use.
var oneSteps = map[string][]string{
	"LoadOrStore":      {"LoadOrStore", "SetIfAbsent", "GetOrSet", "LoadOrCompute"},
	"LoadAndDelete":    {"LoadAndDelete", "Pop", "GetAndDel"},
	"CompareAndDelete": {"CompareAndDelete", "RemoveCb", "Compute"},
	"CompareAndSwap":   {"CompareAndSwap", "Upsert", "Compute"},
}

// OneStep returns the method of a concurrent map that does what sync.Map's method of a name does, ""
// if its type has none, or sync.Map has it not yet in a version of Go; the name itself if the type is not known.
func OneStep(t types.Type, name, goVersion string) string {
	if name == "" || !Since(goVersion, "sync.Map."+name) && (t == nil || isSyncMap(t)) {
		return ""
	}
	if t == nil {
		return name
	}
	for _, m := range oneSteps[name] {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, m); obj != nil {
			return m
		}
	}
	if _, ok := types.Unalias(pointee(t)).(*types.Named); !ok {
		return name
	}
	return ""
}

// mapMethods are methods of sync.Map, as a map with types of its own writes them: what they get and give back,
// the key being k and the value v.
var mapMethods = map[string][2]string{
	"Load":             {"k", "vb"},
	"Store":            {"kv", ""},
	"Delete":           {"k", ""},
	"LoadOrStore":      {"kv", "vb"},
	"LoadAndDelete":    {"k", "vb"},
	"CompareAndDelete": {"kv", "b"},
	"CompareAndSwap":   {"kvv", "b"},
}

// LikeSyncMap reports whether a method is one of sync.Map, with types of its own for keys and values, of a type
// that also has the method one in this form.
func LikeSyncMap(fn *types.Func, one string) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	load, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg(), "Load")
	other, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg(), one)
	l, ok := load.(*types.Func)
	o, too := other.(*types.Func)
	if !ok || !too || l.Signature().Params().Len() != 1 || l.Signature().Results().Len() != 2 {
		return false
	}
	is := map[byte]types.Type{'k': l.Signature().Params().At(0).Type(), 'v': l.Signature().Results().At(0).Type(), 'b': types.Typ[types.Bool]}
	return inForm(fn, is) && inForm(o, is)
}

func inForm(fn *types.Func, is map[byte]types.Type) bool {
	form, ok := mapMethods[fn.Name()]
	return ok && !fn.Signature().Variadic() && tupleOf(fn.Signature().Params(), form[0], is) && tupleOf(fn.Signature().Results(), form[1], is)
}

func tupleOf(t *types.Tuple, form string, is map[byte]types.Type) bool {
	if t.Len() != len(form) {
		return false
	}
	for i := range t.Len() {
		if !types.Identical(t.At(i).Type(), is[form[i]]) {
			return false
		}
	}
	return true
}

// concurrentMaps are the types whose methods are atomic one by one.
var concurrentMaps = func() map[string]bool {
	m := map[string]bool{"sync.Map": true}
	for name := range concurrentTypes {
		m[name] = true
	}
	return m
}()

// withConcurrentMaps adds the rows of concurrentTypes to t.
func withConcurrentMaps(t map[string]Effect) map[string]Effect {
	for name, pointer := range concurrentTypes {
		addMethods(t, pointer+name, concurrentMethods, 1)
	}
	return t
}
