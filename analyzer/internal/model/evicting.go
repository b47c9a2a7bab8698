package model

import "go/types"

// An evictor is a cache of a library that calls a function for each entry that it drops, in the method that drops it, before
// that returns. Caches that drop entries in a goroutine of their own, as those do that look for old ones, have no row.
type evictor struct {
	// quiet are the methods that drop nothing, drops those that may.
	quiet, drops map[string]bool
	// makers are the functions that make one, with the position of the function that it is to call; -1 if they get none.
	makers map[string]int
	// field is the exported one that has the function, if there is one.
	field string
}

var (
	quietMethods  = set("Get Peek Contains Len Cap Keys Values GetOldest")
	golangLRU     = evictor{quiet: quietMethods, drops: set("Add ContainsOrAdd PeekOrAdd Remove RemoveOldest Resize Purge"), makers: map[string]int{"New": -1, "NewWithEvict": 1}}
	simpleLRU     = evictor{quiet: quietMethods, drops: golangLRU.drops, makers: map[string]int{"NewLRU": 1}}
	groupcacheLRU = evictor{quiet: quietMethods, drops: set("Add Remove RemoveOldest Clear"), makers: map[string]int{"New": -1}, field: "OnEvicted"}
)

// evictors are the caches, by package and type.
var evictors = map[string]map[string]*evictor{
	"github.com/hashicorp/golang-lru":              {"Cache": &golangLRU},
	"github.com/hashicorp/golang-lru/v2":           {"Cache": &golangLRU},
	"github.com/hashicorp/golang-lru/simplelru":    {"LRU": &simpleLRU},
	"github.com/hashicorp/golang-lru/v2/simplelru": {"LRU": &simpleLRU},
	"github.com/golang/groupcache/lru":             {"Cache": &groupcacheLRU},
}

// evictorOf returns the row of a cache, nil if t is none and points to none.
func evictorOf(t types.Type) *evictor {
	n, ok := types.Unalias(pointee(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	return evictors[n.Obj().Pkg().Path()][n.Obj().Name()]
}

// HasEvictors reports whether a package has such caches.
func HasEvictors(path string) bool { return evictors[path] != nil }

// Evicts reports whether t is a pointer to a cache that calls a function where one of its methods drops an entry, and nowhere else.
func Evicts(t types.Type) bool {
	_, ptr := types.Unalias(t).(*types.Pointer)
	return ptr && evictorOf(t) != nil
}

// OfEvictor reports whether fn is a method of such a cache of which it is known whether it may drop an entry, and whether it may.
func OfEvictor(fn *types.Func) (drops, known bool) {
	if fn == nil || fn.Signature().Recv() == nil {
		return false, false
	}
	e := evictorOf(fn.Signature().Recv().Type())
	if e == nil {
		return false, false
	}
	return e.drops[fn.Name()], e.drops[fn.Name()] || e.quiet[fn.Name()]
}

// MakesEvictor returns the position of the argument of fn, which makes such a cache, that is the function to call; -1 if it gets none.
func MakesEvictor(fn *types.Func) (arg int, ok bool) {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return -1, false
	}
	for _, e := range evictors[fn.Pkg().Path()] {
		arg, ok = e.makers[fn.Name()]
	}
	return arg, ok
}

// EvictionField reports whether a field of a struct of type t, or to which t points, has the function that such a cache calls.
func EvictionField(t types.Type, field *types.Var) bool {
	e := evictorOf(t)
	return e != nil && e.field != "" && e.field == field.Name()
}
