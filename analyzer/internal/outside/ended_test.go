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
		if ok := threaded(c.more...).View(true).Ended([]Name{"app.get"}, []Name{"app.read"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}
