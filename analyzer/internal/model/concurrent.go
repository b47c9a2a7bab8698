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

// oneSteps are the methods that do in one step what sync.Map's method of a name does; the first that
// a map has is the one to use.
var oneSteps = map[string][]string{
	"LoadOrStore":      {"LoadOrStore", "SetIfAbsent", "GetOrSet", "LoadOrCompute"},
	"LoadAndDelete":    {"LoadAndDelete", "Pop", "GetAndDel"},
	"CompareAndDelete": {"CompareAndDelete", "RemoveCb", "Compute"},
	"CompareAndSwap":   {"CompareAndSwap", "Upsert", "Compute"},
}

// OneStep returns the method of a concurrent map that does what sync.Map's method of a name does, ""
// if its type has none; the name itself if the type is not known.
func OneStep(t types.Type, name string) string {
	if t == nil || name == "" {
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
