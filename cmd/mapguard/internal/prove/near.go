package prove

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxNear bounds the tests that are chosen for all findings together, and
// minNear is how many one has in any case.
const (
	maxNear = 12
	minNear = 2
)

// near writes a pattern for the tests from which the fewest calls lead to what
// is not confirmed; it is empty where none does. Names tell, since tests are not
// type-checked: a test too many costs time, and shows nothing wrong.
func (s *session) near(r *reach) string {
	var open []*target
	for _, t := range s.list {
		if t.why == "" && slices.Contains(r.of, t.Package) && s.log.confirmed[t.id] == nil {
			open = append(open, t)
		}
	}
	tests := readTests(s.dirOf(r.tests))
	var chosen []string
	for _, t := range open {
		list := tests.nearest(s.calls.leading(s.module, t))
		for _, name := range list[:min(len(list), max(minNear, maxNear/len(open)))] {
			if !slices.Contains(chosen, name) {
				chosen = append(chosen, name)
			}
		}
	}
	if len(chosen) == 0 {
		return ""
	}
	return "^(" + strings.Join(append(chosen, triggerName), "|") + ")$"
}

// leading tells how many calls lead from functions to a finding, by their names.
func (g *callGraph) leading(m *module, t *target) map[string]int {
	far := make(map[string]int)
	seen := make(map[*types.Func]bool)
	var level []*types.Func
	reach := func(fn *types.Func) {
		if fn != nil && !seen[fn] {
			seen[fn] = true
			level = append(level, fn)
		}
	}
	t.of(m, func(op *operation) { reach(op.declaration()) })
	for _, op := range t.own() {
		reach(op.declaration())
	}
	for n := 0; len(level) > 0; n++ {
		last := level
		level = nil
		for _, fn := range last {
			if _, ok := far[fn.Name()]; !ok {
				far[fn.Name()] = n
			}
			for _, c := range g.callers[fn] {
				reach(c)
			}
			if fn.Signature().Recv() != nil {
				for _, c := range g.behind[fn.Name()] {
					reach(c)
				}
			}
		}
	}
	return far
}

// A testSource is what the functions of test files mention, by name; types
// mention their methods.
type testSource struct {
	names    map[string]bool // of tests
	mentions map[string][]string
}

func readTests(dir string) *testSource {
	out := &testSource{make(map[string]bool), make(map[string][]string)}
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if f, err := parse(src); err == nil {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					out.add(fn)
				}
			}
		}
	}
	return out
}

func (s *testSource) add(fn *ast.FuncDecl) {
	name := fn.Name.Name
	if fn.Recv == nil && strings.HasPrefix(name, "Test") && name != "TestMain" {
		s.names[name] = true
	}
	tester := ""
	if p := fn.Type.Params.List; len(p) > 0 && len(p[0].Names) == 1 {
		tester = p[0].Names[0].Name // its methods have common names
	}
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		ast.Inspect(fn.Recv.List[0].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				s.mentions[id.Name] = append(s.mentions[id.Name], name)
			}
			return true
		})
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == tester && s.names[name] {
				return false
			}
		case *ast.Ident:
			s.mentions[name] = append(s.mentions[name], n.Name)
		}
		return true
	})
}

// maxSteps bounds the helpers of tests through which one is reached.
const maxSteps = 6

// nearest lists the tests that lead to named functions, those with the fewest
// steps first.
func (s *testSource) nearest(far map[string]int) []string {
	far = maps.Clone(far)
	for changed, n := true, 0; changed && n < maxSteps; n++ {
		changed = false
		for _, name := range sortedKeys(s.mentions) {
			for _, other := range s.mentions[name] {
				if d, ok := far[other]; ok {
					if was, ok := far[name]; !ok || d+1 < was {
						far[name], changed = d+1, true
					}
				}
			}
		}
	}
	var out []string
	for _, name := range sortedKeys(s.names) {
		if _, ok := far[name]; ok {
			out = append(out, name)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(far[a], far[b]) })
	return out
}
