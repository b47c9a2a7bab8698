package outside

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// all is the scope of an application that was analysed as a whole; lib is a
// package that other modules can import.
type all struct{ mentioned string }

func (all) Closed(pkg string) bool { return pkg != "lib" }
func (all) Whole(string) bool      { return true }
func (a all) Mentions(_, n string, _ bool) Mention {
	if n == a.mentioned {
		return BuiltIn
	}
	return Unmentioned
}

// part is the scope of a part of a module.
type part struct{ all }

func (part) Closed(string) bool { return false }
func (part) Whole(string) bool  { return false }

func module() []*Record {
	return []*Record{
		{
			Path:  "app",
			Funcs: map[Name]Decl{"app.main": {Short: "main"}, "app.unused": {Short: "Unused", Exported: true}},
			Refs: []Ref{
				{To: "app.main", Loose: true}, {From: "app.main", To: "in.Called"}, {From: "app.main", To: "lib.Called"},
				{From: "app.unused", To: "in.OnlyByDead"}, {From: "app.unused", To: "in.Called"}, {From: "app.main", To: "in.Value", Loose: true},
				{From: "app.main", To: "(in.T).Method"}, {From: "app.main", To: Method("app.J", "Later")}, {From: "app.unused", To: Method("app.I", "Other")},
				{From: "app.main", To: Method("app.J", "ask")},
			},
			Calls: []Call{
				{Caller: "app.main", Callee: "in.Called"}, {Caller: "app.unused", Callee: "in.Called"}, {Caller: "app.main", Callee: "lib.Called"},
				{Caller: "app.main", Callee: "(in.T).Method"}, {Caller: "app.main", Callee: Method("app.J", "Later")},
				{Caller: "app.unused", Callee: Method("app.I", "Other")},
			},
			Methods:    map[string]map[Name]bool{"app.I": {"(in.T).Later": true, "(in.T).Other": true, "(in.T).lone": true, "(in.T).ask": true}, "app.K": {"(in.T).Outside": true}},
			Interfaces: map[string]string{"app.I": "app", "app.J": "app", "app.K": "app"},
			Changes:    map[Change]bool{{"app.I", "app.J"}: true, {"app.K", ""}: true},
			Opened:     map[Name]Opening{"(in.T).ByInterface": Called},
		},
		{
			Path: "in",
			Funcs: map[Name]Decl{
				"in.Called": {Short: "Called", Exported: true}, "in.OnlyByDead": {Short: "OnlyByDead", Exported: true}, "in.Value": {Short: "Value", Exported: true}, "in.Recursive": {Short: "Recursive", Exported: true},
				"(in.T).Method": {Short: "Method", Exported: true}, "(in.T).Later": {Short: "Later", Exported: true}, "(in.T).Other": {Short: "Other", Exported: true},
				"(in.T).ByInterface": {Short: "ByInterface", Exported: true}, "(in.T).Outside": {Short: "Outside", Exported: true}, "in.helper": {Short: "helper", Exported: false},
				"(in.T).lone": {Short: "lone"}, "(in.T).ask": {Short: "ask"},
				"in.idle": {Short: "idle"}, "in.walk": {Short: "walk"}, "in.step": {Short: "step"}, "in.used": {Short: "used"},
			},
			Refs: []Ref{
				{From: "in.Recursive", To: "in.Recursive"}, {From: "in.OnlyByDead", To: "in.helper"},
				{From: "in.idle", To: "in.walk"}, {From: "in.walk", To: "in.walk"}, {From: "in.walk", To: "in.step"},
				{From: "in.idle", To: "in.used"}, {From: "in.Called", To: "in.used"},
			},
		},
		{
			Path: "lib", Funcs: map[Name]Decl{"lib.Called": {Short: "Called", Exported: true}, "lib.NotCalled": {Short: "NotCalled", Exported: true}},
		},
	}
}

func show(c *Context) string {
	switch {
	case c == nil:
		return "unknown"
	case c.Dead:
		return "dead"
	}
	s := fmt.Sprintf("%d calls", len(c.Calls))
	if c.Assumed {
		s += ", assumed"
	}
	return s
}

