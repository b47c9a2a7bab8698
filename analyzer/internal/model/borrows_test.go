package model

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// A library of structs that get an interface, and their methods.
const borrowing = `package lib

type Request struct{ ID int }

type Paper interface{ Ink(x int) }

type Pen struct {
	To  Paper
	Pos int
}

func (p *Pen) Draw(s string) {}
func (p *Pen) StartDrawing() {}
func (p *Pen) Starting() bool { return false }
func (p *Pen) Serve() error { return nil }
func (p *Pen) Each(f func(int)) {}
func (p *Pen) Until(done chan bool) {}

type Plotter struct {
	To   Paper
	busy bool
}

func (p *Plotter) Draw(s string) {}

type Printer struct {
	To     Paper
	OnDone func()
}

func (p *Printer) Draw(s string) {}

func Draw(p *Pen) {}
`

func TestBorrows(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "lib.go", borrowing, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("lib", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	paper := pkg.Scope().Lookup("Paper").Type()
	method := func(owner, name string) *types.Func {
		obj, _, _ := types.LookupFieldOrMethod(pkg.Scope().Lookup(owner).Type(), true, pkg, name)
		return obj.(*types.Func)
	}
	for _, tt := range []struct {
		owner, name string
		want        bool
	}{
		{"Pen", "Draw", true},
		{"Pen", "Starting", true},
		{"Pen", "StartDrawing", false},
		{"Pen", "Serve", false},
		{"Pen", "Each", false},
		{"Pen", "Until", false},
		{"Plotter", "Draw", false},
		{"Printer", "Draw", false},
	} {
		if got := Borrows(method(tt.owner, tt.name), paper); got != tt.want {
			t.Errorf("Borrows(%s.%s): %v, want %v", tt.owner, tt.name, got, tt.want)
		}
	}
	if Borrows(pkg.Scope().Lookup("Draw").(*types.Func), paper) {
		t.Error("a function without a receiver borrows")
	}
	if Borrows(method("Pen", "Draw"), types.NewInterfaceType(nil, nil)) {
		t.Error("what is lent as any is borrowed")
	}
}
