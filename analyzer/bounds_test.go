package analyzer_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer"
	"github.com/mapguard/mapguard/analyzer/finding"
)

// A tooMuch is a program that is beyond a bound, and what -why says of it at the
// line that ends in "// here".
type tooMuch struct {
	name string
	src  func() string
	want string
}

// lines writes n lines, each with its number.
func lines(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line+"\n", i)
	}
	return b.String()
}

// object is a type with many fields that lead to maps.
func object(fields int) string {
	return "type object struct {\n" + lines(fields, "\tf%d map[string]int") + "\tnext *object\n}\n\nvar known *object\n\n"
}

var tooMuches = []tooMuch{
	{"long", func() string {
		return "func tick()\n\nfunc (c *cache) Long(k string) {\n" + strings.Repeat("\ttick()\n", 60_001) + "\tdelete(c.m, k) // here\n}\n"
	}, "the analysis of cache.Long was cut short: more than 60000 instructions: it is taken to touch no map and to keep all locks"},
	{"callsLong", func() string {
		return "func tick()\n\nfunc long() {\n" + strings.Repeat("\ttick()\n", 60_001) + "}\n\n" +
			"func (c *cache) Calls(k string) {\n\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\tlong()\n\tdelete(c.m, k) // here\n}\n"
	}, "the analysis of cache.Calls was cut short: a call of long, which has more than 60000 instructions: it is taken to touch no map and to keep all locks"},
	{"accesses", func() string {
		return "func (c *cache) Many(k string) {\n" + lines(400, "\tc.m[\"%d\"] = nil") + "\tdelete(c.m, k) // here\n}\n"
	}, "the analysis of cache.Many was cut short: more than 400 accesses of maps"},
	{"inputs", func() string {
		var params []string
		for i := range 65 {
			params = append(params, fmt.Sprintf("p%d *cache", i))
		}
		return "func Inputs(" + strings.Join(params, ", ") + ") {\n\tdelete(p0.m, \"\") // here\n}\n"
	}, "more than 64 parameters and captured variables: the others are taken for shared"},
	{"objects", func() string {
		return object(1) + "func Objects(c *cache, b bool) {\n" + lines(170, "\to%[1]d := &object{}") + "\tif b {\n" + lines(170, "\t\tknown = o%[1]d") + "\t}\n\tdelete(c.m, \"\") // here\n}\n"
	}, "more than 160 objects: all are taken for shared"},
	{"parts", func() string {
		return object(70) + "func Parts(c *cache, m map[string]int, b bool) {\n\to := &object{}\n" + lines(70, "\to.f%d = m") + "\tif b {\n\t\tknown = o.next\n\t}\n\tdelete(c.m, \"\") // here\n}\n"
	}, "more than 64 parts of one object: it is taken for shared until it is made anew"},
	{"names", func() string {
		return object(1) + "func Names(c *cache, b bool) {\n\to0 := &object{}\n" + repeat(170, "\to%[2]d := &object{next: o%[1]d}\n") + "\tif b {\n\t\tknown = o170\n\t}\n\tdelete(c.m, \"\") // here\n}\n"
	}, "more than 160 names of what one object leads to: what has the others is not followed"},
	{"fields", func() string {
		return object(120) + "func Fields(c *cache, o *object) {\n\tgo func() {\n" + lines(120, "\t\to.f%d = nil") + "\t}()\n\tdelete(c.m, \"\") // here\n}\n"
	}, "a goroutine that runs more than 400 functions or touches more than 100 fields: it is taken to reach all fields"},
	{"bodies", func() string {
		return "func Bodies(c *cache) {\n\tgo b0(c)\n\tdelete(c.m, \"\") // here\n}\n\n" + repeat(410, "func b%[1]d(c *cache) { b%[2]d(c) }\n") + "func b410(c *cache) {}\n"
	}, "a goroutine that runs more than 400 functions or touches more than 100 fields: it is taken to reach all fields"},
	{"threads", func() string {
		return repeat(30, "func (c *cache) Start%[1]d() { go c.run%[1]d() }\nfunc (c *cache) run%[1]d() { c.drop() }\n") + "func (c *cache) drop() {\n\tdelete(c.m, \"\") // here\n}\n"
	}, "the analysis of cache.drop was cut short: more than 24 threads that run it: any thread is taken to"},
	{"starts", func() string {
		return "func (c *cache) Starts() {\n" + strings.Repeat("\tgo c.drop()\n", 41) + "\tdelete(c.m, \"\") // here\n}\n\nfunc (c *cache) drop() { delete(c.m, \"\") }\n"
	}, "the analysis of cache.Starts was cut short: more than 40 goroutines started"},
}

// Where a bound cuts the analysis short, -why names it and says what is assumed,
// also at a line where for that reason no access is seen; well below the bound,
// it says nothing of the kind.
func TestBoundsShow(t *testing.T) {
	for _, p := range tooMuches {
		t.Run(p.name, func(t *testing.T) {
			if got := cutsAt(t, p.src()); !strings.Contains(got, p.want) {
				t.Errorf("-why says %q,\nnot %q", got, p.want)
			}
		})
	}
	small := "func (c *cache) Small(k string) {\n\to := &cache{m: c.m}\n\tgo func() { o.m = nil }()\n\tdelete(c.m, k) // here\n}\n"
	if got := cutsAt(t, small); got != "" {
		t.Errorf("a small function: %s", got)
	}
}

// cutsAt asks why at the line of src that is marked, and returns what is said of
// bounds.
func cutsAt(t *testing.T, src string) string {
	t.Helper()
	pass := generate(t, family{make: func(int) string { return src }}, 0)
	before, _, _ := strings.Cut(head+src, "// here")
	pass.Analyzer = analyzer.New(analyzer.Config{Why: fmt.Sprintf("p.go:%d", 1+strings.Count(before, "\n"))})
	res, err := pass.Analyzer.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, j := range res.(*finding.Result).Judgements {
		for _, c := range j.Cuts {
			out = append(out, "the analysis of "+j.Function+" was cut short: "+c)
		}
	}
	return strings.Join(out, "\n")
}

// Flags that are set where earlier ones are ask for those on each edge: the ways through a chain of them
// double with each, and what they tell is not followed along all.
func TestChainOfFlags(t *testing.T) {
	for _, n := range []int{1, 400} {
		src := "func step(i int) *int\n\nfunc (c *cache) Chain(k string) {\n\tc.mu.Lock()\n\tfail := c.m[k]\n\tc.mu.Unlock()\n" +
			lines(n, "\tif fail == nil {\n\t\tfail = step(%d)\n\t}") +
			"\tif fail == nil {\n\t\tc.mu.Lock()\n\t\tc.m[k] = fail\n\t\tc.mu.Unlock()\n\t}\n}\n"
		found := 0
		pass := generate(t, family{make: func(int) string { return src }}, 0)
		pass.Report = func(analysis.Diagnostic) { found++ }
		run1(t, pass)
		if found != 1 {
			t.Errorf("%d flags: %d findings, want one", n, found)
		}
	}
}