func TestSolve(t *testing.T) {
	s := Solve(module(), all{}, nil)
	for name, want := range map[Name]string{
		"in.Called":          "1 calls", // that of a function that nothing calls does not count
		"in.OnlyByDead":      "dead",
		"in.helper":          "dead",
		"in.Value":           "unknown",
		"in.Recursive":       "dead",
		"(in.T).Method":      "1 calls",
		"(in.T).Later":       "1 calls",
		"(in.T).Outside":     "unknown",
		"(in.T).Other":       "dead",
		"(in.T).ByInterface": "unknown",
		"app.unused":         "dead",
		"app.main":           "unknown",
		"lib.Called":         "1 calls, assumed",
		"lib.NotCalled":      "unknown",
	} {
		if got := show(s.Of(name, true)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := show(Solve(module(), all{}, map[Name]bool{"(in.T).Method": true}).Of("(in.T).Method", true)); got != "1 calls, assumed" {
		t.Errorf("a method that other modules can call: %s", got)
	}
	if s.Of("lib.Called", false) != nil {
		t.Error("what is assumed is known")
	}
	if got := show(Solve(module(), all{"OnlyByDead"}, nil).Of("in.OnlyByDead", true)); got != "unknown" {
		t.Errorf("a function that an unread file mentions: %s", got)
	}
}

// What functions that nothing calls refer to alone is idle, too, and so is a method of a value that becomes an
// interface which nothing asks for it.
func TestIdle(t *testing.T) {
	s := Solve(module(), all{}, nil)
	for name, want := range map[Name]bool{
		"in.idle": true, "in.walk": true, "in.step": true, "in.used": false, "in.Called": false, "in.helper": false, "app.main": false,
		"(in.T).lone": true, "(in.T).ask": false,
	} {
		if got := s.Idle(name); got != want {
			t.Errorf("%s is idle: %v, want %v", name, got, want)
		}
	}
}

// A method that code outside may find in a value is taken to be there for the module if that calls it, by an
// interface of its own as well; but for those for which the standard library looks.
func TestBarelyOpen(t *testing.T) {
	records := func(d Decl) []*Record {
		return []*Record{{
			Path: "app", Program: true,
			Funcs:      map[Name]Decl{"app.main": {Short: "main"}, "(app.T).Labels": d},
			Refs:       []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: Method("app.I", "Labels")}},
			Calls:      []Call{{Caller: "app.main", Callee: Method("app.I", "Labels")}},
			Methods:    map[string]map[Name]bool{"app.I": {"(app.T).Labels": true}},
			Interfaces: map[string]string{"app.I": "app"},
			Opened:     map[Name]Opening{"(app.T).Labels": Sought},
		}}
	}
	for name, c := range map[string]struct {
		decl Decl
		want bool
	}{
		"called by an interface": {Decl{Short: "Labels", Exported: true, Method: true}, true},
		"looked for":             {Decl{Short: "Labels", Exported: true, Method: true, Sought: true}, false},
	} {
		s := solved(records(c.decl), all{}, nil)
		if got := s.stays("(app.T).Labels"); got != c.want {
			t.Errorf("%s: stays is %v, want %v", name, got, c.want)
		}
	}
}

// Of a part of a module nothing is said.
func TestPart(t *testing.T) {
	s := Solve(module(), part{}, nil)
	for name, ctx := range s.contexts {
		if name != "in.helper" && ctx != nil {
			t.Errorf("%s: %s", name, show(ctx))
		}
	}
}

// The order of the records does not matter, and what one more record tells takes
// no call away and no caller back.
func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	names := []Name{"in.Called", "in.OnlyByDead", "in.Value", "in.Recursive", "(in.T).Method", "(in.T).Other", "lib.Called"}
	for range 200 {
		before := Solve(module(), all{}, nil)
		more := &Record{Path: "more", Funcs: map[Name]Decl{"more.f": {Short: "f"}}}
		for range 1 + r.IntN(3) {
			to := names[r.IntN(len(names))]
			ref := Ref{From: "more.f", To: to, Loose: r.IntN(4) == 0}
			more.Refs = append(more.Refs, ref)
			if !ref.Loose {
				more.Calls = append(more.Calls, Call{Caller: "more.f", Callee: to})
			}
		}
		records := append(module(), more)
		after := Solve(records, all{}, nil)
		r.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		shuffled := Solve(records, all{}, nil)
		for _, name := range names {
			a, b := before.Of(name, true), after.Of(name, true)
			if promises(b) > promises(a) {
				t.Errorf("%s: %s becomes %s with %v", name, show(a), show(b), more.Refs)
			}
			if show(b) != show(shuffled.Of(name, true)) || b != nil && !slices.EqualFunc(b.Calls, shuffled.Of(name, true).Calls, func(x, y *Call) bool { return x.Caller == y.Caller }) {
				t.Errorf("%s: another order gives another context", name)
			}
		}
	}
}

// promises orders contexts by what they promise: the fewer calls, the more.
func promises(c *Context) int {
	switch {
	case c == nil:
		return -1000
	case c.Dead:
		return 1
	}
	return -len(c.Calls)
}

