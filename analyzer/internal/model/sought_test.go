package model

import (
	"go/token"
	"go/types"
	"testing"
)

// function makes a function, or a method of a struct, with so many parameters and results.
func function(path, name string, method bool, params, results int) *types.Func {
	pkg := types.NewPackage(path, path[len(path)-1:])
	vars := func(n int) *types.Tuple {
		var out []*types.Var
		for range n {
			out = append(out, types.NewVar(token.NoPos, pkg, "", types.Typ[types.Int]))
		}
		return types.NewTuple(out...)
	}
	var recv *types.Var
	if method {
		recv = types.NewVar(token.NoPos, pkg, "", types.NewStruct(nil, nil))
	}
	return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(recv, nil, nil, vars(params), vars(results), false))
}

func TestSought(t *testing.T) {
	for _, c := range []struct {
		name            string
		params, results int
		want            bool
	}{
		{"Get", 0, 1, true}, {"Get", 1, 1, false}, {"Set", 1, 1, true}, {"Set", 2, 0, false}, {"Len", 0, 1, true},
		{"ExecContext", 3, 2, true}, {"ExecContext", 2, 1, false}, {"Halt", 0, 0, false},
	} {
		if got := Sought(function("example.org/a", c.name, true, c.params, c.results)); got != c.want {
			t.Errorf("%s/%d/%d: %v, want %v", c.name, c.params, c.results, got, c.want)
		}
	}
}

func TestReflects(t *testing.T) {
	for _, c := range []struct {
		path, name string
		want       bool
	}{
		{"net/rpc", "Register", true}, {"net/rpc", "Accept", false}, {"reflect", "ValueOf", true}, {"reflect", "TypeOf", false},
		{"html/template", "ExecuteTemplate", true}, {"text/template", "Parse", false}, {"example.org/rpc", "Register", false},
	} {
		if got := Reflects(function(c.path, c.name, false, 1, 1)); got != c.want {
			t.Errorf("%s.%s: %v, want %v", c.path, c.name, got, c.want)
		}
	}
}

func TestSetsReflected(t *testing.T) {
	for _, c := range []struct {
		path, name string
		method     bool
		want       bool
	}{
		{"reflect", "Set", true, true}, {"reflect", "Kind", true, true}, {"reflect", "Call", true, false}, {"reflect", "Method", true, false},
		{"reflect", "Set", false, false}, {"example.org/reflect", "Set", true, false},
	} {
		if got := SetsReflected(function(c.path, c.name, c.method, 1, 1)); got != c.want {
			t.Errorf("%s.%s: %v, want %v", c.path, c.name, got, c.want)
		}
	}
}
