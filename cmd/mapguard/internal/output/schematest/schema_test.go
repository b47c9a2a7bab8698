package schematest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // carries the schema
	"github.com/reviewdog/reviewdog/proto/rdf"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/mapguard/mapguard/analyzer/finding"
	"github.com/mapguard/mapguard/cmd/mapguard/internal/output"
)

// schemaID is the official schema, as OASIS publishes it with errata 01.
const schemaID = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarifSchema reads the schema out of go-sarif's source in the module cache: it
// is a constant there that is not exported, and the package's own validation
// sees only what its own types can hold.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := strconv.Unquote(file.Scope.Lookup("schema").Decl.(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `"id": "`+schemaID+`"`) {
		t.Fatal("not the official schema")
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(schemaID, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemaID)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func write(t *testing.T, format string, r output.Report) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := output.Write(&buf, format, r); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// reports are what is validated: all that findings can hold, the odd and the
// empty.
func reports(t *testing.T) map[string]output.Report {
	t.Helper()
	root, err := filepath.Abs("../testdata/src")
	if err != nil {
		t.Fatal(err)
	}
	at := func(file string, line, column, offset int) finding.Position {
		return finding.Position{File: file, Line: line, Column: column, Offset: offset}
	}
	file := filepath.Join(root, "cache.go")
	full := finding.Finding{
		Category: "split-lock", Confidence: "high", Evidence: "e[1](2)", Message: "m at line 16", Pos: at(file, 24, 2, 400),
		Package: "p", Function: "T.f", Location: "T.m", Guard: &finding.Guard{Lock: "mu", How: "used", Held: 1, Total: 2},
		Related: []finding.Related{{Pos: at(file, 16, 29, 300), Message: "looked up"}, {Pos: at("/else where/ü.go", 1, 1, 0), Message: "x"}, {Message: "nowhere"}},
		Trace: []finding.Step{
			{Goroutine: "A", Pos: at(file, 16, 29, 300), Action: "a", Source: "s", Locks: []string{"mu", "nu (read)"}},
			{Goroutine: "B", Pos: at(file, 24, 2, 400), Action: "b", Lost: true},
			{Goroutine: "A", Action: "c", Note: "n"},
		},
		Fixes: []finding.Fix{{Message: "fix", Edits: []finding.Edit{{File: file, Start: 10, End: 12, New: "x"}, {File: file, Start: 3, End: 3, New: "y"}}}},
	}
	odd := finding.Finding{Pos: at("a b:c%.go", 0, 0, 0), Trace: []finding.Step{{}}, Related: []finding.Related{{Pos: at(file, 9999, 9999, 9)}}}
	return map[string]output.Report{
		"empty": {Root: root},
		"none":  {Root: root, Version: "(devel)", Rules: []output.Rule{{Name: "split-lock", Summary: "s", Text: "t"}}},
		"full":  {Root: root, Version: "v1.2.3", Confidence: "low", Findings: []finding.Finding{full, odd, {}}},
		"big":   {Root: root, Findings: manyOf(full, 25_001)},
	}
}

func manyOf(f finding.Finding, n int) []finding.Finding {
	f.Trace, f.Fixes = nil, nil
	out := make([]finding.Finding, n)
	for i := range out {
		out[i] = f
		out[i].Confidence = []string{"low", "medium", "high"}[i%3]
	}
	return out
}

func TestSARIF(t *testing.T) {
	schema := sarifSchema(t)
	for name, r := range reports(t) {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(write(t, "sarif", r)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchemaRefuses holds that the validation can fail: each change breaks one
// rule of the schema.
func TestSchemaRefuses(t *testing.T) {
	schema := sarifSchema(t)
	good := string(write(t, "sarif", reports(t)["full"]))
	for _, change := range [][2]string{
		{`"executionSuccessful": true`, `"unknown": true`},
		{`"level": "error"`, `"level": "fatal"`},
		{`"startLine": 24`, `"startLine": 0`},
		{`"uri": "a%20b%3Ac%25.go"`, `"uri": "a b:c%.go"`},
		{`"columnKind": "utf16CodeUnits"`, `"columnKind": "bytes"`},
	} {
		bad := strings.ReplaceAll(good, change[0], change[1])
		if bad == good {
			t.Errorf("no %s in the output", change[0])
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(doc) == nil {
			t.Errorf("takes %s", change[1])
		}
	}
}

// TestRDJSON decodes with reviewdog's own messages, which refuse members and
// severities that they do not know.
func TestRDJSON(t *testing.T) {
	for name, r := range reports(t) {
		var got rdf.DiagnosticResult
		if err := protojson.Unmarshal(write(t, "rdjson", r), &got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(got.Diagnostics) != len(r.Findings) {
			t.Errorf("%s: %d diagnostics of %d findings", name, len(got.Diagnostics), len(r.Findings))
		}
	}
	var got rdf.DiagnosticResult
	if err := protojson.Unmarshal([]byte(`{"diagnostic": []}`), &got); err == nil {
		t.Error("an unknown member is taken")
	}
}
