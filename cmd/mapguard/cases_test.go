package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Cases of the rules, as a module of which nothing calls the functions: they are judged
// once more with what the module shows of callers. What is reported at the default
// confidence is reported with the low ones, too, and two runs are the same.
func TestCasesOfModule(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.org/cases\n\ngo 1.26\n")
	put("lib.go", "package cases\n")
	for _, name := range []string{"atomicity/freed", "atomicity/inner", "atomicity/acts", "mapescape", "rlockwrite", "splitlock", "unguarded", "checkthenact"} {
		cases := filepath.Join("..", "..", "testdata", "src", "mapguard.test", filepath.FromSlash(name))
		if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(cases)); err != nil {
			t.Fatal(err)
		}
	}
	reported := findings(t, dir, mapguard(t, dir, "./...").stdout)
	if len(reported) < 20 {
		t.Errorf("only %d findings", len(reported))
	}
	all := mapguard(t, dir, "-confidence=low", "./...")
	low := findings(t, dir, all.stdout)
	for _, f := range reported {
		if !slices.Contains(low, f) {
			t.Errorf("with low confidence %s is missing", f)
		}
	}
	if len(low) <= len(reported) {
		t.Errorf("%d findings with low confidence, %d without", len(low), len(reported))
	}
	if again := mapguard(t, dir, "-confidence=low", "./..."); again.stdout != all.stdout {
		t.Error("two runs differ")
	}
}
