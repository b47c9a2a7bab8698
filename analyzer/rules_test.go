package analyzer_test

import (
	"os"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/internal/check/registry"
	"github.com/mapguard/mapguard/analyzer/internal/suppress"
)

// Each category has a section with a summary, a wrong and a right program, and
// there is no section for what is no category.
func TestRulesDocumented(t *testing.T) {
	categories := map[string]bool{suppress.Category: true}
	for _, rule := range registry.Rules() {
		categories[rule.Category()] = true
	}
	for _, r := range analyzer.Rules() {
		if !categories[r.Name] {
			t.Errorf("doc.go has a section %s, which is no category", r.Name)
		}
		delete(categories, r.Name)
		if r.Summary == "" || strings.ContainsAny(r.Summary, "\n\t") || strings.HasSuffix(r.Summary, ".") {
			t.Errorf("%s: the summary is not one sentence on one line: %q", r.Name, r.Summary)
		}
		if n := strings.Count(r.Markdown, "```go\n"); n < 2 || strings.Count(r.Markdown, "```") != 2*n {
			t.Errorf("%s: wants a wrong and a right program, has\n%s", r.Name, r.Markdown)
		}
		if strings.Contains(r.Text, "```") {
			t.Errorf("%s: Markdown in the plain text", r.Name)
		}
	}
	for name := range categories {
		t.Errorf("doc.go has no section %s", name)
	}
}

const rulesPage = "../docs/rules.md"

// docs/rules.md says what doc.go says.
func TestRulesPage(t *testing.T) {
	var page strings.Builder
	page.WriteString("<!-- Made from analyzer/doc.go by go test ./analyzer -run TestRulesPage -update -->\n\n# Rules\n\n")
	for _, r := range analyzer.Rules() {
		page.WriteString("- [`" + r.Name + "`](#" + r.Name + "): " + r.Summary + "\n")
	}
	for _, r := range analyzer.Rules() {
		page.WriteString("\n## " + r.Name + "\n\n" + r.Markdown)
	}
	want := strings.TrimSpace(page.String()) + "\n"
	if *update {
		if err := os.WriteFile(rulesPage, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(rulesPage)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("docs/rules.md is stale; go test ./analyzer -run TestRulesPage -update writes it")
	}
}

// The page has the heading that each rule's address names.
func TestRuleURLs(t *testing.T) {
	page, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range analyzer.Rules() {
		_, anchor, _ := strings.Cut(r.URL, "docs/rules.md#")
		if !strings.Contains(string(page), "\n## "+anchor+"\n") {
			t.Errorf("%s: docs/rules.md has no heading for %s", r.Name, r.URL)
		}
	}
}
