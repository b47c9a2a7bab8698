package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// constructors say which part of a form a package makes, and how.
var constructors = map[string]string{
	"plan":       "NewPlans = func(config PlansConfig) Plans { return %s.New(%[1]s.Config(config)) }",
	"jobs":       "NewRegistry = func() Registry { return %s.NewRegistry() }",
	"replica":    "NewReplicas = func(open engine.Factory) Replicas { return %s.New(open) }",
	"stmts":      "NewStatements = func(db Preparer) Statements { return %s.New(db) }",
	"workspaces": "NewWorkspaces = func(make MakeFolder) Workspaces { return %s.New(make) }",
	"gates":      "NewGates = func(newGate func() *gate.Gate) Gates { return %s.New(newGate) }",
}

// test is the test that runs the scenarios on the form that the environment names.
const test = `package behaviour

import (
	"os"
	"testing"

	"github.com/mapguard/mapguard/reference/internal/form"
)

func TestMutant(t *testing.T) {
	f, ok := form.Named(os.Getenv("BEHAVIOUR_FORM"))
	if !ok {
		t.Fatal("no such form")
	}
	for _, o := range outcomes(t, f) {
		t.Run(o.name, func(t *testing.T) {
			if o.err != nil {
				t.Error(o.err)
			}
		})
	}
}
`

// writeForms adds a form for each mutant to the module in tree, and the test that
// runs the scenarios on it.
func writeForms(tree string, mutants []*mutant) error {
	err := os.WriteFile(filepath.Join(tree, "behaviour", "mutant_test.go"), []byte(test), 0o644)
	if err != nil || len(mutants) == 0 {
		return err
	}
	var imports, forms strings.Builder
	for _, m := range mutants {
		fmt.Fprintf(&imports, "\t%s %q\n", m.id, module+"mut/"+m.id+"/"+m.pkg)
		fmt.Fprintf(&forms, "\tf = Fixed()\n\tf.Name = %q\n\tf.", "mut/"+m.id)
		fmt.Fprintf(&forms, constructors[m.pkg], m.id)
		forms.WriteString("\n\tall = append(all, f)\n")
	}
	text := fmt.Sprintf(`package form

import (
	"%[1]sengine"
	"%[1]sgate"
%[2]s)

var (
	_ engine.Factory
	_ *gate.Gate
)

func mutants() (all []Form) {
	var f Form
%[3]s	return all
}
`, module, imports.String(), forms.String())
	folder := filepath.Join(tree, "internal", "form")
	if err := os.WriteFile(filepath.Join(folder, "mutants.go"), []byte(text), 0o644); err != nil {
		return err
	}
	path := filepath.Join(folder, "form.go")
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const both = "[]Form{Fixed(), Buggy()}"
	if strings.Count(string(content), both) != 1 {
		return fmt.Errorf("%s: there is no %s to which forms can be added", path, both)
	}
	content = []byte(strings.Replace(string(content), both, "append("+both+", mutants()...)", 1))
	return os.WriteFile(path, content, 0o644)
}
