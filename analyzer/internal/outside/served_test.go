package outside

import "testing"

// TestServed looks for the handler that leads to a function.
func TestServed(t *testing.T) {
	for name, c := range map[string]struct {
		runs []Run
		want Name
	}{
		"the handler itself calls it":   {[]Run{{From: "app.handle", To: "app.set"}}, "app.handle"},
		"through another function":      {[]Run{{From: "app.handle", To: "app.get"}, {From: "app.get", To: "app.set"}}, "app.handle"},
		"in a goroutine of the handler": {[]Run{{From: "app.handle", To: "go"}, {From: "go", To: "app.set"}}, "app.handle"},
		"main alone":                    {[]Run{{From: "app.main", To: "app.set"}}, ""},
		"main calls the handler's":      {[]Run{{From: "app.main", To: "app.set"}, {From: "app.main", To: "app.get"}, {From: "app.handle", To: "app.get"}}, ""},
		"a loop of calls":               {[]Run{{From: "app.get", To: "app.set"}, {From: "app.set", To: "app.get"}}, ""},
		"nothing":                       {nil, ""},
	} {
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.get": {Short: "get"}, "app.set": {Short: "set"}, "app.handle": {Short: "handle"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.get"}, {From: "app.main", To: "app.set"}, {From: "app.main", To: "app.handle"}},
			Starts: map[Name]Start{"go": {Owner: "app.handle"}},
			Served: map[Name]bool{"app.handle": true},
			Runs:   c.runs,
		}
		if by, ok := Solve([]*Record{r}, all{}, nil).View(false).Served("app.set"); by != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %t", name, by, ok)
		}
	}
}

// What a function runs that it gets is run for those who pass it.
func TestServedThroughParameter(t *testing.T) {
	const param Name = "app.each(0)"
	for name, c := range map[string]struct {
		taker Name
		from  Name
		want  Name
	}{
		"the handler passes it":              {"app.handle", "app.each", "app.handle"},
		"main passes it":                     {"app.main", "app.each", ""},
		"main passes it, to a goroutine":     {"app.main", "go", ""},
		"the handler passes it, to the same": {"app.handle", "go", "app.handle"},
	} {
		r := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.each": {Short: "each"}, "app.handle": {Short: "handle"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.each"}, {From: "app.main", To: "app.handle"}, {From: "app.handle", To: "app.each"}},
			Starts: map[Name]Start{"go": {Owner: "app.each"}},
			Served: map[Name]bool{"app.handle": true},
			Takes:  []Run{{From: c.taker, To: "app.lit"}},
			Leads:  []Lead{{From: param, To: "app.lit"}},
			Runs: []Run{
				{From: "app.main", To: "app.each"}, {From: "app.handle", To: "app.each"}, {From: "app.each", To: "go"},
				{From: c.from, To: param}, {From: Anyone, To: "app.lit"},
			},
		}
		if by, ok := Solve([]*Record{r}, all{}, nil).View(false).Served("app.lit"); by != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %t", name, by, ok)
		}
	}
}

func TestShort(t *testing.T) {
	for name, want := range map[Name]string{
		"main.run":                            "main.run",
		"example.org/app/web.Handle":          "web.Handle",
		"(*example.org/app/web.Server).Serve": "(*web.Server).Serve",
		"(example.org/app/web.Server).Serve":  "(web.Server).Serve",
	} {
		if got := name.Short(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
