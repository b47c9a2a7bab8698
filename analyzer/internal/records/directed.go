package records

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// directed reports whether an instruction makes an interface of a value that goes nowhere but into
// directives to a tool: nothing runs it there, nor calls a method of it.
func directed(instr ssa.Instruction) bool {
	made, ok := instr.(*ssa.MakeInterface)
	return ok && onlyGivenTo(made, model.Directive)
}

// undirected returns what is known of a package that was not analysed, but for what stands in
// directives to a tool.
func undirected(info *types.Info, files []*ast.File) *types.Info {
	var args []ast.Expr
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			fn, ok := typeutil.Callee(info, call).(*types.Func)
			if !ok || !model.Directive(fn) {
				return true
			}
			args = append(args, call.Args...)
			return false
		})
	}
	if len(args) == 0 {
		return info
	}
	within := func(pos token.Pos) bool {
		return slices.ContainsFunc(args, func(arg ast.Expr) bool { return arg.Pos() <= pos && pos < arg.End() })
	}
	out := *info
	out.Uses, out.Types = maps.Clone(info.Uses), maps.Clone(info.Types)
	maps.DeleteFunc(out.Uses, func(id *ast.Ident, _ types.Object) bool { return within(id.Pos()) })
	maps.DeleteFunc(out.Types, func(x ast.Expr, _ types.TypeAndValue) bool { return within(x.Pos()) })
	return &out
}
