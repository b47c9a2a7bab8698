package analyzer_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	module   = "github.com/mapguard/mapguard"
	internal = module + "/analyzer/internal/"
)

// layers are the packages of the engine, each of which imports only those
// above it. A new package gets a line here; a new rule, below check/, needs
// none.
var layers = []string{
	"ssautil",             // what SSA lacks
	"accesspath", "model", // storage, the library
	"config",   // the configuration file
	"role",     // what names and comments say
	"callback", // what becomes of function values
	"locks",
	"ownership",
	"access",
	"depend",
	"summary",
	"outside",
	"ssabuild",
	"transfer",
	"infer",
	"records",
	"conduct", // what functions do while locks are held
	"threads", "guard",
	"sharing",
	"witness",
	"check",
	"check/…", // the rules, which do not know each other
	"check/registry",
	"suppress",
	"fix",
	"report",
	"trial", "rewrite", // test support, which nothing imports
	"explore/program", "explore/machine", "explore/generate", "explore/shrink", // the differential test …
	"explore", // … that nothing else knows
}

// driverless are the packages that know nothing of go/analysis: what they
// compute does not depend on who runs it.
var driverless = []string{
	"ssautil", "accesspath", "model", "role", "callback", "locks", "ownership", "access", "depend", "summary", "transfer", "infer", "conduct", "threads", "sharing", "witness", "check", "check/…", "check/registry", "suppress",
}

// layer returns the entry of layers that an import path belongs to.
func layer(importPath string) string {
	name := strings.TrimPrefix(importPath, internal)
	if strings.HasPrefix(name, "check/") && name != "check/registry" {
		return "check/…"
	}
	return name
}

// A source is one package's files, test files left out.
type source struct {
	files   []*ast.File
	imports map[string]bool
}

// sources parses the packages below a directory of the module.
func sources(t *testing.T, dir string) map[string]*source {
	t.Helper()
	out := make(map[string]*source)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return err
		}
		importPath := path.Join(module, filepath.ToSlash(strings.TrimPrefix(filepath.Dir(name), "..")))
		s := out[importPath]
		if s == nil {
			s = &source{imports: make(map[string]bool)}
			out[importPath] = s
		}
		s.files = append(s.files, file)
		for _, spec := range file.Imports {
			s.imports[strings.Trim(spec.Path.Value, `"`)] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func engine(t *testing.T) map[string]*source {
	t.Helper()
	pkgs := sources(t, filepath.Join("..", "analyzer"))
	for _, name := range []string{"accesspath", "locks", "check", "report"} {
		if pkgs[internal+name] == nil {
			t.Fatalf("no sources of %s", name)
		}
	}
	return pkgs
}

// Each layer imports only those above it.
func TestLayers(t *testing.T) {
	pkgs := engine(t)
	for _, importPath := range slices.Sorted(maps.Keys(pkgs)) {
		if !strings.HasPrefix(importPath, internal) {
			continue
		}
		self := slices.Index(layers, layer(importPath))
		if self < 0 {
			t.Errorf("%s has no place in the list of layers", importPath)
			continue
		}
		for _, imp := range slices.Sorted(maps.Keys(pkgs[importPath].imports)) {
			if !strings.HasPrefix(imp, internal) {
				continue
			}
			if other := slices.Index(layers, layer(imp)); other >= self {
				t.Errorf("%s imports %s, which is not above it", importPath, imp)
			}
		}
	}
}

// Programs for a test are of no use to anything else.
func TestNothingImportsTestSupport(t *testing.T) {
	for importPath, src := range engine(t) {
		if src.imports[internal+"rewrite"] || src.imports[internal+"trial"] {
			t.Errorf("%s imports test support", importPath)
		}
	}
}

// The differential test is support for tests: nothing of the engine knows it,
// and what it holds to be true does not come from the engine. Its own test
// compares the two.
func TestExploreStandsApart(t *testing.T) {
	isPart := func(importPath string) bool {
		name := strings.TrimPrefix(importPath, internal)
		return name == "explore" || strings.HasPrefix(name, "explore/")
	}
	for importPath, src := range engine(t) {
		for imp := range src.imports {
			if strings.HasPrefix(imp, module) && isPart(importPath) != isPart(imp) {
				t.Errorf("%s imports %s", importPath, imp)
			}
		}
	}
}

// A rule sees summaries, never an instruction.
func TestRulesSeeNoInstruction(t *testing.T) {
	for importPath, src := range engine(t) {
		if name := layer(importPath); name != "check" && name != "check/…" && name != "check/registry" {
			continue
		}
		for imp := range src.imports {
			if strings.HasPrefix(imp, "golang.org/x/tools/go/ssa") || imp == internal+"transfer" || imp == internal+"ssabuild" {
				t.Errorf("%s imports %s", importPath, imp)
			}
		}
		for _, file := range src.files {
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if ok && sel.Sel.Name == "Name" {
					return false // what a function is called is no instruction
				}
				if ok && sel.Sel.Name == "SSA" {
					t.Errorf("%s reaches through to a function's SSA", importPath)
				}
				return true
			})
		}
	}
}

// What the engine computes does not depend on the driver, and only report and
// fix make diagnostics.
func TestOnlyReportMakesDiagnostics(t *testing.T) {
	diagnostics := []string{"Diagnostic", "RelatedInformation", "SuggestedFix", "TextEdit"}
	for importPath, src := range engine(t) {
		name := layer(importPath)
		if slices.Contains(driverless, name) && src.imports["golang.org/x/tools/go/analysis"] {
			t.Errorf("%s imports go/analysis", importPath)
		}
		if name == "report" || name == "fix" || importPath == module+"/analyzer/gclplugin" {
			continue // the plugin changes those that were made, and makes none
		}
		for _, file := range src.files {
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				x, ok := sel.X.(*ast.Ident)
				if !ok {
					return true
				}
				if x.Name == "analysis" && slices.Contains(diagnostics, sel.Sel.Name) || x.Name == "pass" && strings.HasPrefix(sel.Sel.Name, "Report") {
					t.Errorf("%s uses %s.%s", importPath, x.Name, sel.Sel.Name)
				}
				return true
			})
		}
	}
}

// The analyzer is a library: it knows nothing of the commands.
func TestAnalyzerImportsNoCommand(t *testing.T) {
	for importPath, src := range engine(t) {
		for imp := range src.imports {
			if strings.HasPrefix(imp, module+"/cmd") || strings.HasSuffix(imp, "checker") && strings.HasPrefix(imp, "golang.org/x/tools/go/analysis/") {
				t.Errorf("%s imports %s", importPath, imp)
			}
		}
	}
	for importPath, src := range sources(t, filepath.Join("..", "cmd")) {
		for imp := range src.imports {
			if strings.HasPrefix(imp, internal) {
				t.Errorf("%s imports %s past the analyzer's own API", importPath, imp)
			}
		}
	}
}
