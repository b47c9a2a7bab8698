// Package trial is support for tests: it runs the engine over one small program,
// as far as the judgements, and lets a test look at each layer's part.
package trial

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/guard"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/ssabuild"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// A Program is one analysed file.
type Program struct {
	Pkg     *infer.Package
	Places  []*infer.Place
	Threads *threads.Theory
	Guards  *guard.Set
	Sharing *sharing.Judge
	Judge   *witness.Judge

	t testing.TB
}

// Run analyses a file, in a package of the same name as its clause. What it
// imports has no facts.
func Run(t testing.TB, src string) *Program {
	t.Helper()
	pass := typeCheck(t, src)
	prog := ssabuild.Build(pass, func(*types.Func) bool { return false }, false)
	docs := role.NewIndex(pass.Fset, pass.Files, pass.TypesInfo, "")
	p := &Program{t: t}
	p.Pkg = infer.Run(infer.Config{
		Pkg: prog.Pkg, Funcs: prog.Funcs, Paths: accesspath.NewBuilder(), Roles: infer.ReadRoles(docs),
		Imported: func(*types.Func) *summary.Func { return nil },
	})
	p.Threads = threads.Analyze(p.Pkg)
	p.Places = p.Pkg.Places()
	imported := guard.Imported(pass)
	p.Guards = guard.Infer(p.Places, docs, imported, nil, p.Pkg.Single)
	says := func(r role.Roles) func(accesspath.Location) bool {
		return func(loc accesspath.Location) bool {
			g := docs.ByVar[loc.Var]
			return g != nil && role.OfType(g.Doc).Has(r)
		}
	}
	p.Sharing = sharing.NewJudge(p.Threads, p.Guards, says(role.Concurrent), says(role.NotConcurrent), imported.Shared)
	p.Judge = witness.NewJudge(p.Pkg, p.Places, p.Guards, p.Sharing, func(pos token.Pos) int { return pass.Fset.Position(pos).Line })
	return p
}

func typeCheck(t testing.TB, src string) *analysis.Pass {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
		Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	files := []*ast.File{file}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("example.org/"+file.Name.Name, fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	return &analysis.Pass{
		Fset: fset, Files: files, Pkg: pkg, TypesInfo: info,
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		AllPackageFacts:   func() []analysis.PackageFact { return nil },
	}
}

// Func returns the function that messages call so.
func (p *Program) Func(name string) *infer.Func {
	p.t.Helper()
	for _, f := range p.Pkg.Funcs {
		if f.Name == name {
			return f
		}
	}
	p.t.Fatalf("no function %s", name)
	return nil
}

// Place returns the place of the field or variable of that name.
func (p *Program) Place(name string) *infer.Place {
	p.t.Helper()
	for _, pl := range p.Places {
		if pl.Loc.Var.Name() == name && pl.Loc.Elems == 0 {
			return pl
		}
	}
	p.t.Fatalf("no place %s", name)
	return nil
}

// Pair returns the verdict on the only pair of look and act of a function.
func (p *Program) Pair(name string) *witness.Verdict {
	p.t.Helper()
	var found *witness.Verdict
	all := p.Judge.Candidates()
	for i := range all {
		if v := &all[i]; v.Func.Name == name {
			if found != nil {
				p.t.Fatalf("%s has several pairs", name)
			}
			found = v
		}
	}
	if found == nil {
		p.t.Fatalf("%s has no pair", name)
	}
	return found
}
