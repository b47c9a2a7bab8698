package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// A library that has a cache of each name that the table has.
const caching = `package lru

type Cache struct {
	OnEvicted func(key, value any)
	Other     int
}

func New(n int) *Cache { return nil }
func NewWithEvict(n int, f func(key, value any)) *Cache { return nil }
func NewLater(n int) *Cache { return nil }

func (c *Cache) Add(k any) {}
func (c *Cache) Len() int { return 0 }
func (c *Cache) New() {}
func (c *Cache) Each() {}

type Other struct{ OnEvicted func() }

func (o *Other) Add(k any) {}

`

func cachingLibrary(t *testing.T, path string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "lru.go", caching, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{}
	pkg, err := conf.Check(path, fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func typeIn(pkg *types.Package, name string) *types.Named {
	return pkg.Scope().Lookup(name).Type().(*types.Named)
}

func methodIn(n *types.Named, name string) *types.Func {
	for m := range n.Methods() {
		if m.Name() == name {
			return m
		}
	}
	return nil
}

func TestEvicts(t *testing.T) {
	for path, want := range map[string]bool{
		"github.com/golang/groupcache/lru": true, "github.com/hashicorp/golang-lru": true,
		"github.com/patrickmn/go-cache": false, "github.com/hashicorp/golang-lru/v2/expirable": false, // goroutines drop what is old
	} {
		pkg := cachingLibrary(t, path)
		cache := typeIn(pkg, "Cache")
		if got := Evicts(types.NewPointer(cache)); got != want {
			t.Errorf("Evicts(*%s.Cache) = %v", path, got)
		}
		if HasEvictors(path) != want {
			t.Errorf("HasEvictors(%s) = %v", path, !want)
		}
		if Evicts(cache) || Evicts(types.NewPointer(typeIn(pkg, "Other"))) {
			t.Errorf("%s: a cache by value, or another type, is one", path)
		}
		for _, none := range []types.Type{types.Universe.Lookup("error").Type(), types.Typ[types.Int]} {
			if Evicts(types.NewPointer(none)) {
				t.Errorf("*%v is a cache", none)
			}
		}
	}
}

func TestOfEvictor(t *testing.T) {
	pkg := cachingLibrary(t, "github.com/golang/groupcache/lru")
	cache := typeIn(pkg, "Cache")
	for name, want := range map[string][2]bool{"Add": {true, true}, "Len": {false, true}, "Each": {false, false}} {
		if drops, known := OfEvictor(methodIn(cache, name)); drops != want[0] || known != want[1] {
			t.Errorf("OfEvictor(%s) = %v, %v", name, drops, known)
		}
	}
	for _, fn := range []*types.Func{nil, pkg.Scope().Lookup("New").(*types.Func), methodIn(typeIn(pkg, "Other"), "Add")} {
		if drops, known := OfEvictor(fn); drops || known {
			t.Errorf("OfEvictor(%v) is known", fn)
		}
	}
}

func TestMakesEvictor(t *testing.T) {
	for _, tt := range []struct {
		path, name string
		arg        int
		ok         bool
	}{
		{"github.com/golang/groupcache/lru", "New", -1, true},
		{"github.com/golang/groupcache/lru", "NewWithEvict", 0, false},
		{"github.com/hashicorp/golang-lru", "NewWithEvict", 1, true},
		{"github.com/hashicorp/golang-lru", "NewLater", 0, false},
		{"github.com/patrickmn/go-cache", "New", -1, false},
	} {
		fn := cachingLibrary(t, tt.path).Scope().Lookup(tt.name).(*types.Func)
		if arg, ok := MakesEvictor(fn); ok != tt.ok || ok && arg != tt.arg {
			t.Errorf("MakesEvictor(%s.%s) = %d, %v", tt.path, tt.name, arg, ok)
		}
	}
	method := methodIn(typeIn(cachingLibrary(t, "github.com/golang/groupcache/lru"), "Cache"), "New")
	for _, fn := range []*types.Func{nil, method, types.Universe.Lookup("error").Type().Underlying().(*types.Interface).Method(0)} {
		if _, ok := MakesEvictor(fn); ok {
			t.Errorf("%v makes a cache", fn)
		}
	}
}

func TestEvictionField(t *testing.T) {
	for path, want := range map[string]bool{"github.com/golang/groupcache/lru": true, "github.com/hashicorp/golang-lru": false} {
		pkg := cachingLibrary(t, path)
		cache := typeIn(pkg, "Cache")
		st := cache.Underlying().(*types.Struct)
		if got := EvictionField(types.NewPointer(cache), st.Field(0)); got != want {
			t.Errorf("EvictionField(%s, OnEvicted) = %v", path, got)
		}
		if EvictionField(cache, st.Field(1)) || EvictionField(typeIn(pkg, "Other"), st.Field(0)) {
			t.Errorf("%s: another field, or another type's, has the function", path)
		}
	}
}

// The rows hold what the libraries have: no method drops in one column and is quiet in the other.
func TestEvictorRows(t *testing.T) {
	for path, rows := range evictors {
		for name, e := range rows {
			for m := range e.drops {
				if e.quiet[m] {
					t.Errorf("%s.%s.%s is in both columns", path, name, m)
				}
			}
			if len(e.makers) == 0 {
				t.Errorf("%s.%s: nothing makes one", path, name)
			}
		}
	}
}
