package gclplugin

import (
	"flag"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapguard/mapguard/analyzer"
)

// built returns the analyzer as golangci-lint gets it.
func built(t *testing.T, settings any) *analysis.Analyzer {
	t.Helper()
	newPlugin, err := register.GetPlugin("mapguard")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPlugin(settings)
	if err != nil {
		t.Fatal(err)
	}
	if p.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("load mode %s: no types without %s", p.GetLoadMode(), register.LoadModeTypesInfo)
	}
	as, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(as); err != nil {
		t.Error(err)
	}
	if len(as) != 1 || as[0].Name != Name {
		t.Fatalf("analyzers %v, want one with the linter's name: golangci-lint puts any other in front of messages", as)
	}
	return as[0]
}

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		settings any
		want     analyzer.Config
	}{
		{nil, analyzer.Config{}},
		{map[string]any{}, analyzer.Config{}},
		{map[string]any{"confidence": "high"}, analyzer.Config{Confidence: "high"}},
		{map[string]any{"confidence": "low", "tests": true, "std": true}, analyzer.Config{Confidence: "low", Tests: true, Std: true}},
		{map[string]any{"tests": false}, analyzer.Config{}},
		{map[string]any{"config": "none"}, analyzer.Config{File: "none"}},
		{map[string]any{"only": "split-lock, sync-map"}, analyzer.Config{Only: []string{"split-lock", "sync-map"}}},
		{map[string]any{"skip": []any{"map-escape", "rlock-write"}}, analyzer.Config{Skip: []string{"map-escape", "rlock-write"}}},
	} {
		c.want.LeaveNolint = true
		if got, err := decode(c.settings); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %+v, %v, want %+v", c.settings, got, err, c.want)
		}
	}
}

// categoryNames are all categories, as messages list them.
const categoryNames = "check-then-act, split-lock, sync-map, rlock-write, map-escape, goroutine-race, unguarded-access, directive"

func TestSettingsWrong(t *testing.T) {
	for _, c := range []struct {
		settings any
		want     string
	}{
		{map[string]any{"confidense": "high"}, `mapguard has no setting "confidense": it takes confidence, config, only, skip, std, tests`},
		{map[string]any{"confidence": "hihg"}, `mapguard has setting confidence: "hihg": it must be low, medium or high`},
		{map[string]any{"confidence": ""}, `mapguard has setting confidence: "": it must be low, medium or high`},
		{map[string]any{"confidence": 3}, `mapguard has setting confidence: 3: it must be low, medium or high`},
		{map[string]any{"confidence": nil}, `mapguard has setting confidence: nothing: it must be low, medium or high`},
		{map[string]any{"confidence": []any{"low"}}, `mapguard has setting confidence: a list: it must be low, medium or high`},
		{map[string]any{"config": ""}, `mapguard has setting config: "": it must be the name of a file, or none`},
		{map[string]any{"config": true}, `mapguard has setting config: true: it must be the name of a file, or none`},
		{map[string]any{"only": "split-look"}, `mapguard has setting only: "split-look": no category "split-look", use one of ` + categoryNames},
		{map[string]any{"skip": []any{"sync-map", 3}}, `mapguard has setting skip: a list: no category "", use one of ` + categoryNames},
		{map[string]any{"tests": "yes"}, `mapguard has setting tests: "yes": it must be true or false, without quotes`},
		{map[string]any{"tests": 1}, `mapguard has setting tests: 1: it must be true or false, without quotes`},
		{map[string]any{"std": map[string]any{}}, `mapguard has setting std: keys with values: it must be true or false, without quotes`},
		{
			map[string]any{"tests": "a\nb", "Tests": true},
			`mapguard has no setting "Tests": it takes confidence, config, only, skip, std, tests; mapguard has setting tests: "a\nb": it must be true or false, without quotes`,
		},
		{[]any{"tests"}, `mapguard has a list for settings: they must be keys with values, such as confidence: high`},
		{"high", `mapguard has "high" for settings: they must be keys with values, such as confidence: high`},
		{struct{}{}, `mapguard has a struct {} for settings: they must be keys with values, such as confidence: high`},
	} {
		p, err := New(c.settings)
		if err == nil || err.Error() != c.want || p != nil {
			t.Errorf("%v:\n got %v, %v\nwant %s", c.settings, p, err, c.want)
		}
	}
}

