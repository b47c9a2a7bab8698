package role

import (
	"go/parser"
	"go/token"
	"testing"
)

func TestSupports(t *testing.T) {
	for src, want := range map[string]bool{
		`package a; import "testing"; func Check(t *testing.T) {}`:                                            true,
		`package a; import "testing"; func quiet() bool { return testing.Testing() }`:                         false,
		`package a; import std "testing"; func quiet() bool { return std.Testing() }`:                         false,
		`package a; import "testing"; func quiet(t testing.TB) bool { return t != nil || testing.Testing() }`: true,
		`package a; import . "testing"; func Check(t *T) {}`:                                                  true,
		`package a; import _ "testing"`:                                                                       true,
		`package a; import "strings"; var s = strings.ToLower("Testing")`:                                     false,
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "a.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := supports(fset, f, false); got != want {
			t.Errorf("supports(%s) = %v, want %v", src, got, want)
		}
	}
}

func TestSupportPath(t *testing.T) {
	for within, want := range map[string]bool{
		"":                  false,
		"tests/apps/load":   true,
		"internal/test":     true,
		"pkg/testutil/conn": true,
		"e2e":               true,
		"pkg/latest":        false,
		"contest/tester":    false,
		"attest":            false,
		"network/mocks":     true,
		"stability-tests/a": true,
		"load_tests":        true,
		"a/integrationTest": true,
		"SystemTests":       true,
		"integration_test":  true,
		"cmd/loadTest":      false,
		"aTestServer":       false,
		"cmd/load-test":     false, // a product
		"a-b/test-results":  false,
		"example.test":      false,
	} {
		if got := supportPath(within); got != want {
			t.Errorf("supportPath(%q) = %v, want %v", within, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	for path, want := range map[string]bool{
		"example.org/m":              false,
		"example.org/m/example/flow": true,
		"example.org/m/_examples/a":  true,
		"example.org/m/samples":      true,
		"example.org/m/e2e/runner":   true,
		"example.org/m/cmd/demo":     true,
		"example.org/m/cmd/sampler":  false,
	} {
		if got := Shown(path); got != want {
			t.Errorf("Shown(%q) = %v, want %v", path, got, want)
		}
	}
}
