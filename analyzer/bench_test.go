package analyzer_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/internal/ssabuild"
)

// newPass returns a pass over a type-checked package whose imports have no
// facts, and which drops what is reported.
func newPass(a *analysis.Analyzer, fset *token.FileSet, files []*ast.File, pkg *types.Package, info *types.Info) *analysis.Pass {
	return &analysis.Pass{
		Analyzer: a, Fset: fset, Files: files, Pkg: pkg, TypesInfo: info,
		TypesSizes:        types.SizesFor("gc", runtime.GOARCH),
		ResultOf:          map[*analysis.Analyzer]any{},
		Report:            func(analysis.Diagnostic) {},
		ReadFile:          os.ReadFile,
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportObjectFact:  func(types.Object, analysis.Fact) {},
		ExportPackageFact: func(analysis.Fact) {},
		AllObjectFacts:    func() []analysis.ObjectFact { return nil },
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
	}
}

func run1(tb testing.TB, pass *analysis.Pass) {
	tb.Helper()
	if _, err := pass.Analyzer.Run(pass); err != nil {
		tb.Fatal(err)
	}
}

// load type-checks one package, its dependencies read from export data.
func load(tb testing.TB, path string) *analysis.Pass {
	tb.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedExportFile,
	}, path)
	if err != nil {
		tb.Fatal(err)
	}
	p := pkgs[0]
	for _, err := range p.Errors {
		tb.Fatal(err)
	}
	return newPass(analyzer.New(analyzer.Config{Std: true}), p.Fset, p.Syntax, p.Types, p.TypesInfo)
}

// BenchmarkPackage runs the analyzer over large packages that are loaded and
// type-checked beforehand. What of it is building SSA is benchmarked apart.
func BenchmarkPackage(b *testing.B) {
	for _, path := range []string{"net/http", "go/types"} {
		pass := load(b, path)
		b.Run(path+"/all", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run1(b, pass)
			}
		})
		over := analyzer.Over(pass)
		b.Run(path+"/analysis", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				over()
			}
		})
		b.Run(path+"/ssa", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buildSSA(pass)
			}
		})
	}
}

func buildSSA(pass *analysis.Pass) *ssabuild.Program {
	return ssabuild.Build(pass, func(*types.Func) bool { return false }, false)
}

// A family is a package in any size.
type family struct {
	name string
	make func(n int) string
}

const head = "package p\n\nimport \"sync\"\n\ntype cache struct {\n\tmu sync.Mutex\n\tm map[string]*int\n}\n\nvar shared = cache{m: map[string]*int{}}\n\n"

var families = []family{
	// Each function has a map of its own.
	{"own", func(n int) string {
		return repeat(n, "type T%[1]d struct {\n\tmu sync.RWMutex\n\tm map[string]*int\n}\n\n"+
			"func (t *T%[1]d) Get(k string) *int {\n\tt.mu.RLock()\n\tv, ok := t.m[k]\n\tt.mu.RUnlock()\n"+
			"\tif !ok {\n\t\tv = new(int)\n\t\tt.mu.Lock()\n\t\tt.m[k] = v\n\t\tt.mu.Unlock()\n\t}\n\treturn v\n}\n\n")
	}},
	// All functions share one map.
	{"shared", func(n int) string {
		return repeat(n, "func F%[1]d(k string) *int {\n\tif v, ok := shared.m[k]; ok {\n\t\treturn v\n\t}\n"+
			"\tshared.mu.Lock()\n\tdefer shared.mu.Unlock()\n\tv := new(int)\n\tshared.m[k] = v\n\treturn v\n}\n\n")
	}},
	// Each function calls the next.
	{"chain", func(n int) string {
		return repeat(n, "func (c *cache) f%[1]d(k string) {\n\tif _, ok := c.m[k]; !ok {\n\t\tc.f%[2]d(k)\n\t\tc.m[k] = nil\n\t}\n}\n\n") +
			fmt.Sprintf("func (c *cache) f%d(k string) {}\n", n)
	}},
	// All functions call each other through one.
	{"hub", func(n int) string {
		var calls strings.Builder
		for i := range n {
			fmt.Fprintf(&calls, "\tc.f%d(k)\n", i)
		}
		return repeat(n, "func (c *cache) f%[1]d(k string) {\n\tif c.m[k] == nil {\n\t\tc.hub(k)\n\t\tdelete(c.m, k)\n\t}\n}\n\n") +
			"func (c *cache) hub(k string) {\n" + calls.String() + "}\n"
	}},
	// One function does it all.
	{"long", func(n int) string {
		var body strings.Builder
		for i := range n {
			fmt.Fprintf(&body, "\tif c.m[k+%q] == nil {\n\t\tc.mu.Lock()\n\t\tc.m[k+%q] = v\n\t\tc.mu.Unlock()\n\t}\n", fmt.Sprint(i), fmt.Sprint(i))
		}
		return "func (c *cache) long(k string, v *int) {\n" + body.String() + "}\n"
	}},
	// One function chooses by a text among many, as generated servers do.
	{"switch", func(n int) string {
		var body strings.Builder
		for i := range n {
			fmt.Fprintf(&body, "\tcase %q:\n\t\tdelete(c.m, %q)\n", "Type."+fmt.Sprint(i), fmt.Sprint(i))
		}
		return "func (c *cache) choose(k string) {\n\tswitch k {\n" + body.String() + "\t}\n}\n"
	}},
	// Goroutines, each in its own function.
	{"spawned", func(n int) string {
		return repeat(n, "func (c *cache) Start%[1]d(k string) {\n\tgo func() {\n\t\tc.m[k] = nil\n\t}()\n\tdelete(c.m, k)\n}\n\n")
	}},
}

