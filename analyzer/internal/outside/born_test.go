package outside

import (
	"slices"
	"testing"
)

// TestBornWith runs one function in threads that several functions begin, each for an object that it makes.
func TestBornWith(t *testing.T) {
	read := func(from Name) Run { return Run{From: from, To: "app.read", Own: true} }
	a := []Run{{From: "app.a", To: "go a", Own: true, Made: true}, read("go a")}
	b := []Run{{From: "app.b", To: "go b", Own: true, Made: true}, read("go b")}
	literal := []Run{{From: "app.b", To: "go b", Own: true}, {From: "go b", To: "app.b$1", Own: true}, {From: "app.b$1", To: "app.read", Own: true, Made: true}}
	for name, c := range map[string]struct {
		runs []Run
		want bool
	}{
		"two makers":                           {b, true},
		"a maker and one that makes none":      {[]Run{{From: "app.b", To: "go b", Own: true}, read("go b")}, false},
		"a maker and one for another's object": {[]Run{{From: "app.b", To: "go b"}, {From: "go b", To: "app.read"}}, false},
		"two starts of one maker":              {[]Run{{From: "app.a", To: "go b", Own: true, Made: true}, read("go b"), {From: "app.a", To: "go a 1", Own: true, Made: true}, read("go a 1")}, false},
		"in a loop, for one object":            {[]Run{{From: "app.b", To: "go b", Own: true, Made: true, Looped: true, Again: true}, read("go b")}, false},
		"in a loop, one for each":              {[]Run{{From: "app.b", To: "go b", Own: true, Made: true, Looped: true}, read("go b")}, true},
		"by a literal that goes on with it":    {literal, true},
		"by one that goes on with another":     {append([]Run{{From: "app.b$1", To: "app.read"}}, literal...), false},
		"beside a call by main":                {append([]Run{{From: "app.main", To: "app.read"}}, b...), false},
		"beside a call by a maker":             {append([]Run{{From: "app.a", To: "app.read", Own: true, Order: 1}}, b...), false},
		"and one that others call":             {append([]Run{{From: Anyone, To: "app.read"}}, b...), false},
	} {
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.a": {Short: "a"}, "app.b": {Short: "b"}, "app.read": {Short: "read"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.a"}, {From: "app.main", To: "app.b"}, {From: "app.a", To: "app.read"}},
			Starts: map[Name]Start{"go a": {Owner: "app.a"}, "go a 1": {Owner: "app.a"}, "go b": {Owner: "app.b"}},
			Runs:   slices.Concat([]Run{{From: "app.main", To: "app.a", Looped: true}, {From: "app.main", To: "app.b", Looped: true}}, a, c.runs),
		}
		if own, ok := Solve([]*Record{r}, all{}, nil).View(true).Sole([]Name{"app.read"}); ok != c.want || ok && !own {
			t.Errorf("%s: %t, own %t", name, ok, own)
		}
	}
}
