package ssautil

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
	build "golang.org/x/tools/go/ssa/ssautil"
)

const loops = `package p

import (
	"bufio"
	"database/sql"
	"os"
	"strings"
)

func bounded()
func endless()
func longer() // Unbounded alone says that nothing bounds it
func next() bool
func more() []int

func walks(m map[string]int, xs []string, s string, ch chan int, n int) {
	bounded()
	for range m {
		bounded()
	}
	for _, x := range xs {
		if x == s {
			continue
		}
		bounded()
		for range s {
			bounded()
		}
	}
	for i := range n {
		for j := 0; j <= i; j++ {
			bounded()
		}
		for j := 0; len(xs) > j; j += 2 {
			bounded()
		}
	}
	for range ch {
		endless()
	}
	for {
		for range xs {
			endless()
		}
		if next() {
			break
		}
	}
	for _, x := range xs {
		bounded()
		for next() {
			endless()
		}
		_ = x
	}
again:
	for range xs {
		endless()
		if next() {
			goto again
		}
	}
	for i := 0; i < n; {
		endless()
		if next() {
			i++
		}
	}
	for i := n; i < len(more()); i++ {
		longer()
	}
	for i := 0; i < len(xs); i++ {
		bounded()
	}
	queue := more()
	for i := 0; i < len(queue); i++ {
		longer()
		queue = append(queue, i)
	}
	for s < "aaaa" {
		endless()
		s += "a"
	}
	for i := 0; i < n; i += 0 {
		endless()
	}
	for i := 0; i < n; i++ {
		endless()
		n = len(more())
	}
	text := bufio.NewScanner(strings.NewReader(s))
	for text.Scan() {
		bounded()
	}
	file, _ := os.Open(s)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		bounded()
	}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		endless()
	}
	var rows *sql.Rows
	for rows.Next() {
		bounded()
	}
}
`

// The calls in the source say what the loops around them are.
func TestEndless(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", loops, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := build.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	fn, calls := pkg.Func("walks"), 0
	endless, unbounded := Endless(fn), Unbounded(fn)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil {
				continue
			}
			switch name := call.Call.StaticCallee().Name(); name {
			case "bounded", "endless", "longer":
				if calls++; endless[b.Index] != (name == "endless") || unbounded[b.Index] != (name != "bounded") {
					t.Errorf("line %d: endless: %t, unbounded: %t", fset.Position(call.Pos()).Line, endless[b.Index], unbounded[b.Index])
				}
			}
		}
	}
	if calls != 22 {
		t.Errorf("%d calls", calls)
	}
}
