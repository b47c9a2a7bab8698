package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

func TestMapTypes(t *testing.T) {
	const src = `package sets
type Set[T comparable] map[T]struct{}
func (s Set[T]) Has(T) bool { return false }
func (s Set[T]) Insert(...T) Set[T] { return s }
func (s Set[T]) Delete(...T) Set[T] { return s }
func (s Set[T]) Len() int { return 0 }
func (s Set[T]) UnsortedList() []T { return nil }
func (s Set[T]) PopAny() (T, bool) { panic(0) }
func (s Set[T]) Mine() {}
type String map[string]struct{}
func (s String) Insert(...string) String { return s }
type other map[string]struct{}
func (s other) Insert(...string) other { return s }
var strings Set[string]
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "sets.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	for path, known := range map[string]bool{"k8s.io/apimachinery/pkg/util/sets": true, "example.org/sets": false} {
		pkg, err := new(types.Config).Check(path, fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			typ, method string
			want        Kind
		}{
			{"Set", "Has", MapLookup},
			{"Set", "Insert", MapInsert},
			{"Set", "Delete", MapDelete},
			{"Set", "Len", MapLen},
			{"Set", "UnsortedList", MapRead},
			{"Set", "PopAny", MapWrite},
			{"Set", "Mine", None},
			{"strings", "Insert", MapInsert}, // of an instance
			{"String", "Insert", MapInsert},
			{"other", "Insert", None},
		} {
			obj, _, _ := types.LookupFieldOrMethod(pkg.Scope().Lookup(c.typ).Type(), false, pkg, c.method)
			want := c.want
			if !known {
				want = None
			}
			if got := Lookup(obj.(*types.Func)); got != (Effect{Kind: want}) {
				t.Errorf("%s: %s.%s is %v, want %v", path, c.typ, c.method, got, want)
			}
		}
	}
}
