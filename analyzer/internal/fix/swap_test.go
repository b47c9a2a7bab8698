package fix

import (
	"go/types"
	"testing"
)

// A value that CompareAndSwap can compare is equal to itself.
func TestStrict(t *testing.T) {
	str, num, real := types.Typ[types.String], types.Typ[types.Int], types.Typ[types.Float64]
	field := func(t types.Type) *types.Var { return types.NewField(0, nil, t.String(), t, false) }
	for _, c := range []struct {
		t    types.Type
		want bool
	}{
		{str, true}, {num, true}, {types.Typ[types.Bool], true}, {types.NewPointer(real), true}, {types.NewChan(types.SendRecv, real), true},
		{types.NewArray(num, 2), true}, {types.NewStruct([]*types.Var{field(num), field(str)}, nil), true},
		{real, false}, {types.Typ[types.Complex128], false}, {types.NewArray(real, 2), false}, {types.NewSlice(num), false},
		{types.NewStruct([]*types.Var{field(num), field(real)}, nil), false}, {types.NewInterfaceType(nil, nil), false},
	} {
		if got := strict(c.t); got != c.want {
			t.Errorf("%s: %t, want %t", c.t, got, c.want)
		}
	}
}
