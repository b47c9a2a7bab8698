package ssabuild

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// createImports creates the packages that one imports, each with what the package
// refers to alone. All that they declare would be several times what SSA makes of
// the package itself, for each package that is kept.
func createImports(prog *ssa.Program, pkg *types.Package, info *types.Info) {
	used := make(map[*types.Package]*types.Info)
	for _, p := range pkg.Imports() {
		used[p] = &types.Info{Defs: make(map[*ast.Ident]types.Object)}
	}
	spec := make(map[*types.Package]*ast.ValueSpec)
	seen := make(map[types.Object]bool)
	for _, obj := range info.Uses {
		if obj = member(obj); obj == nil || seen[obj] || used[obj.Pkg()] == nil {
			continue
		}
		seen[obj] = true
		if spec[obj.Pkg()] == nil {
			spec[obj.Pkg()] = new(ast.ValueSpec)
		}
		id := ast.NewIdent(obj.Name())
		spec[obj.Pkg()].Names = append(spec[obj.Pkg()].Names, id)
		used[obj.Pkg()].Defs[id] = obj
	}
	for _, p := range pkg.Imports() {
		// A package without files has all members of its scope. One with files has
		// those that they declare, of whatever kind the objects are; of what is
		// declared as constants, the syntax is not asked for.
		file := new(ast.File)
		if s := spec[p]; s != nil {
			file.Decls = []ast.Decl{&ast.GenDecl{Tok: token.CONST, Specs: []ast.Spec{s}}}
		}
		prog.CreatePackage(p, []*ast.File{file}, used[p], true)
	}
}

// member returns the function, method or variable that code refers to as a member
// of its package; nil if it is none.
func member(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Var:
		if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			return obj
		}
	case *types.Func:
		obj = obj.Origin()
		recv := obj.Signature().Recv()
		if recv == nil {
			return obj
		}
		// Methods of interfaces are none, nor are those of types without a name that
		// the package has at its top.
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok && !types.IsInterface(n) && obj.Pkg() != nil && n.Obj().Parent() == obj.Pkg().Scope() {
			return obj
		}
	}
	return nil
}
