package model

import (
	"go/token"
	"go/types"
	"testing"
)

func TestAwaits(t *testing.T) {
	pkg := types.NewPackage("example.org/lib", "lib")
	for name, want := range map[string]bool{
		"Wait": true, "WaitForSync": true, "ListenAndServeTLS": true, "Accept": true, "RecvMsg": true,
		"Open": false, "Waiter": false, "Server": false, "ReadAll": false, "Dial": false,
	} {
		fn := types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
		if got := Awaits(fn); got != want {
			t.Errorf("%s awaits: %v, want %v", name, got, want)
		}
	}
	if !Awaits(nil) {
		t.Error("what has no name may wait")
	}
}
