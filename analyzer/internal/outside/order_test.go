package outside

import (
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
