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

// TestBeforeOffered sets up what a server's handler reads that is a method: the main goroutine makes an interface of its object.
func TestBeforeOffered(t *testing.T) {
	set := Run{From: "app.main", To: "app.set", Order: 2}
	at := func(order int, iface string) Offer {
		return Offer{From: "app.main", To: "(api.T).Get", Order: order, Iface: iface}
	}
	for name, c := range map[string]struct {
		offers  []Offer
		changes Change
		want    bool
	}{
		"before the server has it":               {[]Offer{at(3, "")}, Change{}, true},
		"after the server has it":                {[]Offer{at(1, "")}, Change{}, false},
		"after the module alone has it":          {[]Offer{at(1, "api.I"), at(3, "")}, Change{}, true},
		"after what becomes one of code outside": {[]Offer{at(1, "api.I"), at(3, "")}, Change{From: "api.I"}, false},
		"and nothing tells when":                 {[]Offer{at(3, ""), {From: Sometime, To: "(api.T).Get"}}, Change{}, false},
	} {
		app := &Record{
			Path:   "app",
			Funcs:  map[Name]Decl{"app.main": {Short: "main"}, "app.set": {Short: "set"}},
			Refs:   []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.set"}},
			Runs:   []Run{set},
			Opened: map[Name]Opening{"(api.T).Get": Called}, Offers: c.offers,
		}
		if c.changes.From != "" {
			app.Changes = map[Change]bool{c.changes: true}
		}
		api := &Record{Path: "api", Funcs: map[Name]Decl{"(api.T).Get": {Short: "Get", Exported: true, Method: true}}, Served: map[Name]bool{"(api.T).Get": true}}
		if ok := Solve([]*Record{app, api}, all{}, nil).View(true).Before([]Name{"app.set"}, []Name{"(api.T).Get"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}
