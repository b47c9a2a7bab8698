package model

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// std imports packages of the standard library from export data.
var std = importer.Default()

// functions returns the functions and methods of a package by full name,
// those of unexported types that exported ones embed included.
var functions = func() func(t *testing.T, path string) map[string]*types.Func {
	cache := make(map[string]map[string]*types.Func)
	return func(t *testing.T, path string) map[string]*types.Func {
		t.Helper()
		if cache[path] != nil {
			return cache[path]
		}
		pkg, err := std.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		all := make(map[string]*types.Func)
		for _, name := range pkg.Scope().Names() {
			switch obj := pkg.Scope().Lookup(name).(type) {
			case *types.Func:
				all[obj.FullName()] = obj
			case *types.TypeName:
				for _, typ := range []types.Type{obj.Type(), types.NewPointer(obj.Type())} {
					for sel := range types.NewMethodSet(typ).Methods() {
						fn := sel.Obj().(*types.Func).Origin()
						all[fn.FullName()] = fn
						all[originName(fn)] = fn // as the tables write it
					}
				}
			}
		}
		cache[path] = all
		return all
	}
}()

// isStd reports whether a package path is of the standard library.
func isStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// names returns the function names of all the tables.
func names() []string {
	all := slices.Collect(maps.Keys(table))
	all = slices.AppendSeq(all, maps.Keys(noReturn))
	all = slices.AppendSeq(all, maps.Keys(copies))
	slices.Sort(all)
	return slices.Compact(all)
}

var fullName = regexp.MustCompile(`^(?:\(\*?[a-z][\w.\-/]*\.[A-Za-z]\w*\)|[a-z][\w.\-/]*)\.[A-Z]\w*$`)

func TestNamesWellFormed(t *testing.T) {
	for _, name := range names() {
		if !fullName.MatchString(name) {
			t.Errorf("%q is not p.F, (p.T).M or (*p.T).M", name)
		}
		if p := packageOf(name); p == "" || strings.ContainsAny(p, "()*") {
			t.Errorf("package of %q is %q", name, p)
		}
	}
	typeName := regexp.MustCompile(`^[a-z][\w.\-/]*\.[A-Z]\w*$`)
	for _, set := range []map[string]bool{concurrentMaps, immutable} {
		for name := range set {
			if !typeName.MatchString(name) {
				t.Errorf("%q is not p.T", name)
			}
		}
	}
	for path := range harmless {
		if strings.Trim(path, "/.") != path {
			t.Errorf("%q is no package path", path)
		}
	}
}

// Every row of the standard library names a function that exists: the table
// cannot rot unseen.
func TestStdRowsExist(t *testing.T) {
	for _, name := range names() {
		if pkg := packageOf(name); isStd(pkg) && functions(t, pkg)[name] == nil {
			t.Errorf("%s has no %s", pkg, name)
		}
	}
	for _, set := range []map[string]bool{concurrentMaps, immutable} {
		for name := range set {
			pkg := packageOf(name)
			if !isStd(pkg) {
				continue
			}
			p, err := std.Import(pkg)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := p.Scope().Lookup(strings.TrimPrefix(name, pkg+".")).(*types.TypeName); !ok {
				t.Errorf("%s has no type %s", pkg, name)
			}
		}
	}
	for path := range harmless {
		if !isStd(path) {
			continue
		}
		if _, err := std.Import(path); err != nil {
			t.Error(err)
		}
	}
}

// A row's argument is a map, or a function, as its kind says.
func TestStdRowsPointAtTheirArgument(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		e, pkg := table[name], packageOf(name)
		if !isStd(pkg) {
			continue
		}
		fn := functions(t, pkg)[name]
		if fn == nil {
			continue // TestStdRowsExist says so
		}
		typ := argument(fn, e.Arg)
		if typ == nil {
			t.Errorf("%s has no argument %d", name, e.Arg)
			continue
		}
		switch e.Kind {
		case MapRead, MapWrite:
			if !isMapParam(typ) && !types.IsInterface(typ) {
				t.Errorf("%s: argument %d is %s, no map", name, e.Arg, typ)
			}
		case Spawn, Register, RunNow, Once:
			if !isFuncParam(typ) {
				t.Errorf("%s: argument %d is %s, no function", name, e.Arg, typ)
			}
		}
		if got := Lookup(fn); got != e {
			t.Errorf("Lookup(%s) is %+v, want %+v", name, got, e)
		}
	}
}

func argument(fn *types.Func, i int) types.Type {
	sig := fn.Signature()
	if sig.Recv() != nil {
		if i == 0 {
			return sig.Recv().Type()
		}
		i--
	}
	if i >= sig.Params().Len() {
		return nil
	}
	return sig.Params().At(i).Type()
}

