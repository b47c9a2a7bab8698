// Package ssabuild builds the SSA of one package inside a pass.
//
// The buildssa pass would do, but it rests on ctrlflow, whose facts force
// every dependency, the standard library included, through the analysis. Here
// functions that never return are known from the model table, from this
// package's own syntax, and from the summaries of the module's packages.
package ssabuild

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/cfg"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// A Program is one package in SSA form.
type Program struct {
	Pkg *ssa.Package
	// Funcs are the functions with bodies, in source order, each followed by
	// the literals in it; last the initialisers of variables as one. Test
	// files are left out unless they are asked for: what a test does alone
	// says nothing of the code.
	Funcs []*ssa.Function
	// NoReturn tells the package's own functions that never return.
	NoReturn map[*types.Func]bool
}

// Build returns the package's SSA. imported tells whether a function of
// another package is known never to return; tests that the functions of
// _test.go files count too.
func Build(pass *analysis.Pass, imported func(*types.Func) bool, tests bool) *Program {
	nr := &noReturn{pass: pass, imported: imported, decls: make(map[*types.Func]*ast.FuncDecl), state: make(map[*types.Func]state)}
	nr.index()
	prog := ssa.NewProgram(pass.Fset, ssa.BuilderMode(0))
	prog.SetNoReturn(nr.never)
	createImports(prog, pass.Pkg, pass.TypesInfo)
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	fns := functions(pass, pkg, tests)
	for _, fn := range fns {
		dispatch(fn)
	}
	return &Program{Pkg: pkg, Funcs: fns, NoReturn: nr.result()}
}

func functions(pass *analysis.Pass, pkg *ssa.Package, tests bool) []*ssa.Function {
	var out []*ssa.Function
	skip := func(pos token.Pos) bool { return !tests && inTest(pass.Fset, pos) }
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		out = append(out, fn)
		for _, lit := range fn.AnonFuncs {
			if !skip(lit.Pos()) {
				add(lit) // those of a variable's initialiser can stand in any file
			}
		}
	}
	for _, file := range pass.Files {
		if skip(file.FileStart) {
			continue
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			if fn := pkg.Prog.FuncValue(obj); fn != nil {
				add(fn)
			}
		}
	}
	if init := pkg.Func("init"); init != nil {
		add(init)
	}
	return out
}

func inTest(fset *token.FileSet, pos token.Pos) bool {
	return pos.IsValid() && strings.HasSuffix(fset.Position(pos).Filename, "_test.go")
}

type state uint8

const (
	unknown state = iota
	busy
	returns
	never
)

// noReturn finds functions that never return, on demand.
type noReturn struct {
	pass     *analysis.Pass
	imported func(*types.Func) bool
	decls    map[*types.Func]*ast.FuncDecl
	state    map[*types.Func]state
}

// index lists the functions whose last statement may not complete: only they
// can be functions that never return.
func (n *noReturn) index() {
	for _, file := range n.pass.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil || len(decl.Body.List) == 0 {
				continue
			}
			switch last := decl.Body.List[len(decl.Body.List)-1].(type) {
			case *ast.ExprStmt:
				if _, ok := last.X.(*ast.CallExpr); !ok {
					continue
				}
			case *ast.ForStmt, *ast.SelectStmt, *ast.IfStmt, *ast.SwitchStmt, *ast.BlockStmt, *ast.TypeSwitchStmt:
			default:
				continue
			}
			if fn, ok := n.pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
				n.decls[fn] = decl
			}
		}
	}
}

// never reports whether fn never returns.
func (n *noReturn) never(fn *types.Func) bool {
	fn = fn.Origin()
	if fn.Pkg() != n.pass.Pkg {
		return model.NoReturn(fn) || n.imported(fn)
	}
	decl := n.decls[fn]
	if decl == nil {
		return false
	}
	if n.state[fn] == unknown {
		n.state[fn] = busy // a cycle counts as returning
		s := returns
		if cfg.New(decl.Body, n.mayReturn).NoReturn() {
			s = never
		}
		n.state[fn] = s
	}
	return n.state[fn] == never
}

func (n *noReturn) mayReturn(call *ast.CallExpr) bool {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := n.pass.TypesInfo.Uses[id].(*types.Builtin); ok && b.Name() == "panic" {
			return false
		}
	}
	fn := typeutil.StaticCallee(n.pass.TypesInfo, call)
	return fn == nil || !n.never(fn)
}

func (n *noReturn) result() map[*types.Func]bool {
	out := make(map[*types.Func]bool)
	for fn := range n.decls {
		n.never(fn)
	}
	for fn, s := range n.state {
		if s == never {
			out[fn] = true
		}
	}
	return out
}
