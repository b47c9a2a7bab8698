package witness

import (
	"go/types"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// A map is boxed if the container that has it holds values of an interface.
func TestBoxed(t *testing.T) {
	str, any := types.Typ[types.String], types.NewInterfaceType(nil, nil)
	inner := types.NewMap(str, types.Typ[types.Int])
	for _, c := range []struct {
		t     types.Type
		elems int
		want  bool
	}{
		{types.NewMap(str, any), 0, false}, {types.NewMap(str, any), 1, true}, {types.NewMap(str, inner), 1, false},
		{types.NewSlice(any), 1, true}, {types.NewSlice(inner), 1, false}, {types.NewArray(types.NewMap(str, any), 3), 2, true},
		{types.NewArray(types.NewMap(str, any), 3), 1, false},
	} {
		v := types.NewVar(0, nil, "v", c.t)
		if got := boxed(accesspath.Location{Var: v, Elems: c.elems}); got != c.want {
			t.Errorf("%s, %d elements down: %t, want %t", c.t, c.elems, got, c.want)
		}
	}
}
