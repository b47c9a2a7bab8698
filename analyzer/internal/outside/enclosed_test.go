package outside

import "testing"

// TestEnclosed asks whether the module comes to a function only with a lock held.
func TestEnclosed(t *testing.T) {
	for name, c := range map[string]struct {
		runs []Run
		want bool
	}{
		"a handler under the lock":          {[]Run{{From: "app.handle", To: "app.get", Under: true}}, true},
		"the lock before another function":  {[]Run{{From: "app.handle", To: "app.mid", Under: true}, {From: "app.mid", To: "app.get"}}, true},
		"one of two without it":             {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.handle", To: "app.mid"}, {From: "app.mid", To: "app.get"}}, false},
		"a goroutine without it":            {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.main", To: "go"}, {From: "go", To: "app.get"}}, false},
		"a lock at the go statement":        {[]Run{{From: "app.main", To: "go", Under: true}, {From: "go", To: "app.get"}}, false},
		"the start without it":              {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.main", To: "app.get", Order: 1}}, true},
		"main when there are handlers":      {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.main", To: "app.get", Order: 3}}, false},
		"a function that lets it go":        {[]Run{{From: "app.handle", To: "app.mid", Under: true}, {From: "app.mid", To: "app.get", Left: true}}, false},
		"and takes it again":                {[]Run{{From: "app.handle", To: "app.mid", Under: true}, {From: "app.mid", To: "app.get", Left: true, Under: true}}, true},
		"main's loop without it":            {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.main", To: "app.get", Looped: true, Endless: true, Order: 3}}, false},
		"an example without it":             {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "show.main", To: "show"}, {From: "show", To: "app.get"}}, true},
		"an object of its own without it":   {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.handle", To: "app.mid", Private: true}, {From: "app.mid", To: "app.get", Own: true}}, true},
		"one part of an own object":         {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.handle", To: "app.mid", Private: true}, {From: "app.mid", To: "app.get"}}, false},
		"an own object that a thread gets":  {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.handle", To: "app.mid", Private: true}, {From: "app.mid", To: "app.get", Own: true}, {From: "app.mid", To: "go"}, {From: "go", To: "app.get", Under: true}}, false},
		"own objects alone":                 {[]Run{{From: "app.handle", To: "app.get", Private: true}}, false},
		"a thread begun before the lock":    {[]Run{{From: "app.handle", To: "go", Order: 1}, {From: "app.handle", To: "app.get", Under: true, Order: 2}, {From: "go", To: "app.get", Under: true}, {From: "app.main", To: "app.get", Order: 1}}, true},
		"anyone":                            {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: Anyone, To: "app.get"}}, false},
		"the start alone":                   {[]Run{{From: "app.main", To: "app.get", Under: true}}, false},
		"nothing":                           {nil, false},
		"a loop of the start":               {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "app.main", To: "app.get", Looped: true, Endless: true, Order: 1}}, true},
		"a loop that begins a goroutine":    {[]Run{{From: "app.main", To: "app.mid", Looped: true, Endless: true}, {From: "app.mid", To: "app.get", Order: 1}, {From: "app.mid", To: "go", Order: 2}, {From: "go", To: "app.get", Under: true}}, false},
		"what a program shows at its start": {[]Run{{From: "app.handle", To: "app.get", Under: true}, {From: "show.main", To: "app.handle"}, {From: "show.main", To: "app.get", Order: 1}}, true},
	} {
		app := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.get": {Short: "get"}, "app.mid": {Short: "mid"}, "app.handle": {Short: "handle"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.get"}, {From: "app.main", To: "app.mid"}, {From: "app.main", To: "app.handle"}},
			Starts: map[Name]Start{"go": {Owner: "app.main"}},
			Takes:  []Run{{From: "app.main", To: "app.handle", Order: 2}},
			Served: map[Name]bool{"app.handle": true},
			Runs:   c.runs,
		}
		show := &Record{
			Path: "show", Program: true, Shows: true,
			Funcs:  map[Name]Decl{"show.main": {Short: "main"}},
			Refs:   []Ref{{To: "show.main", Loose: true}},
			Starts: map[Name]Start{"show": {Owner: "show.main"}},
		}
		if got := Solve([]*Record{app, show}, all{}, nil).View(false).Enclosed([]Name{"app.get"}, true); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
