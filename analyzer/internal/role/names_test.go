package role

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestLockedName(t *testing.T) {
	for name, want := range map[string]bool{
		"getLocked":      true,
		"insertLocked":   true,
		"get_locked":     true,
		"getLockHeld":    true,
		"getUnlocked":    true,
		"getNoLock":      true,
		"getWithoutLock": true,
		"getUnsafe":      true,
		"UnsafeLoad":     true,
		"unsafeLoad":     true,
		"get":            false,
		"Locked":         false,
		"getWithLock":    false,
		"LockedGet":      false,
		"isBlocking":     false,
		"isBlocked":      false,
		"IsLocked":       false,
		"isUnlocked":     false,
		"wasLocked":      false,
		"isLeafLocked":   true,
		"Unsafe":         false,
		"unlock":         false,
		"":               false,
	} {
		if got := named(name, 0).Has(CallerLocks); got != want {
			t.Errorf("%q gives CallerLocks: %v, want %v", name, got, want)
		}
	}
}

// Words are matched at their boundaries, on the function's own name.
func TestNames(t *testing.T) {
	const all = ^shape(0)
	for _, tc := range []struct {
		name string
		has  shape
		role Roles
		want bool
	}{
		{"Register", 0, Registration, true},
		{"MustRegister", 0, Registration, true},
		{"registerCodec", 0, Registration, true},
		{"tryRegisterCodec", 0, Registration, true},
		{"Unregister", 0, Registration, false},
		{"Deregister", 0, Registration, false},
		{"IsRegistered", 0, Registration, false},
		{"Registerer", 0, Registration, false},
		{"registry", 0, Registration, false},

		{"SetURL", errorOnly, Setter, true},
		{"Set", errorOnly, Setter, true},
		{"Set2", errorOnly, Setter, true},
		{"AddRoute", errorOnly, Setter, true},
		{"Setup", errorOnly, Setter, true},
		{"SetURL", gives, Setter, false},
		{"setURL", errorOnly, Setter, false},
		{"Settle", errorOnly, Setter, false},
		{"Address", errorOnly, Setter, false},
		{"Reset", errorOnly, Setter, false},

		{"Init", isMethod | errorOnly, StartUp, true},
		{"initCaches", isMethod | errorOnly, StartUp, true},
		{"Initialize", isMethod | errorOnly, StartUp, true},
		{"UnmarshalJSON", isMethod | errorOnly, StartUp, true},
		{"Start", isMethod | errorOnly, StartUp, true},
		{"OnStart", isMethod | errorOnly, StartUp, true},
		{"StartJob", isMethod | errorOnly, StartUp, false},
		{"OnStartJob", isMethod | errorOnly, StartUp, false},
		{"Init", errorOnly, StartUp, false},
		{"Init", isMethod | gives, StartUp, false},
		{"Initial", isMethod | errorOnly, StartUp, false},

		{"InitModule", 0, Initializer, true},
		{"initTables", gives, Initializer, true},
		{"Initial", 0, Initializer, false},
		{"ReInit", 0, Initializer, false},

		{"ResetForTest", 0, ForTests, true},
		{"SnapshotForTesting", gives, ForTests, true},
		{"ForTest", 0, ForTests, false},
		{"ForTestingOnce", 0, ForTests, false},
		{"Test", 0, ForTests, false},

		{"NewCache", 0, Preparer, true},
		{"build", 0, Preparer, true},
		{"OpenFile", 0, Preparer, true},
		{"newest", 0, Preparer, false},
		{"Reopen", 0, Preparer, false},

		{"GetEngine", all, Query, true},
		{"EngineFor", all, Query, true},
		{"Get", all, Query, true},
		{"Of", all, Query, true},
		{"GetEngine", gives, Query, false},
		{"GetEngine", isMethod, Query, false},
		{"getEngine", all, Query, false},
		{"Getter", all, Query, false},
		{"Therefor", all, Query, false},
		{"Format", all, Query, false},

		{"getEngine", all, Asker, true},
		{"HasEngine", all, Asker, true},
		{"ID", all, Asker, true},
		{"Error", 0, Asker, true},
		{"getEngine", gives, Asker, false},
		{"Hasten", all, Asker, false},
		{"Identify", all, Asker, false},
		{"Errors", 0, Asker, false},

		{"CloseAll", 0, Closer, true},
		{"Kill", 0, Closer, true},
		{"Closed", 0, Closer, false},
		{"Enclose", 0, Closer, false},
		{"Close", 0, Owed | Ending, true},
		{"close", 0, Ending, true},
		{"close", 0, Owed, false},
		{"CloseAll", 0, Owed, false},
		{"Unsubscribe", 0, Ending, true},
		{"unsubscribe", 0, Ending, false},

		{"Reconcile", all, Handler, true},
		{"Reconcile", isMethod, Handler, false},
		{"ReconcileAll", all, Handler, false},
	} {
		if got := named(tc.name, tc.has).Has(tc.role); got != tc.want {
			t.Errorf("%q of shape %b gives %v: %v, want %v", tc.name, tc.has, tc.role, got, tc.want)
		}
	}
}

