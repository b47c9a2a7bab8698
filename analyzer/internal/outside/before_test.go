package outside

import "testing"

// TestBeforeServed sets up what a server's handlers read, whose values the main goroutine takes.
func TestBeforeServed(t *testing.T) {
	set := Run{From: "app.main", To: "app.set", Order: 2}
	for name, c := range map[string]struct {
		runs, takes []Run
		want        bool
	}{
		"before its value is taken": {[]Run{set}, []Run{{From: "app.main", To: "api.Get", Order: 3}}, true},
		"after its value is taken":  {[]Run{set}, []Run{{From: "app.main", To: "api.Get", Order: 1}}, false},
		"in another goroutine":      {[]Run{set, {From: "app.main", To: "go"}, {From: "go", To: "app.set"}}, []Run{{From: "app.main", To: "api.Get", Order: 3}}, false},
		"where no value is taken":   {[]Run{set}, nil, false},
		"where other code runs it":  {[]Run{set, {From: Anyone, To: "api.Get"}}, nil, false},
		"and a goroutine calls it":  {[]Run{set, {From: "app.main", To: "go", Order: 1}, {From: "go", To: "api.Get"}}, []Run{{From: "app.main", To: "api.Get", Order: 3}}, false},
	} {
		app := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.set": {Short: "set"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.set"}, {From: "app.main", To: "api.Get", Loose: true, Shown: true}},
			Starts: map[Name]Start{"go": {Many: true, Owner: "app.main"}},
			Runs:   c.runs, Takes: c.takes,
		}
		api := &Record{Path: "api", Funcs: map[Name]Decl{"api.Get": {Short: "Get", Exported: true}}, Served: map[Name]bool{"api.Get": true}}
		if ok := Solve([]*Record{app, api}, all{}, nil).View(true).Before([]Name{"app.set"}, []Name{"api.Get"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}