// A flag of the analyzer has a setting, and a setting a flag; but for the flag
// that asks a question, which is nothing to set once and for all.
func TestSettingsAreFlags(t *testing.T) {
	var flags []string
	a := analyzer.New(analyzer.Config{})
	a.Flags.VisitAll(func(f *flag.Flag) {
		if f.Name != "why" {
			flags = append(flags, f.Name)
		}
	})
	if keys := slices.Sorted(maps.Keys(settings())); !slices.Equal(keys, flags) {
		t.Errorf("settings %q, flags %q", keys, flags)
	}
}

// withoutFacts lets facts pass that no want comment mentions.
type withoutFacts struct{ *testing.T }

func (t withoutFacts) Errorf(format string, args ...any) {
	t.Helper()
	if strings.Contains(format, "unexpected %s") && len(args) == 3 && args[1] == "fact" {
		return
	}
	t.T.Errorf(format, args...)
}

func TestFolded(t *testing.T) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	results := analysistest.Run(withoutFacts{t}, dir, built(t, nil), "mapguard.test/fold")
	n := 0
	for _, r := range results {
		for _, d := range r.Action.Diagnostics {
			n++
			if d.Related != nil {
				t.Errorf("golangci-lint makes issues of %v", d.Related)
			}
			if d.Category == "" {
				t.Errorf("no category: %s", d.Message)
			}
		}
	}
	if n == 0 {
		t.Error("no diagnostics")
	}
}

// The setting reaches the analyzer.
func TestConfidence(t *testing.T) {
	dir, err := filepath.Abs("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	count := func(settings any) (n int) {
		for _, r := range analysistest.Run(quiet{t}, dir, built(t, settings), "mapguard.test/low") {
			n += len(r.Action.Diagnostics)
		}
		return n
	}
	if low, def := count(map[string]any{"confidence": "low"}), count(nil); low == 0 || def != 0 {
		t.Errorf("%d findings at low confidence, %d at the default; want some and none", low, def)
	}
}

// quiet drops what want comments say.
type quiet struct{ *testing.T }

func (quiet) Errorf(string, ...any) {}

func TestWithoutPlace(t *testing.T) {
	fset := token.NewFileSet()
	f := fset.AddFile("/src/a/a.go", -1, 10)
	d := folded(fset, analysis.Diagnostic{
		Pos: f.Pos(0), Message: "m",
		Related: []analysis.RelatedInformation{{Message: "nowhere"}, {Pos: f.Pos(3), Message: "here"}},
	})
	if want := "m; see nowhere, a.go:1 (here)"; d.Message != want {
		t.Errorf("%q, want %q", d.Message, want)
	}
}

func TestPartialFixes(t *testing.T) {
	fset := token.NewFileSet()
	a, b := fset.AddFile("a.go", -1, 10), fset.AddFile("b.go", -1, 10)
	edit := func(f *token.File, end token.Pos) analysis.TextEdit {
		return analysis.TextEdit{Pos: f.Pos(0), End: end}
	}
	d := withoutPartialFixes(fset, analysis.Diagnostic{Pos: a.Pos(5), SuggestedFixes: []analysis.SuggestedFix{
		{Message: "both", TextEdits: []analysis.TextEdit{edit(a, a.Pos(1)), edit(b, b.Pos(1))}},
		{Message: "across", TextEdits: []analysis.TextEdit{edit(a, b.Pos(1))}},
		{Message: "own", TextEdits: []analysis.TextEdit{edit(a, a.Pos(10)), edit(a, token.NoPos)}},
	}})
	if len(d.SuggestedFixes) != 1 || d.SuggestedFixes[0].Message != "own" {
		t.Errorf("fixes left: %v, want the one that stays in its file", d.SuggestedFixes)
	}
}

// golangci-lint's cache knows analyzers by their names alone.
func TestConfigKey(t *testing.T) {
	t.Chdir(t.TempDir())
	names := func() (out []string) {
		t.Helper()
		as, err := plugin{}.BuildAnalyzers()
		if err != nil {
			t.Fatal(err)
		}
		if err := analysis.Validate(as); err != nil {
			t.Error(err)
		}
		for _, a := range as {
			out = append(out, a.Name)
		}
		return out
	}
	if got := names(); len(got) != 1 {
		t.Errorf("without a file: %v", got)
	}
	seen := make(map[string]bool)
	for _, text := range []string{"", "confidence: high\n", "confidence: low\n"} {
		if err := os.WriteFile(analyzer.ConfigName, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		got := names()
		if len(got) != 2 || seen[got[1]] {
			t.Fatalf("%q: %v, want two, the second with a name of its own", text, got)
		}
		seen[got[1]] = true
	}
}
