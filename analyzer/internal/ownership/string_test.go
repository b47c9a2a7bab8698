package ownership

import (
	"go/types"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

func TestStateString(t *testing.T) {
	var table accesspath.Table
	root := table.Root(accesspath.Root{Kind: accesspath.Global, Obj: types.NewVar(0, types.NewPackage("p", "p"), "g", types.Typ[types.Int])})
	field := table.Field(root, types.NewField(0, nil, "f", types.Typ[types.Int], false))
	s := newState(func(accesspath.Root) Value { return Owned })
	s.set(root, Owned)
	s.set(field, Shared)
	lost := s
	lost.lost = true
	for _, c := range []struct {
		s    State
		want string
	}{
		{State{}, "unreached"}, {lost, "too many objects to tell apart: all are taken for shared"}, {s, "g owned; g.f shared"},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := Attached.String(); got != "attached" {
		t.Errorf("custody is %q", got)
	}
}
