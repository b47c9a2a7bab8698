package outside

import "testing"

// A function whose value goes through nodes has those as callers that call what the nodes hold,
// unless code outside has the value.
func TestFollow(t *testing.T) {
	const field, param Name = "var app.T.run@1", "app.each(0)"
	calls := []Run{{From: "app.main", To: "app.get"}, {From: "app.main", To: field}, {From: "go many", To: param}, {From: Anyone, To: "app.lit"}}
	for name, c := range map[string]struct {
		leads []Lead
		want  bool
	}{
		"nothing is known":               {nil, false},
		"a field that main calls":        {[]Lead{{field, "app.lit"}}, true},
		"a parameter that is in a field": {[]Lead{{field, "app.put(1)"}, {"app.put(1)", "app.lit"}}, true},
		"a goroutine's parameter":        {[]Lead{{param, "app.lit"}}, false},
		"both":                           {[]Lead{{field, "app.lit"}, {param, "app.lit"}}, false},
		"code outside has it":            {[]Lead{{field, "app.lit"}, {Outsiders, "app.lit"}}, false},
		"code outside has the parameter": {[]Lead{{field, "app.lit"}, {Outsiders, "app.put(1)"}, {"app.put(1)", "app.lit"}}, false},
		"code outside has what gives it": {[]Lead{{field, "app.lit"}, {Outsiders, "app.give"}, {"app.give->0", "app.lit"}}, false},
		"a shape":                        {[]Lead{{field, "func;int;->;"}, {"func;int;->;", "app.lit"}}, true},
		"another shape":                  {[]Lead{{field, "func;int;->;"}, {"func;string;->;", "app.lit"}}, false},
		"a shape of generic code":        {[]Lead{{field, "func;?;->;"}, {"func;string;->;", "app.lit"}}, true},
	} {
		s := threaded(calls...)
		r := *s.solver.records[0]
		r.Leads = c.leads
		if _, ok := Solve([]*Record{&r}, all{}, nil).View(false).Sole([]Name{"app.lit"}); ok != c.want {
			t.Errorf("%s: %t", name, ok)
		}
	}
}

func TestIsValue(t *testing.T) {
	for n, want := range map[Name]bool{
		"app.main": false, "(*app.T).Get": false, "app.main$1": false, "app.I#Get": false, Anyone: false, "go app.main 0": false,
		"func;int;->;": true, "var app.x@3": true, Param("app.main", 0): true, Result("(*app.T).Get", 1): true, Outsiders: true,
	} {
		if IsValue(n) != want {
			t.Errorf("%s: %t", n, !want)
		}
	}
}

// What no program of an application comes to has no thread.
func TestSpared(t *testing.T) {
	r := *threaded(Run{From: "app.a", To: "app.get"}, Run{From: "app.Dead", To: "app.get"}).solver.records[0]
	r.Path = "lib" // which other modules can import
	r.Funcs["app.Dead"], r.Funcs["app.late"] = Decl{Short: "Dead", Exported: true}, Decl{Short: "late"}
	r.Starts["go dead"] = Start{Owner: "app.Dead"} // which no program begins either
	r.Runs = append(r.Runs, Run{From: "app.Dead", To: "go dead"}, Run{From: "go dead", To: "app.late"}, Run{From: "app.a", To: "app.late"})
	r.Refs = append(r.Refs, Ref{From: "app.Dead", To: "app.late"}, Ref{From: "app.a", To: "app.late"})
	for n := range 3 {
		name := Name("app.Used") + Name(rune('a'+n))
		r.Funcs[name] = Decl{Short: string(name), Exported: true}
		r.Refs = append(r.Refs, Ref{From: "app.main", To: name})
	}
	for shows, want := range map[bool]bool{false: true, true: false} {
		r.Shows = shows
		v := Solve([]*Record{&r, {Path: "other"}}, all{}, nil).View(true)
		if w := v.of([]Name{"app.get"}, every); w.Any == want {
			t.Errorf("a program that shows how to use it: %t, other threads: %t", shows, w.Any)
		}
		if _, ok := v.Sole([]Name{"app.get"}); !ok { // for others than the module's own are an assumption
			t.Errorf("a program that shows how to use it: %t, one thread: %t", shows, ok)
		}
		if w := v.of([]Name{"app.late"}, every); (len(w.Threads) == 1) != want {
			t.Errorf("a program that shows how to use it: %t, threads: %v", shows, w.Threads)
		}
		if _, ok := v.Sole([]Name{"app.get", "app.Dead"}); ok != want {
			t.Errorf("a program that shows how to use it: %t, one thread with what others call: %t", shows, ok)
		}
	}
}
