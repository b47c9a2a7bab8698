package outside

import (
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// TestOnlyFilled makes a table for its lack, beside a call of main that fills it, and a goroutine that asks for it.
func TestOnlyFilled(t *testing.T) {
	whole, part := ssautil.Span{First: 1, Last: 2}, ssautil.Span{First: 2, Last: 2}
	for name, c := range map[string]struct {
		warm, begins Run
		fills        []Name
		want         bool
	}{
		"before a goroutine begins":       {Run{To: "app.get", Order: 1, Span: whole, Named: true}, Run{Order: 2, Span: part}, []Name{"table"}, true},
		"in the same block":               {Run{To: "app.get", Order: 1, Span: whole, Named: true}, Run{Order: 2, Span: whole}, []Name{"table"}, true},
		"after it begins":                 {Run{To: "app.get", Order: 2, Span: whole, Named: true}, Run{Order: 1, Span: whole}, []Name{"table"}, false},
		"under a condition":               {Run{To: "app.get", Order: 1, Span: part, Named: true}, Run{Order: 2, Span: whole}, []Name{"table"}, false},
		"by what may be another function": {Run{To: "app.get", Order: 1, Span: whole}, Run{Order: 2, Span: part}, []Name{"table"}, false},
		"not in any case":                 {Run{To: "app.get", Order: 1, Span: whole, Named: true}, Run{Order: 2, Span: part}, nil, false},
		"another one":                     {Run{To: "app.get", Order: 1, Span: whole, Named: true}, Run{Order: 2, Span: part}, []Name{"other"}, false},
		"where nothing is known":          {Run{To: "app.get", Order: 1, Named: true}, Run{Order: 2}, []Name{"table"}, false},
	} {
		c.warm.From, c.begins.From, c.begins.To = "app.main", "app.main", "go"
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.get": {Short: "get"}, "app.fill": {Short: "fill"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.get"}, {From: "app.get", To: "app.fill"}},
			Starts: map[Name]Start{"go": {Many: true, Owner: "app.main"}},
			Runs:   []Run{c.warm, c.begins, {From: "go", To: "app.get"}, {From: "app.get", To: "app.fill", Lack: "table"}},
			Fills:  map[Name][]Name{"app.get": c.fills},
		}
		fill := []Name{"app.fill"}
		if ok := Solve([]*Record{r}, all{}, nil).View(false).OnlyStart(fill, fill, []Name{"app.fill", "app.get"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}