func isMapParam(t types.Type) bool {
	if tp, ok := t.(*types.TypeParam); ok {
		u, ok := tp.Constraint().Underlying().(*types.Interface).EmbeddedType(0).(*types.Union)
		if !ok || u.Len() != 1 {
			return false
		}
		t = u.Term(0).Type()
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

func isFuncParam(t types.Type) bool {
	_, fn := t.Underlying().(*types.Signature)
	i, iface := t.Underlying().(*types.Interface)
	return fn || iface && i.Empty() // runtime.SetFinalizer takes any
}

func TestPackageOf(t *testing.T) {
	for name, want := range map[string]string{
		"os.Exit":                                     "os",
		"path/filepath.Walk":                          "path/filepath",
		"(*sync.Map).Load":                            "sync",
		"(testing.TB).Fatal":                          "testing",
		"(*golang.org/x/sync/errgroup.Group).Go":      "golang.org/x/sync/errgroup",
		"golang.org/x/exp/maps.Copy":                  "golang.org/x/exp/maps",
		"k8s.io/klog/v2.Fatal":                        "k8s.io/klog/v2",
		"(*github.com/sourcegraph/conc/pool.Pool).Go": "github.com/sourcegraph/conc/pool",
	} {
		if got := packageOf(name); got != want {
			t.Errorf("packageOf(%q) is %q, want %q", name, got, want)
		}
	}
}

const source = `package p

import (
	"sync"
	"time"
)

type Own struct{}

func (*Own) Lock()            {}
func (*Own) Unlock()          {}
func (*Own) RLock()           {}
func (*Own) RUnlock()         {}
func (*Own) TryLock() bool    { return true }
func (*Own) TryRLock() string { return "" }

type Generic[T any] struct{ v T }

func (*Generic[T]) Lock()   {}
func (*Generic[T]) Unlock() {}

type Half struct{}

func (Half) Lock() {}

type Keyed struct{}

func (Keyed) Lock(key string)   {}
func (Keyed) Unlock(key string) {}

type Failing struct{}

func (Failing) Lock() error { return nil }
func (Failing) Unlock()     {}

type Locker interface {
	Lock()
	Unlock()
}

type Embeds struct {
	sync.Mutex
	m map[string]int
}

type Holds struct{ mu sync.RWMutex }
type HoldsDeep struct{ parts [2]Holds }
type Points struct{ mu *sync.Mutex }
type Plain struct{ m map[string]int }
type Uncopied struct{ _ [0]sync.Mutex; text string }
type Sheet struct{ title string }
func (*Sheet) ProtoMessage() {}
type SheetTwo struct{ title string }
func (*SheetTwo) ProtoReflect() any { return nil }
type Talks struct{}
func (Talks) ProtoMessage(to string) {}

var (
	syncMap  sync.Map
	pointer  *sync.Map
	own      Own
	when     time.Time
	location *time.Location
	text     string
)

func Lock() {}
`

var check = sync.OnceValues(func() (*types.Package, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		return nil, err
	}
	return (&types.Config{Importer: std}).Check("example.org/p", fset, []*ast.File{file}, nil)
})

func object(t *testing.T, name string) types.Object {
	t.Helper()
	pkg, err := check()
	if err != nil {
		t.Fatal(err)
	}
	return pkg.Scope().Lookup(name)
}

func method(t *testing.T, typ, name string) *types.Func {
	t.Helper()
	obj, _, _ := types.LookupFieldOrMethod(object(t, typ).Type(), true, object(t, typ).Pkg(), name)
	fn, ok := obj.(*types.Func)
	if !ok {
		t.Fatalf("no method %s.%s", typ, name)
	}
	return fn
}

func TestMutexByMethodSet(t *testing.T) {
	for _, tc := range []struct {
		typ, name string
		want      Kind
	}{
		{"Own", "Lock", Lock}, {"Own", "Unlock", Unlock}, {"Own", "RLock", RLock}, {"Own", "RUnlock", RUnlock},
		{"Own", "TryLock", TryLock},
		{"Own", "TryRLock", None}, // says something else than whether it got the lock
		{"Generic", "Lock", Lock}, {"Generic", "Unlock", Unlock},
		{"Locker", "Lock", Lock},
		{"Embeds", "Lock", Lock}, {"Embeds", "TryLock", TryLock}, {"Embeds", "Unlock", Unlock},
		{"Half", "Lock", None},    // never released
		{"Keyed", "Lock", None},   // one of many locks
		{"Failing", "Lock", None}, // may not have got it
	} {
		if got := Lookup(method(t, tc.typ, tc.name)).Kind; got != tc.want {
			t.Errorf("%s.%s is %d, want %d", tc.typ, tc.name, got, tc.want)
		}
	}
	if got := Lookup(object(t, "Lock").(*types.Func)); got.Kind != None {
		t.Errorf("a function called Lock is %+v", got)
	}
	if got := Lookup(nil); got.Kind != None {
		t.Errorf("an unknown callee is %+v", got)
	}
	for name, want := range map[string]Kind{
		"(*sync.Mutex).Lock": Lock, "(*sync.Mutex).Unlock": Unlock, "(*sync.Mutex).TryLock": TryLock,
		"(*sync.RWMutex).RLock": RLock, "(*sync.RWMutex).RUnlock": RUnlock, "(*sync.RWMutex).TryRLock": TryRLock,
		"(sync.Locker).Lock": Lock, "(sync.Locker).Unlock": Unlock,
	} {
		if got := Lookup(functions(t, "sync")[name]).Kind; got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

func TestTypes(t *testing.T) {
	for _, tc := range []struct {
		what string
		is   func(types.Type) bool
		yes  []string
		no   []string
	}{
		{"a mutex", IsMutex, []string{"Own", "Generic", "Locker", "Embeds"}, []string{"Half", "Keyed", "Failing", "Holds", "text"}},
		{"a holder of a lock", HoldsLock, []string{"Embeds", "Holds", "HoldsDeep"}, []string{"Points", "Plain", "Uncopied", "text"}},
		{"a message", func(t types.Type) bool { n, ok := t.(*types.Named); return ok && Message(n) }, []string{"Sheet", "SheetTwo"}, []string{"Talks", "Plain", "text"}},
		{"a concurrent map", IsConcurrentMap, []string{"syncMap", "pointer"}, []string{"own", "Plain", "text"}},
		{"immutable", Immutable, []string{"when", "location"}, []string{"own", "syncMap", "text"}},
	} {
		for _, name := range tc.yes {
			if !tc.is(object(t, name).Type()) {
				t.Errorf("%s is not %s", name, tc.what)
			}
		}
		for _, name := range tc.no {
			if tc.is(object(t, name).Type()) {
				t.Errorf("%s is %s", name, tc.what)
			}
		}
	}
}

func TestNoReturnAndHarmless(t *testing.T) {
	for name, want := range map[string]bool{
		"os.Exit": true, "log.Fatalf": true, "(*log.Logger).Panic": true, "(*testing.common).FailNow": true,
		"os.Getenv": false, "log.Print": false, "(*testing.common).Error": false,
	} {
		fn := functions(t, packageOf(name))[name]
		if fn == nil {
			t.Errorf("there is no %s", name)
		} else if got := NoReturn(fn); got != want {
			t.Errorf("NoReturn(%s) is %v", name, got)
		}
	}
	for name, want := range map[string]bool{
		"fmt.Sprintf": true, "time.Now": true, "strings.ToLower": true, "(*log.Logger).Printf": true,
		"os.Remove": false, "net/http.Get": false, "(*os.File).Close": false,
	} {
		fn := functions(t, packageOf(name))[name]
		if fn == nil {
			t.Errorf("there is no %s", name)
		} else if got, _ := Harmless(fn); got != want {
			t.Errorf("Harmless(%s) is %v", name, got)
		}
	}
}

// A logger is known by its path, or by what its functions take and give.
func TestPrints(t *testing.T) {
	anys := types.NewSlice(types.NewInterfaceType(nil, nil))
	param := func(of types.Type) *types.Var { return types.NewParam(0, nil, "", of) }
	signature := func(variadic bool, results *types.Tuple, params ...*types.Var) *types.Signature {
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), results, variadic)
	}
	text, line := param(types.Typ[types.String]), types.NewTuple(param(types.Typ[types.Int]))
	for name, c := range map[string]struct {
		path, fn string
		sig      *types.Signature
		want     bool
	}{
		"any format":        {"example.org/dl", "Infof", signature(true, nil, param(types.NewInterfaceType(nil, nil)), param(anys)), true},
		"a text":            {"example.org/dl", "Warn", signature(true, nil, text, param(anys)), true},
		"by its path":       {"example.org/log", "Info", signature(false, nil, text), true},
		"another name":      {"example.org/dl", "Send", signature(true, nil, text, param(anys)), false},
		"it gives a number": {"example.org/dl", "Infof", signature(true, line, text, param(anys)), false},
		"no values":         {"example.org/dl", "Info", signature(false, nil, text), false},
		"texts":             {"example.org/dl", "Info", signature(true, nil, text, param(types.NewSlice(types.Typ[types.String]))), false},
	} {
		fn := types.NewFunc(0, types.NewPackage(c.path, "dl"), c.fn, c.sig)
		if got := Prints(fn); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
