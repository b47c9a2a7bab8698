package model

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
