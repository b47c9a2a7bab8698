package threads

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// program analyses one file.
func program(t *testing.T, src string) (*Theory, *infer.Package) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	name := file.Name.Name
	pkg, info, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage(name, name), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var funcs []*ssa.Function
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		funcs = append(funcs, fn)
		for _, lit := range fn.AnonFuncs {
			add(lit)
		}
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			add(pkg.Prog.FuncValue(info.Defs[d.Name].(*types.Func)))
		}
	}
	paths := accesspath.NewBuilder()
	p := infer.Run(infer.Config{
		Pkg: pkg, Funcs: funcs, Paths: paths,
		Imported: func(*types.Func) *summary.Func { return nil },
		Roles:    infer.ReadRoles(&role.Index{}),
	})
	return Analyze(p), p
}

// fn returns the function that messages call so.
func fn(t *testing.T, p *infer.Package, name string) *infer.Func {
	t.Helper()
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

const loop = `package p
type box struct { m map[int]int }
func (b *box) Put(i int) { b.m[i] = i }
func (b *box) Size() int { return len(b.m) }
type T struct { b *box; c chan int }
func New() *T { t := &T{b: &box{m: map[int]int{}}, c: make(chan int)}; t.b.Put(0); go t.loop(); return t }
func (t *T) loop() { for i := range t.c { t.b.Put(i) } }
`

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, src, fn, want string }{
		{"loop", loop, "T.loop", "goroutine T.loop of New (once per object)"},
		{"helper of a loop and of a constructor", loop, "box.Put", "callers goroutine T.loop of New (once per object)"},
		{"exported", loop, "New", "callers"},
		{"without callers", loop, "box.Size", "callers"},
		{"program", "package main\nfunc main() { a(); go b() }\nfunc a() {}\nfunc b() {}", "a", "main"},
		{"goroutine of the program", "package main\nvar m = map[int]int{}\nfunc main() { go b() }\nfunc b() { m[1] = 1 }", "b", "goroutine b of main (once)"},
		{"pool", "package main\nvar m = map[int]int{}\nfunc main() { x := new(struct{ n int }); for range 3 { go b(x) } }\nfunc b(*struct{ n int }) { m[1] = 1 }", "b", "goroutine b of main (many)"},
	} {
		th, p := program(t, c.src)
		if got := strings.Join(th.Names(th.Of(fn(t, p, c.fn))), " "); got != c.want {
			t.Errorf("%s: threads of %s are %q, want %q", c.name, c.fn, got, c.want)
		}
	}
}

// An access meets itself where several threads make it.
func TestMeet(t *testing.T) {
	for _, c := range []struct {
		name, src, a, b string
		want            bool
	}{
		{"before the go", loop, "box.Put", "box.Put", false},
		{"value leaves as an interface", loop + "type I interface{ Size() int }\nfunc (t *T) I() I { return t.b }\n", "box.Put", "box.Size", true},
		{"value leaves as a method value", loop + "func (t *T) F() func() int { return t.b.Size }\n", "box.Put", "box.Size", true},
		{"value is only used inside", loop + "func (t *T) n() int { return t.b.Size() }\n", "box.Put", "box.Put", false},
		{"joined", `package p
import "sync"
type T struct { m map[int]int }
func (t *T) Fill() { var wg sync.WaitGroup; wg.Go(func() { t.put() }); wg.Wait(); t.get() }
func (t *T) put() { t.m[1] = 1 }
func (t *T) get() int { return t.m[1] }
`, "T.put", "T.get", false},
		{"another one is joined", `package p
import "sync"
type T struct { m map[int]int }
func (t *T) Fill() { var a, b sync.WaitGroup; a.Go(func() { t.put() }); b.Go(func() {}); b.Wait(); t.get(); a.Wait() }
func (t *T) put() { t.m[1] = 1 }
func (t *T) get() int { return t.m[1] }
`, "T.put", "T.get", true},
		{"after the go, in the caller's caller", `package p
type T struct { m map[int]int }
func (t *T) Run() { t.begin(); t.get() }
func (t *T) begin() { t.start() }
func (t *T) start() { go t.put() }
func (t *T) put() { t.m[1] = 1 }
func (t *T) get() int { return t.m[1] }
`, "T.put", "T.get", true},
		{"a pool", `package p
type T struct { m map[int]int }
func (t *T) Run() { for range 4 { go t.put() } }
func (t *T) put() { t.m[1] = 1 }
`, "T.put", "T.put", true},
		{"objects of their own", `package p
type T struct { m map[int]int }
func Run() { for range 4 { t := &T{m: map[int]int{}}; go t.put() } }
func (t *T) put() { t.m[1] = 1 }
`, "T.put", "T.put", false},
	} {
		th, p := program(t, c.src)
		a, b := site(t, p, c.a), site(t, p, c.b)
		m, got := th.Meet(a, b, nil)
		if got != c.want {
			t.Errorf("%s: Meet(%s, %s) = %v (%v), want %v", c.name, c.a, c.b, got, m.How, c.want)
		}
		if _, back := th.Meet(b, a, nil); back != got {
			t.Errorf("%s: Meet is not symmetric", c.name)
		}
	}
}

// site returns the last access that a function makes itself.
func site(t *testing.T, p *infer.Package, name string) *infer.Site {
	t.Helper()
	f := fn(t, p, name)
	for _, pl := range p.Places() {
		for i := range slices.Backward(pl.Sites) {
			if s := &pl.Sites[i]; s.Func == f {
				return s
			}
		}
	}
	t.Fatalf("%s makes no access", name)
	return nil
}