// What nothing calls is unused in an application alone: a module whose programs come
// to a third of what it exports, and whose own path names no package of the kind
// that others import.
func TestUnused(t *testing.T) {
	program := func(calls ...Name) *Record {
		r := &Record{Path: "m/app", Funcs: map[Name]Decl{"m/app.main": {Short: "main"}}, Refs: []Ref{{To: "m/app.main", Loose: true}}}
		for _, c := range calls {
			r.Refs = append(r.Refs, Ref{From: "m/app.main", To: c})
		}
		return r
	}
	api := func(path string) *Record {
		r := &Record{Path: path, Funcs: make(map[Name]Decl)}
		for _, short := range []string{"A", "B", "C", "D"} {
			r.Funcs[Name(path+"."+short)] = Decl{Short: short, Exported: true}
		}
		return r
	}
	mocks := &Record{Path: "m/mocks", Funcs: make(map[Name]Decl)}
	for _, short := range []string{"A", "B", "C", "D", "E", "F"} {
		mocks.Funcs[Name("m/mocks."+short)] = Decl{Short: short, Exported: true, Aside: true}
	}
	doc := &Record{Path: "m", Funcs: map[Name]Decl{"m.hidden": {Short: "hidden"}}}
	for _, c := range []struct {
		records []*Record
		fn      Name
		unused  bool
	}{
		{[]*Record{program("m/lib.A", "m/lib.B"), api("m/lib")}, "m/lib.C", true},
		{[]*Record{program("m/lib.A", "m/lib.B"), api("m/lib"), doc}, "m/lib.C", true},   // it offers nothing
		{[]*Record{program("m/lib.A", "m/lib.B"), api("m/lib"), mocks}, "m/lib.C", true}, // what a tool has written tells nothing
		{[]*Record{program("m/lib.A", "m.A", "m.B"), api("m/lib"), api("m")}, "m/lib.C", false},
		{[]*Record{program("m/lib.A", "m/lib.B"), api("m/lib")}, "m/lib.A", false},
		{[]*Record{program("m/lib.A"), api("m/lib")}, "m/lib.C", false},
		{[]*Record{program("m.A", "m.B"), api("m")}, "m.C", false},
	} {
		if got := Solve(c.records, importable{}, nil).Unused(c.fn); got != c.unused {
			t.Errorf("%s with %v: unused is %t", c.fn, c.records[0].Refs, got)
		}
	}
}

// importable is a module whose programs are its only closed packages.
type importable struct{ all }

func (importable) Closed(pkg string) bool { return pkg == "m/app" }

// What code outside finds by reflection is not unused: templates call methods of what
// the methods of their data return.
func TestReflected(t *testing.T) {
	records := module()
	records[0].Opened["(lib.P).Store"] = Called
	lib := records[2]
	lib.Funcs["(lib.P).Store"], lib.Funcs["(lib.S).Add"] = Decl{Short: "Store", Exported: true, Method: true}, Decl{Short: "Add", Exported: true, Method: true}
	if s := Solve(records, all{}, nil); !s.Unused("(lib.S).Add") || s.Unused("lib.Called") {
		t.Error("what nothing calls is unused, what is called is not")
	}
	lib.Given = map[Name][]Name{"(lib.P).Store": {"(lib.S).Add"}}
	if Solve(records, all{}, nil).Unused("(lib.S).Add") {
		t.Error("a method of what a method returns that templates can call is unused")
	}
}

// A method is called by an interface once something that runs makes a value of its type one, and
// by code outside that looks for it if it is one of those that are looked for.
func TestBoxed(t *testing.T) {
	method := func(short string, sought bool) Decl {
		return Decl{Short: short, Exported: true, Method: true, Sought: sought}
	}
	lib := func(by Name, opened map[Name]Opening) *Record {
		return &Record{
			Path: "m/lib", Opened: opened, Interfaces: map[string]string{"m/lib.I": "m/lib"},
			Funcs: map[Name]Decl{
				"m/lib.New": {Short: "New", Exported: true}, "m/lib.NewOther": {Short: "NewOther", Exported: true}, "m/lib.Use": {Short: "Use", Exported: true},
				"(m/lib.T).Do": method("Do", false), "(m/lib.T).Stop": method("Stop", false), "(m/lib.T).Close": method("Close", true),
			},
			Refs:    []Ref{{From: "m/lib.Use", To: Method("m/lib.I", "Do")}},
			Methods: map[string]map[Name]bool{"m/lib.I": {"(m/lib.T).Do": true}},
			Boxers:  map[Name][]Name{"(m/lib.T).Do": {by}, "(m/lib.T).Stop": {by}, "(m/lib.T).Close": {by}},
		}
	}
	main := &Record{
		Path: "m/app", Funcs: map[Name]Decl{"m/app.main": {Short: "main"}},
		Refs: []Ref{{To: "m/app.main", Loose: true}, {From: "m/app.main", To: "m/lib.New"}, {From: "m/app.main", To: "m/lib.Use"}},
	}
	sought := map[Name]Opening{"(m/lib.T).Stop": Sought, "(m/lib.T).Close": Sought}
	for _, c := range []struct {
		by     Name
		fn     Name
		unused bool
	}{
		{"m/lib.New", "(m/lib.T).Do", false},
		{"m/lib.NewOther", "(m/lib.T).Do", true},
		{"m/lib.New", "(m/lib.T).Close", false},
		{"m/lib.NewOther", "(m/lib.T).Close", true},
		{"m/lib.New", "(m/lib.T).Stop", true},
		{"", "(m/lib.T).Do", false},
	} {
		if got := Solve([]*Record{main, lib(c.by, sought)}, importable{}, nil).Unused(c.fn); got != c.unused {
			t.Errorf("%s, made an interface in %q: unused is %t", c.fn, c.by, got)
		}
	}
	if Solve([]*Record{main, lib("m/lib.New", map[Name]Opening{"(m/lib.T).Stop": Called})}, importable{}, nil).Unused("(m/lib.T).Stop") {
		t.Error("a method of an interface of code outside is unused")
	}
}
