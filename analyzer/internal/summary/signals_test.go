package summary

import (
	"go/types"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

func TestSignalsString(t *testing.T) {
	paths := new(accesspath.Table)
	variable := func(name string) accesspath.Path {
		v := types.NewVar(0, types.NewPackage("p", "p"), name, types.Typ[types.Int])
		return paths.Root(accesspath.Root{Kind: accesspath.Global, Obj: v})
	}
	for _, c := range []struct {
		s    Signals
		want string
	}{
		{Signals{Any: true}, "any"}, {Signals{}, "{}"}, {Signals{On: []accesspath.Path{variable("b"), variable("a")}}, "{a b}"},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