// doubled is a package of n types, each with a lock and maps of its own, whose
// methods call the next type's: functions, locks and the depth of calls all grow
// with n.
var doubled = family{"doubled", func(n int) string {
	return repeat(n, "type T%[1]d struct {\n\tmu sync.RWMutex\n\tm map[string]*T%[2]d\n\tseen map[string]int\n\tc sync.Map\n}\n\n"+
		"func (t *T%[1]d) has(k string) bool {\n\tt.mu.RLock()\n\tdefer t.mu.RUnlock()\n\t_, ok := t.m[k]\n\treturn ok\n}\n\n"+
		"func (t *T%[1]d) set(k string, v *T%[2]d) {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\tt.m[k] = v\n}\n\n"+
		"func (t *T%[1]d) Ensure(k string) {\n\tif !t.has(k) {\n\t\tv := &T%[2]d{}\n\t\tv.Ensure(k)\n\t\tt.set(k, v)\n\t}\n}\n\n"+
		"func (t *T%[1]d) Inner(k string) {\n\tt.mu.RLock()\n\tv := t.m[k]\n\tt.mu.RUnlock()\n\tv.Count(k)\n\tgo func() { t.seen[k] = 1 }()\n}\n\n"+
		"func (t *T%[1]d) Count(k string) {\n\tt.seen[k]++\n\tif _, ok := t.c.Load(k); !ok {\n\t\tt.c.Store(k, t)\n\t}\n}\n\n"+
		"func (t *T%[1]d) Drop(k string) {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\tif v := t.m[k]; v != nil {\n\t\tdelete(t.m, k)\n\t}\n}\n\n") +
		fmt.Sprintf("type T%[1]d struct{}\n\nfunc (t *T%[1]d) Ensure(k string) {}\nfunc (t *T%[1]d) Count(k string) {}\n", n)
}}

// repeat writes n pieces, each with its number and the next.
func repeat(n int, piece string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, piece, i, i+1)
	}
	return b.String()
}

// generate type-checks a family's package of n functions.
func generate(tb testing.TB, f family, n int) *analysis.Pass {
	tb.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", head+f.make(n), parser.ParseComments)
	if err != nil {
		tb.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	files := []*ast.File{file}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("example.org/p", fset, files, info)
	if err != nil {
		tb.Fatal(err)
	}
	return newPass(analyzer.New(analyzer.Config{}), fset, files, pkg, info)
}

// BenchmarkGrowth doubles the code of each family: where the time per op more
// than doubles, something is not linear.
func BenchmarkGrowth(b *testing.B) {
	for _, f := range families {
		for _, n := range []int{100, 200, 400} {
			pass := generate(b, f, n)
			b.Run(fmt.Sprintf("%s/%d", f.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					run1(b, pass)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/piece")
			})
		}
	}
}

// BenchmarkExponent runs packages of the doubled family, each twice the one
// before, and reports the exponents with which time and memory grow: the slopes
// of the least-squares lines through the logarithms. One is linear.
func BenchmarkExponent(b *testing.B) {
	var size, seconds, bytes []float64
	for n := 100; n <= 1600; n *= 2 {
		pass := generate(b, doubled, n)
		run1(b, pass) // what is made once is made
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		const rounds = 5
		best := time.Hour // what else the machine does only ever adds
		for range rounds {
			begin := time.Now()
			run1(b, pass)
			best = min(best, time.Since(begin))
		}
		runtime.ReadMemStats(&after)
		size = append(size, math.Log(float64(n)))
		seconds = append(seconds, math.Log(best.Seconds()))
		bytes = append(bytes, math.Log(float64(after.TotalAlloc-before.TotalAlloc)/rounds))
		b.Logf("%d types, %d functions: %.0f ms, %.1f MB", n, 6*n, best.Seconds()*1e3, float64(after.TotalAlloc-before.TotalAlloc)/rounds/1e6)
	}
	for b.Loop() { // the figures are exponents, not times
	}
	b.ReportMetric(slope(size, seconds), "time-exponent")
	b.ReportMetric(slope(size, bytes), "memory-exponent")
	b.ReportMetric(0, "ns/op")
}

// slope fits a line by least squares.
func slope(x, y []float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := range x {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	n := float64(len(x))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// Twice the code costs about twice the allocations. Time would tell more and
// is what BenchmarkGrowth shows; allocations do not depend on the machine.
func TestGrowthIsLinear(t *testing.T) {
	const most = 2.22 // an exponent of 1.15
	for _, f := range append(families[:len(families):len(families)], doubled) {
		t.Run(f.name, func(t *testing.T) {
			small, large := generate(t, f, 200), generate(t, f, 400)
			s := testing.AllocsPerRun(1, func() { run1(t, small) })
			l := testing.AllocsPerRun(1, func() { run1(t, large) })
			if l > most*s {
				t.Errorf("200 pieces take %.0f allocations, 400 take %.0f", s, l)
			}
		})
	}
}

// The analyzer changes nothing that it is given: two runs over one pass agree.
func TestRunTwice(t *testing.T) {
	pass := generate(t, families[1], 20)
	var runs [2][]analysis.Diagnostic
	for i := range runs {
		pass.Report = func(d analysis.Diagnostic) { runs[i] = append(runs[i], d) }
		run1(t, pass)
	}
	if len(runs[0]) == 0 || !reflect.DeepEqual(runs[0], runs[1]) {
		t.Errorf("first run: %d findings, second: %d, not the same", len(runs[0]), len(runs[1]))
	}
}
