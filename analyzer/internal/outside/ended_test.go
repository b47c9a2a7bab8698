package outside

import "testing"

func TestEnded(t *testing.T) {
	// app.a begins the goroutine that reads, and waits for it.
	start, reads := Run{From: "app.a", To: "go joined", Order: 3, Looped: true}, Run{From: "go joined", To: "app.read"}
	get := func(order int) Run { return Run{From: "app.a", To: "app.get", Order: order} }
	for name, c := range map[string]struct {
		more []Run
		want bool
	}{
		"behind the wait":                     {[]Run{start, reads, get(6)}, true},
		"when the function ends":              {[]Run{start, reads, {From: "app.a", To: "app.get", Order: 9, Deferred: true}}, true},
		"before the wait":                     {[]Run{start, reads, get(5)}, false},
		"before the start":                    {[]Run{start, reads, get(1)}, false},
		"behind it, and before":               {[]Run{start, reads, get(6), get(1)}, false},
		"it reads besides":                    {[]Run{start, reads, {From: "app.a", To: "app.read", Order: 4}, get(6)}, true},
		"it reads later":                      {[]Run{start, reads, get(6), {From: "app.a", To: "app.read", Order: 8}}, true},
		"another goroutine reads later":       {[]Run{start, reads, get(6), {From: "app.a", To: "go late", Order: 8}, {From: "go late", To: "app.read"}}, true},
		"another goroutine reads before":      {[]Run{start, reads, get(6), {From: "app.a", To: "go late", Order: 1}, {From: "go late", To: "app.read"}}, false},
		"others read":                         {[]Run{start, reads, get(6), {From: "app.b", To: "app.read"}}, false},
		"the program reads":                   {[]Run{start, reads, get(6), {From: "app.main", To: "app.read"}}, false},
		"the maker reads":                     {[]Run{start, reads, get(6), {From: "app.main", To: "app.read", Private: true}}, true},
		"someone reads":                       {[]Run{start, reads, get(6), {From: Anyone, To: "app.read"}}, false},
		"others come there":                   {[]Run{start, reads, get(6), {From: "app.b", To: "app.get"}}, false},
		"someone comes there":                 {[]Run{start, reads, get(6), {From: Anyone, To: "app.get"}}, false},
		"in a goroutine behind the wait":      {[]Run{start, reads, {From: "app.a", To: "go late", Order: 6}, {From: "go late", To: "app.get"}}, true},
		"in one that goes on beside reads":    {[]Run{start, reads, {From: "app.a", To: "go late", Order: 6}, {From: "go late", To: "app.get"}, {From: "app.a", To: "app.read", Order: 8}}, false},
		"the function runs twice":             {[]Run{start, reads, get(6), {From: "app.b", To: "app.a"}}, false},
		"behind a call of what waits":         {[]Run{{From: "go joined", To: "app.read"}, {From: "app.a", To: "go joined", Order: 3}, {From: "app.main", To: "app.get", Order: 9}}, false},
		"nothing begins":                      {[]Run{{From: "app.a", To: "app.read", Order: 3}, get(6)}, false},
		"the goroutine comes there, too":      {[]Run{start, reads, get(6), {From: "go joined", To: "app.get"}}, false},
		"a goroutine for which nothing waits": {[]Run{{From: "app.a", To: "go late", Order: 3}, {From: "go late", To: "app.read"}, get(6)}, false},
	} {
		if _, ok := threaded(c.more...).View(true).Ended([]Name{"app.get"}, []Name{"app.read"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}

// TestEndedEach asks for a function that main calls in a loop.
func TestEndedEach(t *testing.T) {
	for name, c := range map[string]struct {
		call Run
		own  bool // what comes behind the wait works on the function's own object
		want bool
	}{
		"on a new object":                 {Run{Own: true, Made: true, Private: true}, true, true},
		"on one object":                   {Run{Own: true, Made: true, Private: true, Again: true}, true, false},
		"on an object that others know":   {Run{Own: true, Made: true}, true, false},
		"on what the caller has":          {Run{Own: true, Private: true}, true, false},
		"later on what is not the object": {Run{Own: true, Made: true, Private: true}, false, false},
	} {
		c.call.From, c.call.To, c.call.Looped = "app.main", "app.a", true
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.a": {Short: "a"}, "app.read": {Short: "read"}, "app.get": {Short: "get"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.a"}, {From: "app.a", To: "app.read"}, {From: "app.a", To: "app.get"}},
			Starts: map[Name]Start{"go joined": {Owner: "app.a", Awaited: true, Over: 5}},
			Runs: []Run{
				c.call, {From: "app.a", To: "go joined", Order: 3, Looped: true}, {From: "go joined", To: "app.read"},
				{From: "app.a", To: "app.get", Order: 6, Own: c.own},
			},
		}
		own, ok := Solve([]*Record{r}, all{}, nil).View(true).Ended([]Name{"app.get"}, []Name{"app.read"})
		if ok != c.want || ok && !own {
			t.Errorf("%s: %t %t", name, own, ok)
		}
	}
}
