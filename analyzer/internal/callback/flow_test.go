package callback_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
)

// build returns the functions of a source file, literals included.
func build(t *testing.T, src string) map[string]*ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]*ssa.Function)
	for fn := range ssautil.AllFunctions(pkg.Prog) {
		if fn.Package() == pkg {
			out[fn.Name()] = fn
		}
	}
	return out
}

const decls = `
type op struct { name string; run func() }
var sink func()
var ops []op
func use(func())
func hold(*op)
`

// Of the literal that each body makes first, what becomes of it.
func TestFates(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"called", `f := func() { x++ }; f()`, "now"},
		{"deferred", `f := func() { x++ }; defer f()`, "deferred"},
		{"goroutine", `f := func() { x++ }; go f()`, "in a goroutine"},
		{"handed on", `use(func() { x++ })`, "handed on"},
		{"both", `f := func() { x++ }; use(f); f()`, "now or handed on"},
		{"unused", `f := func() { x++ }; _ = f`, "not run"},
		{"compared", `f := func() { x++ }; if x > 0 { f = nil }; if f != nil { f() }`, "now"},
		{"global", `sink = func() { x++ }`, "kept"},
		{"sent", `c := make(chan func(), 1); c <- func() { x++ }`, "sent"},
		{"sent in a struct", `c := make(chan op, 1); c <- op{"a", func() { x++ }}`, "sent"},
		{"sent by a pointer", `c := make(chan *op, 1); c <- &op{"a", func() { x++ }}`, "sent"},
		{"sent in a slice", `c := make(chan []func(), 1); c <- []func(){func() { x++ }}`, "kept"},
		{"local struct", `o := op{"a", func() { x++ }}; o.run()`, "now"},
		{"other field", `o := struct{ a, b func() }{a: func() { x++ }}; o.b()`, "not run"},
		{"struct handed on", `hold(&op{"a", func() { x++ }})`, "kept"},
		{"struct kept", `ops = append(ops, op{"a", func() { x++ }})`, "kept"},
		{"list", `for _, f := range []func(){func() { x++ }} { f() }`, "now"},
		{"appended", `var l []func(); l = append(l, func() { x++ }); for i := range l { l[i]() }`, "now"},
		{"table", `m := map[string]func(){"a": func() { x++ }}; if f, ok := m["a"]; ok { f() }; for _, f := range m { go f() }`, "now or in a goroutine"},
		{"captured", `f := func() { x++ }; use(func() { f() })`, "now"},
		{"captured twice", `f := func() { x++ }; func() { func() { use(f) }() }()`, "handed on"},
		{"recursive", `var f func(); f = func() { x++; if x < 9 { f() } }; f()`, "now"},
		{"kept by a literal", `f := func() { x++ }; func() { sink = f }()`, "kept"},
		{"set by a literal", `var f func(); func() { f = func() { x++ } }(); f()`, "now"},
		{"behind an interface", `var a any = func() { x++ }; if f, ok := a.(func()); ok { f() }`, "now"},
		{"address", `f := func() { x++ }; func(p *func()) { (*p)() }(&f)`, "kept"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fns := build(t, decls+"func F() { x := 0; "+tt.body+"; _ = x }")
			flow := callback.Of(fns["F"], nil)
			lit := first(fns["F"])
			if lit == nil {
				t.Fatal("no literal")
			}
			if got := flow.Fate(lit).String(); got != tt.want {
				t.Errorf("fate %s, want %s", got, tt.want)
			}
		})
	}
}

// first returns the closure that increments x itself.
func first(fn *ssa.Function) ssa.Value {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			mc, ok := instr.(*ssa.MakeClosure)
			if !ok {
				continue
			}
			if lit := mc.Fn.(*ssa.Function); increments(lit) {
				return mc
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		if v := first(lit); v != nil {
			return v
		}
	}
	return nil
}

func increments(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if op, ok := instr.(*ssa.BinOp); ok && op.Op == token.ADD {
				return true
			}
		}
	}
	return false
}

func TestReturnedAndParameters(t *testing.T) {
	fns := build(t, decls+`
func Make() func() { x := 0; return func() { x++ } }
func Pass(f func()) func() { return f }
func Wrap(f func()) func() { return func() { f() } }
func Run(fs ...func()) { for _, f := range fs { f() } }
func Keep(f func()) { sink = f }
`)
	for name, want := range map[string]string{"Pass": "returned", "Wrap": "now", "Run": "now", "Keep": "kept"} {
		fn := fns[name]
		if got := callback.Of(fn, nil).Fate(fn.Params[0]).String(); got != want {
			t.Errorf("%s: the parameter is %s, want %s", name, got, want)
		}
	}
	if got := callback.Of(fns["Make"], nil).Fate(first(fns["Make"])); got != callback.Returned {
		t.Errorf("Make: %s", got)
	}
}

// Both views of the flow agree: what reaches a call has a fate that says so.
func TestReaching(t *testing.T) {
	fns := build(t, decls+`
func F(p func()) {
	x := 0
	f := func() { x++ }
	if x > 0 { f = p }
	g := func() { f() }
	g()
}`)
	flow := callback.Of(fns["F"], nil)
	for _, b := range fns["F$2"].Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			srcs := flow.Reaching(c.Call.Value)
			if len(srcs) != 2 {
				t.Fatalf("%d functions reach the call, want the literal and the parameter: %v", len(srcs), srcs)
			}
			for _, s := range srcs {
				if !flow.Fate(s).Has(callback.Now) {
					t.Errorf("%v reaches a call and is %v", s, flow.Fate(s))
				}
			}
			return
		}
	}
	t.Error("no call in the literal")
}

// What an idle field holds besides changes nothing, and what lies there alone is kept.
func TestIdle(t *testing.T) {
	fns := build(t, decls+`
type entry struct { name func() }
func Alone(f func()) *entry { return &entry{name: f} }
func Runs(f func()) *entry { f(); return &entry{name: f} }
func Starts(f func()) *entry { go f(); return &entry{name: f} }
`)
	fields := func(*types.Var) callback.Field { return callback.Idle }
	for name, want := range map[string]callback.Fate{"Alone": callback.Kept, "Runs": callback.Now, "Starts": callback.Goroutine} {
		if got := callback.Of(fns[name], fields).Fate(fns[name].Params[0]); got != want {
			t.Errorf("%s: the parameter is %v", name, got)
		}
	}
}

// A function is tended that is kept in a carrier's field and nowhere else.
func TestTended(t *testing.T) {
	fns := build(t, decls+`
type loop struct { each, other func() }
func Brings(f func()) *loop { return &loop{each: f} }
func Spills(f func()) *loop { sink = f; return &loop{each: f} }
func Returns(f func()) (*loop, func()) { return &loop{each: f}, f }
func Other(f func()) *loop { return &loop{other: f} }
func Calls(f func()) *loop { f(); return &loop{each: f} }
`)
	fields := func(v *types.Var) callback.Field {
		if v.Name() == "each" {
			return callback.Tends
		}
		return callback.Spreads
	}
	for name, want := range map[string]bool{"Brings": true, "Spills": false, "Returns": false, "Other": false, "Calls": true} {
		flow := callback.Of(fns[name], fields)
		if got := flow.Tended(fns[name].Params[0]); got != want {
			t.Errorf("%s: tended is %t", name, got)
		}
		if !flow.Fate(fns[name].Params[0]).Has(callback.Kept) {
			t.Errorf("%s: the parameter is %v", name, flow.Fate(fns[name].Params[0]))
		}
	}
}
