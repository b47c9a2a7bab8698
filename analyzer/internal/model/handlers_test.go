package model

import (
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// typeOf makes the type that spell writes so, at a path with a version.
func typeOf(spelled string, version func(path string) string) types.Type {
	rest, pointer := strings.CutPrefix(spelled, "*")
	if rest == "any" {
		return types.Universe.Lookup("any").Type()
	}
	i := strings.LastIndex(rest, ".")
	pkg := types.NewPackage(version(rest[:i]), "p")
	var t types.Type = types.NewNamed(types.NewTypeName(token.NoPos, pkg, rest[i+1:], nil), types.NewStruct(nil, nil), nil)
	if pointer {
		t = types.NewPointer(t)
	}
	return t
}

func signature(params string, version func(string) string) *types.Signature {
	var vars []*types.Var
	for _, p := range strings.Fields(params) {
		vars = append(vars, types.NewParam(token.NoPos, nil, "", typeOf(p, version)))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), nil, false)
}

func plainPath(path string) string { return path }

func TestHandlerOf(t *testing.T) {
	app := types.NewPackage("example.org/app", "app")
	for _, row := range handlers {
		if n := len(strings.Fields(row.params)); n == 0 || n > longest {
			t.Errorf("%s: %d parameters", row.params, n)
		}
		h := HandlerOf(signature(row.params, plainPath), app)
		if h == nil || h.params != row.params {
			t.Errorf("%s: %v", row.params, h)
			continue
		}
		if v2 := HandlerOf(signature(row.params, func(p string) string { return p + "/v12" }), app); v2 != h {
			t.Errorf("%s: another major version gives %v", row.params, v2)
		}
		if s, serial := SerialOf(signature(row.params, plainPath)); serial != (row.Calls != Several) || s != row.Serial {
			t.Errorf("%s: serial is %v, %v", row.params, s, serial)
		}
		if (h.Queue() != "") != (row.Calls == InTurn) {
			t.Errorf("%s: the queue is %q", row.params, h.Queue())
		}
		if row.home == "" {
			continue
		}
		for in, want := range map[string]bool{row.home: false, row.home + "/v3/internal/x": false, row.home + "-contrib": true} {
			if got := HandlerOf(signature(row.params, plainPath), types.NewPackage(in, "x")) != nil; got != want {
				t.Errorf("%s in %s: %v, want %v", row.params, in, got, want)
			}
		}
	}
	for _, params := range []string{
		"", "github.com/gin-gonic/gin.Context", "*github.com/gin-gonic/gin.Context *github.com/gin-gonic/gin.Context",
		"example.org/gin.Context", "any", "*net/http.Request net/http.ResponseWriter", "*github.com/gin-gonic/gin.Engine",
	} {
		if h := HandlerOf(signature(params, plainPath), app); h != nil {
			t.Errorf("%q is a handler: %v", params, h)
		}
	}
	basic := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(token.NoPos, nil, "", types.Typ[types.Int])), nil, false)
	if h := HandlerOf(basic, nil); h != nil {
		t.Errorf("func(int) is a handler: %v", h)
	}
}

// A request that is generic is known by its origin.
func TestGenericHandler(t *testing.T) {
	request := typeOf("connectrpc.com/connect.Request", plainPath).(*types.Named)
	param := types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.Universe.Lookup("any").Type())
	request.SetTypeParams([]*types.TypeParam{param})
	of, err := types.Instantiate(nil, request, []types.Type{types.Typ[types.Int]}, true)
	if err != nil {
		t.Fatal(err)
	}
	vars := types.NewTuple(types.NewParam(token.NoPos, nil, "", typeOf("context.Context", plainPath)), types.NewParam(token.NoPos, nil, "", types.NewPointer(of)))
	if h := HandlerOf(types.NewSignatureType(nil, nil, nil, vars, nil, false), nil); h == nil {
		t.Error("not a handler")
	}
}

func TestUnversioned(t *testing.T) {
	for path, want := range map[string]string{
		"a/b": "a/b", "a/v2": "a", "a/v2/b": "a/b", "a/v1/b": "a/v1/b", "a/v2beta": "a/v2beta", "a/vendored/v": "a/vendored/v", "a/v10/c/v3": "a/c",
	} {
		if got := unversioned(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
