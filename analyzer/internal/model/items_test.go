package model

import (
	"go/token"
	"go/types"
	"testing"
)

// method returns a method of a named type of a package.
func methodOf(path, typ, name string, params ...types.Type) *types.Func {
	pkg := types.NewPackage(path, "p")
	n := types.NewNamed(types.NewTypeName(token.NoPos, pkg, typ, nil), types.NewStruct(nil, nil), nil)
	var vars []*types.Var
	for _, t := range params {
		vars = append(vars, types.NewParam(token.NoPos, pkg, "", t))
	}
	recv := types.NewParam(token.NoPos, pkg, "", n)
	result := types.NewTuple(types.NewParam(token.NoPos, pkg, "", types.Typ[types.String]))
	return types.NewFunc(token.NoPos, pkg, name, types.NewSignatureType(recv, nil, nil, types.NewTuple(vars...), result, false))
}

func TestWorkQueue(t *testing.T) {
	const queue = "k8s.io/client-go/util/workqueue"
	for _, c := range []struct {
		path, name string
		want       WorkOp
	}{
		{queue, "Get", Takes},
		{queue, "Done", GivesBack},
		{queue, "Add", NoWork},
		{"example.com/queue", "Get", NoWork},
	} {
		if got := WorkQueue(methodOf(c.path, "Type", c.name)); got != c.want {
			t.Errorf("WorkQueue(%s.%s) = %d, want %d", c.path, c.name, got, c.want)
		}
	}
	if WorkQueue(nil) != NoWork {
		t.Error("WorkQueue(nil) is an operation")
	}
}

func TestNames(t *testing.T) {
	meta := types.NewPackage("k8s.io/apimachinery/pkg/apis/meta/v1", "v1")
	named := func(pkg *types.Package, name string) types.Type {
		return types.NewNamed(types.NewTypeName(token.NoPos, pkg, name, nil), types.NewStruct(nil, nil), nil)
	}
	field := func(pkg *types.Package, name string, embedded bool, typ types.Type) *types.Var {
		return types.NewField(token.NoPos, pkg, name, typ, embedded)
	}
	own, str := types.NewPackage("example.com/api", "api"), types.Typ[types.String]
	object := named(meta, "ObjectMeta")
	for _, c := range []struct {
		field *types.Var
		want  bool
	}{
		{field(meta, "Name", false, str), true},
		{field(meta, "Labels", false, str), false},
		{field(own, "Name", false, str), false},
		{field(own, "ObjectMeta", true, object), true},
		{field(own, "Meta", false, object), false},
		{nil, false},
	} {
		if got := NameField(c.field); got != c.want {
			t.Errorf("NameField(%v) = %t, want %t", c.field, got, c.want)
		}
	}
	for typ, want := range map[types.Type]bool{
		str: true, types.Typ[types.Int]: false, object: true, named(own, "Volume"): false,
		types.NewInterfaceType(nil, nil): true, types.Universe.Lookup("error").Type(): false,
	} {
		if got := IsName(typ); got != want {
			t.Errorf("IsName(%v) = %t, want %t", typ, got, want)
		}
	}
}

func TestGivesName(t *testing.T) {
	tools := types.NewPackage("k8s.io/client-go/tools/cache", "cache")
	plain := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	for _, c := range []struct {
		fn   *types.Func
		want bool
	}{
		{types.NewFunc(token.NoPos, tools, "MetaNamespaceKeyFunc", plain), true},
		{types.NewFunc(token.NoPos, tools, "NewLister", plain), false},
		{methodOf("example.com/api", "Volume", "GetName"), true},
		{methodOf("example.com/api", "Volume", "GetName", types.Typ[types.Int]), false},
		{methodOf("example.com/api", "Volume", "NodeName"), false},
		{methodOf("k8s.io/apimachinery/pkg/types", "NamespacedName", "String"), true},
		{methodOf("example.com/api", "Volume", "String"), false},
		{nil, false},
	} {
		if got := GivesName(c.fn); got != c.want {
			t.Errorf("GivesName(%v) = %t, want %t", c.fn, got, c.want)
		}
	}
}
