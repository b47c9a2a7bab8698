package model

import (
	"go/token"
	"go/types"
	"testing"
)

func TestAwaits(t *testing.T) {
	pkg := types.NewPackage("example.org/lib", "lib")
	for name, want := range map[string]bool{
		"Wait": true, "WaitForSync": true, "ListenAndServeTLS": true, "Accept": true, "RecvMsg": true, "Block": true, "BlockUntilDone": true,
		"Open": false, "Waiter": false, "Server": false, "ReadAll": false, "Dial": false,
	} {
		fn := types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
		if got := Awaits(fn); got != want {
			t.Errorf("%s awaits: %v, want %v", name, got, want)
		}
	}
	for name, want := range map[string]bool{"BlockID": false, "NextRun": false, "Next": true, "WaitID": true} {
		results := types.NewTuple(types.NewVar(token.NoPos, pkg, "", types.Typ[types.Int]))
		fn := types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, nil, results, false))
		if got := Awaits(fn); got != want {
			t.Errorf("%s, which gives a number, awaits: %v, want %v", name, got, want)
		}
	}
	for _, closes := range []bool{true, false} {
		made := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Made", nil), types.NewStruct(nil, nil), nil)
		if closes {
			recv := types.NewVar(token.NoPos, pkg, "", made)
			made.AddMethod(types.NewFunc(token.NoPos, pkg, "Close", types.NewSignatureType(recv, nil, nil, nil, nil, false)))
		}
		results := types.NewTuple(types.NewVar(token.NoPos, pkg, "", made), types.NewVar(token.NoPos, pkg, "", types.Universe.Lookup("error").Type()))
		for _, name := range []string{"Listen", "ListenPacket"} {
			fn := types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(nil, nil, nil, nil, results, false))
			if Awaits(fn) == closes {
				t.Errorf("%s, which gives what can be closed: %v, awaits: %v", name, closes, !closes)
			}
		}
	}
	if !Awaits(nil) {
		t.Error("what has no name may wait")
	}
}

func TestLingersAndSignals(t *testing.T) {
	for _, c := range []struct {
		path, name       string
		lingers, signals bool
	}{
		{"time", "Sleep", true, false}, {"time", "Now", false, false}, {"example.org/server", "Shutdown", true, false}, {"example.org/server", "GracefulStop", true, false},
		{"sync", "Done", false, true}, {"sync", "Lock", false, false}, {"sync/atomic", "StoreInt32", false, true}, {"example.org/group", "Done", false, false},
	} {
		fn := function(c.path, c.name, false, 0, 0)
		if Lingers(fn) != c.lingers || Signals(fn) != c.signals {
			t.Errorf("%s.%s: lingers %v, signals %v", c.path, c.name, Lingers(fn), Signals(fn))
		}
	}
}

func TestRunsOthers(t *testing.T) {
	for program, want := range map[string]bool{
		"sh": true, "/bin/sh": true, `C:\Windows\cmd.exe`: true, "": true, "iptables": false, "/usr/sbin/ip": false,
	} {
		if got := RunsOthers(program); got != want {
			t.Errorf("%q: %v, want %v", program, got, want)
		}
	}
}
