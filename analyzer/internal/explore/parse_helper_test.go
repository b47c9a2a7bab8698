package explore_test

import (
	"fmt"
	"go/ast"

	"github.com/mapguard/mapguard/analyzer/internal/explore/program"
)

// helper declares a function that a fix has brought in.
func (r *reader) helper(d *ast.FuncDecl) *program.Func {
	f := &program.Func{Name: d.Name.Name}
	for _, l := range d.Type.Params.List {
		for _, id := range l.Names {
			f.Params = append(f.Params, program.Param{Name: id.Name, Type: typeOf(l.Type)})
		}
	}
	if d.Type.Results != nil {
		for _, l := range d.Type.Results.List {
			f.Results = append(f.Results, typeOf(l.Type))
		}
	}
	return f
}

// taken gives names to the results of a call that are returned as they are.
func taken(ret *program.Return) []program.Stmt {
	c, ok := ret.Xs[0].(*program.Call)
	if !ok || len(c.F.Results) < 2 {
		return nil
	}
	def := &program.Define{X: c}
	ret.Xs = nil
	for i := range c.F.Results {
		def.Names = append(def.Names, fmt.Sprintf("result%d", i))
		ret.Xs = append(ret.Xs, &program.Ref{Name: def.Names[i]})
	}
	return []program.Stmt{def}
}
