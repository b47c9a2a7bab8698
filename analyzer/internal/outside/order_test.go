package outside

import (
	"fmt"
	"go/types"
	"slices"
	"testing"
)

// TestCompareVar orders locks by package, name and place, the same in each run.
func TestCompareVar(t *testing.T) {
	a, b := types.NewPackage("example.org/a", "a"), types.NewPackage("example.org/b", "b")
	field := func(pkg *types.Package, name string, pos int) *types.Var {
		return types.NewField(locksOf[pos].Pos(), pkg, name, types.Typ[types.Int], false)
	}
	want := []*types.Var{field(nil, "mu", 0), field(a, "mu", 0), field(a, "mu", 1), field(a, "other", 0), field(b, "mu", 0)}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareVar)
	if !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// TestOrderOfRuns solves the same records again and again: what leads to a function is in one order, since what
// follows it upwards is bounded.
func TestOrderOfRuns(t *testing.T) {
	r := &Record{
		Path:  "app",
		Funcs: map[Name]Decl{"app.main": {Short: "main"}, "app.call": {Short: "call"}},
		Refs:  []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.call", Loose: true}},
		Runs:  []Run{{From: Anyone, To: "app.call"}},
	}
	for i := range 12 {
		variable := Name(fmt.Sprintf("%sapp.v%d", variablePrefix, i))
		r.Leads = append(r.Leads, Lead{From: variable, To: "app.call"})
	}
	var want []Run
	for i := range 20 {
		got := solved([]*Record{r}, all{}, nil).runs["app.call"]
		if i == 0 {
			want = got
		}
		if len(got) < 12 || !slices.Equal(got, want) {
			t.Fatalf("the runs are %v, and were %v", got, want)
		}
	}
}

// TestOrderOfWays asks the same of the methods that interfaces call.
func TestOrderOfWays(t *testing.T) {
	s := &solver{ways: make(map[way]bool)}
	for i := range 12 {
		s.ways[way{"app.I#M", Name(fmt.Sprintf("app.T%02d.M", i))}] = true
		s.ways[way{"app.H#M", Name(fmt.Sprintf("app.T%02d.M", i))}] = true
	}
	got := s.waysInOrder()
	if len(got) != 24 || got[0].called != "app.H#M" || got[0].method != "app.T00.M" || got[23].method != "app.T11.M" {
		t.Errorf("the ways are %v", got)
	}
}
