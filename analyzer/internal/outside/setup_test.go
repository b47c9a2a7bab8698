package outside

import "testing"

func TestSetUp(t *testing.T) {
	// app.a begins the goroutine that reads.
	read := []Name{"app.read"}
	start, reads := Run{From: "app.a", To: "go late"}, Run{From: "go late", To: "app.read"}
	before, after := Run{From: "app.a", To: "app.get", Order: -1}, Run{From: "app.a", To: "app.get", Order: 1}
	for name, c := range map[string]struct {
		more []Run
		then []Name
		by   Name
		want bool
	}{
		"before the start, in a goroutine":         {[]Run{before, start, reads}, read, "app.a", true},
		"before the start, whatever threads":       {[]Run{before, start, reads}, read, "", true},
		"before, and main reads":                   {[]Run{before, start, reads, {From: "app.main", To: "app.read", Order: 2}}, read, "", false},
		"before, and main reads, another matter":   {[]Run{before, start, reads, {From: "app.main", To: "app.read", Order: 2}}, read, "app.a", true},
		"before one of two":                        {[]Run{before, start, reads, {From: "app.b", To: "app.read"}}, read, "", false},
		"after the start":                          {[]Run{after, start, reads}, read, "app.a", false},
		"nothing tells which is first":             {[]Run{{From: "app.a", To: "app.get"}, start, reads}, read, "app.a", false},
		"in the function that starts it":           {[]Run{start, {From: "go late", To: "app.get"}, {From: "app.get", To: "app.a"}}, []Name{"app.get"}, "app.a", false},
		"on a way that leads to no start":          {[]Run{before, start, reads, {From: "app.main", To: "app.get", Order: -1}}, read, "app.a", true},
		"on a way after the start":                 {[]Run{before, start, reads, {From: "app.main", To: "app.get", Order: 1}}, read, "app.a", false},
		"on the way of another goroutine":          {[]Run{before, start, reads, {From: "app.b", To: "app.get"}}, read, "app.a", false},
		"an unknown caller":                        {[]Run{before, start, reads, {From: Anyone, To: "app.get"}}, read, "app.a", false},
		"in goroutines of a loop":                  {[]Run{{From: "app.b", To: "app.a"}, before, start, reads}, read, "app.a", false},
		"in the rounds of a loop":                  {[]Run{{From: "app.a", To: "app.get", Looped: true}, {From: "app.a", To: "go late", Looped: true}, reads}, read, "app.a", false},
		"in a loop before":                         {[]Run{{From: "app.a", To: "app.get", Looped: true, Order: -1}, start, reads}, read, "app.a", true},
		"a goroutine of another function":          {[]Run{before, start, reads}, read, "app.b", false},
		"where its thread begins, after the start": {[]Run{before, start, reads, {From: "app.main", To: "go late", Order: -1}}, read, "app.a", false},
		"where its thread begins, before another":  {[]Run{before, start, reads, {From: "app.main", To: "go late", Order: 1}}, read, "app.a", true},
		"no caller":                            {[]Run{start, reads}, read, "app.a", false},
		"the main goroutine, whatever threads": {[]Run{{From: "app.main", To: "app.get", Order: -1}}, []Name{"app.a", "app.b"}, "", true},
		"the main goroutine, after one":        {[]Run{{From: "app.main", To: "app.get"}}, []Name{"app.a"}, "", false},
	} {
		if ok := threaded(c.more...).View(true).SetUp([]Name{"app.get"}, c.then, c.by); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}
