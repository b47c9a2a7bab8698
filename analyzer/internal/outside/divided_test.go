package outside

import "testing"

// TestDivided asks whether several goroutines of one start come to a function by one object.
func TestDivided(t *testing.T) {
	loop := Run{From: "app.main", To: "go", Looped: true, Again: true}
	several := Start{Many: true, Several: true, Owner: "app.main"}
	for name, c := range map[string]struct {
		start Start
		runs  []Run
		want  bool
	}{
		"by one object":              {several, []Run{loop, {From: "go", To: "app.work"}, {From: "app.work", To: "app.claim", Part: true}}, true},
		"by a part of its starter's": {several, []Run{{From: "app.main", To: "go", Looped: true}, {From: "go", To: "app.work", Part: true}, {From: "app.work", To: "app.claim", Part: true}}, true},
		"each by its own":            {several, []Run{{From: "app.main", To: "go", Looped: true}, {From: "go", To: "app.work"}, {From: "app.work", To: "app.claim", Part: true}}, false},
		"by another object":          {several, []Run{loop, {From: "go", To: "app.work"}, {From: "app.work", To: "app.claim"}}, false},
		"each with its own":          {Start{Many: true, Several: true, Given: true, Owner: "app.main"}, []Run{loop, {From: "go", To: "app.work"}, {From: "app.work", To: "app.claim", Part: true}}, false},
		"one after the other":        {Start{Many: true, Owner: "app.main"}, []Run{loop, {From: "go", To: "app.work"}, {From: "app.work", To: "app.claim", Part: true}}, false},
		"main itself":                {several, []Run{{From: "app.main", To: "app.claim", Part: true}}, false},
	} {
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.work": {Short: "work"}, "app.claim": {Short: "claim"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.work"}, {From: "app.work", To: "app.claim"}},
			Starts: map[Name]Start{"go": c.start},
			Runs:   c.runs,
		}
		if ok := Solve([]*Record{r}, all{}, nil).View(true).Divided("app.claim"); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}

// TestWhole asks whether the module shows all threads that run a function.
func TestWhole(t *testing.T) {
	for name, c := range map[string]struct {
		runs []Run
		want bool
	}{
		"a goroutine":            {[]Run{{From: "app.main", To: "go"}, {From: "go", To: "app.work"}}, true},
		"main":                   {[]Run{{From: "app.main", To: "app.work"}}, true},
		"a goroutine and anyone": {[]Run{{From: "app.main", To: "go"}, {From: "go", To: "app.work"}, {From: Anyone, To: "app.work"}}, false},
		"nothing":                {nil, false},
	} {
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.work": {Short: "work"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.work"}},
			Starts: map[Name]Start{"go": {Owner: "app.main"}},
			Runs:   c.runs,
		}
		if ok := Solve([]*Record{r}, all{}, nil).View(true).Whole([]Name{"app.work"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}
