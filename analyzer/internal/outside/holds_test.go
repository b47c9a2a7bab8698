package outside

import (
	"slices"
	"testing"
)

// TestCalledByType calls a method of an interface on what a field holds, and asks which methods run.
func TestCalledByType(t *testing.T) {
	const field, param, other = "var app.w.From@1", "app.New(0)", "var app.last@2"
	plain, memory := TypeNode("app.Plain"), TypeNode("app.Memory")
	put := func(pairs ...Name) (out []Hold) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, Hold{Node: pairs[i], Value: pairs[i+1]})
		}
		return out
	}
	all, some := []Name{"app.Memory.Next", "app.Plain.Next"}, []Name{"app.Plain.Next"}
	for name, c := range map[string]struct {
		holds  []Hold
		untold []string
		want   []Name
	}{
		"by the parameter that it is given":    {holds: put(field, param, param, plain), want: some},
		"by two":                               {holds: put(field, param, param, plain, field, other, other, memory), want: all},
		"by itself":                            {holds: put(field, field, field, plain), want: some},
		"by nothing that is known":             {holds: put(field, param, param, plain, param, Unknown), want: all},
		"by nothing at all":                    {holds: put(field, param), want: all},
		"by a type of which the method is not": {holds: put(field, TypeNode("app.Outer")), want: all},
		"and others may call the method":       {holds: put(field, plain), untold: []string{"Next"}, want: some},
		"but interfaces are not followed":      {holds: put(field, plain), untold: []string{""}, want: all},
		"but another method is called":         {holds: put(field, plain), untold: []string{"Stop"}, want: some},
	} {
		app := &Record{
			Path: "app",
			Funcs: map[Name]Decl{
				"app.main": {Short: "main"}, "app.New": {Short: "New"},
				"app.Plain.Next": {Short: "Next", Method: true}, "app.Memory.Next": {Short: "Next", Method: true},
			},
			Refs:    []Ref{{To: "app.main", Loose: true}, {From: "app.main", To: "app.New"}, {From: "app.main", To: "app.Store#Next"}},
			Methods: map[string]map[Name]bool{"app.Store": {"app.Plain.Next": true, "app.Memory.Next": true}}, Interfaces: map[string]string{"app.Store": "app"},
			Starts: map[Name]Start{Thread("app.main", 0): {Owner: "app.main"}},
			Runs: []Run{
				{From: "app.main", To: Thread("app.main", 0)},
				{From: Thread("app.main", 0), To: Method("app.Store", "Next"), By: field},
			},
			Holds: c.holds,
			Impls: map[Name]map[string]Name{plain: {"Next": "app.Plain.Next"}, memory: {"Next": "app.Memory.Next"}, TypeNode("app.Outer"): {}},
		}
		for _, short := range c.untold {
			app.Untold = map[string]bool{short: true}
		}
		var got []Name
		view := Solve([]*Record{app}, inModule{}, nil).View(true)
		for _, m := range all {
			if view.Calls("app.main", m) {
				got = append(got, m)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// inModule is a module of which all is known.
type inModule struct{}

func (inModule) Closed(string) bool                    { return true }
func (inModule) Whole(string) bool                     { return true }
func (inModule) Mentions(string, string, bool) Mention { return Unmentioned }