const source = `
package cache

import ("context"; "net/http"; "os"; "time")

type Registry struct{ UnimplementedStoreServer }
type UnimplementedStoreServer struct{}
func (UnimplementedStoreServer) Put(int) {}

// Add is safe for concurrent use.
func (*Registry) Add(string) error { return nil }
func (*Registry) Put(int) {}
func (*Registry) Other(int) {}
func (*Registry) Get(string) int { return 0 }
func (*Registry) Reconcile(context.Context, int) {}
type applier struct{}
func (*applier) Reconcile(context.Context, *Registry) error { return nil }
type wanted struct{}
func (*wanted) Reconcile(context.Context, interface{ Get(string) error }) error { return nil }
type typed struct{}
func (*typed) Reconcile(context.Context, *Registry) (int, error) { return 0, nil }
func (*Registry) Open() {}
func (*Registry) Close() {}
// Fill is called at startup. It is safe for concurrent use.
func (*Registry) Fill() {}
// fill must be called before Serve.
func fill() {}
// use calls f: f is called at startup.
func use(f func()) {}
func serve(http.ResponseWriter, *http.Request) {}
func served(http.ResponseWriter, http.Request) {}

type inner struct{}
func (inner) Len() int { return 0 }
func (inner) stop() {}

var (
	cancel context.CancelFunc
	timer *time.Timer
	file *os.File
	coder    interface{ Join(to []byte, parts [][]byte) error }
	topics   interface{ Unsubscribe(topics ...string) }
	peer     interface{ Close(code int, reason string) error }
	registry *Registry
	in inner
)
`

// library holds as much of the standard library as source needs.
var library = map[string]string{
	"context":  "package context; type Context interface{ Err() error }; type CancelFunc func()",
	"net/http": "package http; type ResponseWriter interface{ WriteHeader(int) }; type Request struct{}",
	"os":       "package os; type File struct{}; func (*File) Close() error { return nil }; func Stat(string) error { return nil }; func Chdir(string) error { return nil }",
	"time":     "package time; type Timer struct{}; func (*Timer) Stop() bool { return false }",
}

type stubs map[string]*types.Package

func (s stubs) Import(path string) (*types.Package, error) {
	if s[path] == nil {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, library[path], 0)
		if err != nil {
			return nil, err
		}
		if s[path], err = new(types.Config).Check(path, fset, []*ast.File{file}, nil); err != nil {
			return nil, err
		}
	}
	return s[path], nil
}

// load type-checks source.
func load(t *testing.T) (*Index, *types.Package) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "cache.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: make(map[*ast.Ident]types.Object)}
	conf := types.Config{Importer: make(stubs)}
	pkg, err := conf.Check("example.org/cache", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	return NewIndex(fset, []*ast.File{file}, info, ""), pkg
}

func function(t *testing.T, pkg *types.Package, typ, name string) *types.Func {
	t.Helper()
	obj := pkg.Scope().Lookup(name)
	if typ != "" {
		obj, _, _ = types.LookupFieldOrMethod(types.NewPointer(pkg.Scope().Lookup(typ).Type()), true, pkg, name)
	}
	fn, ok := obj.(*types.Func)
	if !ok {
		t.Fatalf("there is no function %s %s", typ, name)
	}
	return fn
}

func TestOf(t *testing.T) {
	docs, pkg := load(t)
	for _, tc := range []struct{ typ, name, want string }{
		{"Registry", "Add", "concurrent|setter|public|method"}, // not a registration, whatever its type is called
		{"Registry", "Put", "handler|public|method"},
		{"Registry", "Other", "public|method"},
		{"Registry", "Get", "query|asker|public|method"},
		{"Registry", "Reconcile", "handler|public|method"},
		{"applier", "Reconcile", "method"}, // called by the module's own loop
		{"wanted", "Reconcile", "method"},  // brings about what the object at hand wants
		{"typed", "Reconcile", "handler|method"},
		{"Registry", "Open", "start-up|preparer|public|method"},
		{"Registry", "Close", "closer|owed|ending|public|method"},
		{"Registry", "Fill", "concurrent|public|method"},
		{"inner", "Len", "asker|method"},
		{"inner", "stop", "ending"},
		{"", "fill", "once-before"},
		{"", "use", "none"},
		{"", "serve", "handler"},
		{"", "served", "none"},
	} {
		if got := docs.Of(function(t, pkg, tc.typ, tc.name)).String(); got != tc.want {
			t.Errorf("%s %s has the roles %s, want %s", tc.typ, tc.name, got, tc.want)
		}
	}
}

