package outside

import "testing"

// TestOnlyStartTaken changes a map by the program's start, beside what takes a function's value or starts a goroutine.
func TestOnlyStartTaken(t *testing.T) {
	for name, c := range map[string]struct {
		runs, takes []Run
		want        bool
	}{
		"main, before a handler's value is taken":  {[]Run{{From: "app.main", To: "app.set", Order: 1}}, []Run{{From: "app.main", To: "app.get", Order: 2}}, true},
		"main, after a handler's value is taken":   {[]Run{{From: "app.main", To: "app.set", Order: 2}}, []Run{{From: "app.main", To: "app.get", Order: 1}}, false},
		"an initialiser, after a value is taken":   {[]Run{{To: "app.set", Order: 2}}, []Run{{To: "app.get", Order: 1}}, true},
		"an initialiser, after a goroutine begins": {[]Run{{To: "app.set", Order: 2}, {To: "go", Order: 1}, {From: "go", To: "app.get"}}, nil, false},
		"an initialiser, before it begins":         {[]Run{{To: "app.set", Order: 1}, {To: "go", Order: 2}, {From: "go", To: "app.get"}}, nil, true},
		"an initialiser and a goroutine":           {[]Run{{To: "app.set", Order: 1}, {To: "go", Order: 2}, {From: "go", To: "app.set"}, {From: "go", To: "app.get"}}, nil, false},
		"main, after an initialiser's goroutine":   {[]Run{{From: "app.main", To: "app.set", Order: 1}, {To: "go", Order: 2}, {From: "go", To: "app.get"}}, nil, false},
		"main, as an initialiser before it begins": {[]Run{{To: "app.set", Order: 1}, {From: "app.main", To: "app.set"}, {To: "go", Order: 2}, {From: "go", To: "app.get"}}, nil, false},
		"nothing": {nil, nil, false},
	} {
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.get": {Short: "get"}, "app.set": {Short: "set"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.get"}, {From: "app.main", To: "app.set"}},
			Served: map[Name]bool{"app.get": len(c.takes) > 0},
			Starts: map[Name]Start{"go": {Many: true}},
			Runs:   c.runs, Takes: c.takes,
		}
		if ok := Solve([]*Record{r}, all{}, nil).View(false).OnlyStart([]Name{"app.set"}, []Name{"app.get"}, []Name{"app.get", "app.set"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}

// TestOnlyStartAwaited changes a map in goroutines that the program's start waits for.
func TestOnlyStartAwaited(t *testing.T) {
	load := []Run{{From: "app.main", To: "app.load", Order: 1}, {From: "app.load", To: "go", Looped: true, Order: 1}, {From: "go", To: "app.set"}}
	served := Run{From: "app.main", To: "serve", Order: 2}
	get := Run{From: "serve", To: "app.get"}
	for name, c := range map[string]struct {
		leaves bool
		more   []Run
		want   bool
	}{
		"before a server begins":             {false, []Run{served, get}, true},
		"not awaited":                        {true, []Run{served, get}, false},
		"after a server has begun":           {false, []Run{{From: "app.main", To: "serve"}, get}, false},
		"which look themselves":              {false, []Run{served, get, {From: "go", To: "app.get"}}, false},
		"beside a goroutine of the function": {false, []Run{{From: "app.load", To: "serve", Order: 2}, get}, false},
		"in a goroutine that lives on":       {false, []Run{served, get, {From: "serve", To: "app.load"}}, false},
	} {
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.load": {Short: "load"}, "app.get": {Short: "get"}, "app.set": {Short: "set"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.load"}, {From: "app.load", To: "app.set"}, {From: "app.main", To: "app.get"}},
			Starts: map[Name]Start{"go": {Many: true, Awaited: !c.leaves, Owner: "app.load"}, "serve": {Many: true, Owner: "app.main"}},
			Runs:   append(append([]Run(nil), load...), c.more...),
		}
		if ok := Solve([]*Record{r}, all{}, nil).View(false).OnlyStart([]Name{"app.set"}, []Name{"app.get"}, []Name{"app.get", "app.set"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}
