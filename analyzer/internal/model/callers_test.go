package model

import (
	"go/token"
	"go/types"
	"testing"
)

func TestCallerOf(t *testing.T) {
	of := func(path, name string) types.Type {
		obj := types.NewTypeName(token.NoPos, types.NewPackage(path, "p"), name, nil)
		return types.NewNamed(obj, types.NewStruct(nil, nil), nil)
	}
	for typ, want := range map[types.Type]Caller{
		of("github.com/spf13/cobra", "Command"):                         MainCaller,
		of("github.com/spf13/cobra", "Group"):                           AnyCaller,
		of("example.org/cobra", "Command"):                              AnyCaller,
		of("k8s.io/client-go/tools/cache", "ResourceEventHandlerFuncs"): OneCaller,
		types.Universe.Lookup("error").Type():                           AnyCaller,
		types.NewPointer(of("github.com/urfave/cli/v2", "Command")):     AnyCaller,
		types.NewStruct(nil, nil):                                       AnyCaller,
	} {
		if got := CallerOf(typ); got != want {
			t.Errorf("%s: %d, want %d", typ, got, want)
		}
	}
}