func TestOfLiteral(t *testing.T) {
	_, pkg := load(t)
	plain, serves := function(t, pkg, "", "fill").Signature(), function(t, pkg, "", "serve").Signature()
	if got, want := OfLiteral(plain, pkg, Registration|Setter|CallerLocks|Preparer, ""), Registration|Preparer; got != want {
		t.Errorf("a literal has %v, want %v", got, want)
	}
	if got := OfLiteral(serves, pkg, 0, "onRequest"); got != Handler {
		t.Errorf("a handler has %v", got)
	}
	if got := OfLiteral(plain, pkg, 0, "resetForTests"); got != ForTests {
		t.Errorf("what is kept for tests has %v", got)
	}
}

func TestValues(t *testing.T) {
	_, pkg := load(t)
	for name, want := range map[string]struct{ closable, ends bool }{
		"cancel":   {true, false},
		"timer":    {false, true},
		"file":     {true, true},
		"registry": {true, true},
		"in":       {false, true},
		"coder":    {false, false},
		"topics":   {false, false},
		"peer":     {true, true},
	} {
		typ := pkg.Scope().Lookup(name).Type()
		if got := Closable(typ); got != want.closable {
			t.Errorf("Closable(%v) is %v", typ, got)
		}
		if got := Ends(typ, pkg); got != want.ends {
			t.Errorf("Ends(%v) is %v", typ, got)
		}
	}
}

func TestKeeperName(t *testing.T) {
	for name, want := range map[string]bool{
		"GetOrCreateCounter": true,
		"GetOrRegister":      true,
		"LoadOrStore":        true,
		"findOrCreate":       true,
		"GetOrders":          false,
		"Get":                false,
		"TryGetOrCreate":     false,
	} {
		if got := named(name, gives).Has(Keeper); got != want {
			t.Errorf("%q gives Keeper: %v, want %v", name, got, want)
		}
	}
	if named("GetOrCreate", 0).Has(Keeper) {
		t.Error("a function that gives nothing is a keeper")
	}
}

func TestHarmless(t *testing.T) {
	_, pkg := load(t)
	var osStat, osChdir *types.Func
	for _, imp := range pkg.Imports() {
		if imp.Path() == "os" {
			osStat, osChdir = imp.Scope().Lookup("Stat").(*types.Func), imp.Scope().Lookup("Chdir").(*types.Func)
		}
	}
	for fn, want := range map[*types.Func]bool{
		osStat: true, osChdir: false,
		function(t, pkg, "Registry", "Get"): true,
		function(t, pkg, "Registry", "Add"): false,
		function(t, pkg, "", "fill"):        false,
	} {
		if got := Harmless(fn); got != want {
			t.Errorf("Harmless(%v) is %v", fn, got)
		}
	}
}

// A function that takes a format and any values, and gives nothing, prints.
func TestPrints(t *testing.T) {
	anys := types.NewSlice(types.Universe.Lookup("any").Type())
	of := func(results *types.Tuple, ps ...types.Type) *types.Signature {
		var vars []*types.Var
		for _, p := range ps {
			vars = append(vars, types.NewParam(0, nil, "", p))
		}
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), results, true)
	}
	text, number := types.Typ[types.String], types.Typ[types.Int]
	gives := types.NewTuple(types.NewParam(0, nil, "", number))
	for name, tt := range map[string]struct {
		sig  *types.Signature
		want bool
	}{
		"format and values":     {of(nil, text, anys), true},
		"level, format, values": {of(nil, number, text, anys), true},
		"values alone":          {of(nil, anys), false},
		"a number and values":   {of(nil, number, anys), false},
		"one that gives":        {of(gives, text, anys), false},
		"names":                 {of(nil, text, types.NewSlice(text)), false},
	} {
		if got := prints(tt.sig); got != tt.want {
			t.Errorf("%s: prints is %v", name, got)
		}
	}
}

// Each role has a word of its own.
func TestString(t *testing.T) {
	seen := make(map[string]bool)
	for i := range words {
		w := Roles(1 << i).String()
		if seen[w] || w == "none" {
			t.Errorf("role %d is %q", i, w)
		}
		seen[w] = true
	}
	if Ordered != 1<<(len(words)-1) {
		t.Errorf("%d words for the roles up to %b", len(words), Name)
	}
	if Roles(0).String() != "none" {
		t.Errorf("no role is %q", Roles(0))
	}
}

func TestBegins(t *testing.T) {
	for _, c := range []struct {
		method, ends string
		want         bool
	}{
		{"Lock", "Unlock", true},
		{"TryLock", "Unlock", true},
		{"LockContext", "Unlock", true},
		{"AcquireFor", "Release", true},
		{"Ring", "Hear", false},
		{"Unlock", "Lock", false},
		{"Notify", "Release", false},
	} {
		if got := Begins(c.method, c.ends); got != c.want {
			t.Errorf("Begins(%s, %s) = %v", c.method, c.ends, got)
		}
	}
}
