package role

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// supports reports whether a file is there for tests without being one: it
// uses package testing as no code does that is meant to run in production,
// or it belongs to a package that says so of itself.
func supports(fset *token.FileSet, f *ast.File, pkg bool) bool {
	if strings.HasSuffix(fset.Position(f.Package).Filename, "_test.go") {
		return false // who asks for the findings of tests wants them
	}
	return pkg || slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"testing"` && !justAsks(f, s) })
}

// Support tells the files of a package that are there for tests without being some; within is as for [NewIndex].
func Support(fset *token.FileSet, files []*ast.File, within string) func(*ast.File) bool {
	pkg := supportPackage(files) || supportPath(within)
	return func(f *ast.File) bool { return supports(fset, f, pkg) }
}

// justAsks reports whether all that a file has of package testing is the function Testing, which is there for production
// code: it tells whether a test runs.
func justAsks(f *ast.File, testing *ast.ImportSpec) bool {
	name := "testing"
	if testing.Name != nil {
		name = testing.Name.Name
	}
	asks, tests := false, false
	for n := range ast.Preorder(f) {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		if id, ok := sel.X.(*ast.Ident); ok && id.Name == name {
			asks, tests = asks || sel.Sel.Name == "Testing", tests || sel.Sel.Name != "Testing"
		}
	}
	return asks && !tests
}

// standsIn reports whether a method is one of a type that by its name stands in for another one, outside
// of test files.
func standsIn(fset *token.FileSet, d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) != 1 || strings.HasSuffix(fset.Position(d.Pos()).Filename, "_test.go") {
		return false
	}
	return standIn.MatchString(declared(d.Recv.List[0].Type))
}

// standIn is the name of such a type: its first or last word says so.
// Fakes and stubs can be for production, too: a pool of fake addresses, the stub of a remote service.
var standIn = regexp.MustCompile(`^[Mm]ock(?:[A-Z]|$)|[a-z0-9]Mock$`)

// supportPackage reports whether a package's name or its documentation says that
// tests use it, as a stand-in for something or as a helper.
func supportPackage(files []*ast.File) bool {
	return slices.ContainsFunc(files, func(f *ast.File) bool {
		return supportName(f.Name.Name) || f.Doc != nil && supportDoc(f.Doc.Text())
	})
}

// supportPath reports whether a package lies, within its module, in a directory
// of programs and helpers that are there to test the rest.
func supportPath(within string) bool {
	return slices.ContainsFunc(strings.Split(within, "/"), func(dir string) bool {
		words := hyphened(dir)
		switch words {
		case "test", "tests", "e2e", "integration-test":
			return true
		}
		return strings.HasSuffix(words, "-tests") || supportName(dir)
	})
}

// hyphened writes the words of a directory's name, which may be told apart by capitals or underscores, in small letters with
// hyphens in between.
func hyphened(dir string) string {
	var b strings.Builder
	for i, r := range dir {
		if i > 0 && unicode.IsUpper(r) && unicode.IsLower(rune(dir[i-1])) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.ReplaceAll(b.String(), "_", "-")
}

// Shown reports whether a package of this path is a program that shows or tests something: how
// others use the module, which is not what it is for.
func Shown(path string) bool {
	return supportPath(path) || slices.ContainsFunc(strings.Split(path, "/"), func(dir string) bool {
		switch strings.TrimSuffix(strings.Trim(dir, "_"), "s") {
		case "example", "sample", "demo":
			return true
		}
		return false
	})
}

func supportName(name string) bool {
	switch name {
	case "testing", "testutil", "testutils", "testhelper", "testhelpers", "testsupport":
		return true
	}
	name = strings.TrimSuffix(name, "s")
	return strings.HasSuffix(name, "mock") || strings.HasSuffix(name, "fake")
}

// forTests is what the first sentence of such a package's documentation says.
var forTests = regexp.MustCompile(`(?is)^package \w+ (?:provides|implements|contains|is|holds|defines|offers|has)\b[^.]*?` +
	`(?:\b(?:mock|fake|stub)s?\b|\btest(?:ing)? (?:helper|utilit|double|support|fixture)|\b(?:for|in|to|during) (?:unit |integration )?test(?:s|ing)?\b(?: purposes)?|\bto test with\b)`)

func supportDoc(doc string) bool {
	return strings.Contains(strings.ToLower(doc), "package ") && forTests.MatchString(doc)
}
