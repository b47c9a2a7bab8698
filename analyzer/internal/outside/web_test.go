package outside

import (
	"go/token"
	"go/types"
	"slices"
	"testing"
)

func signature(params ...types.Type) *types.Signature {
	var vars []*types.Var
	for _, t := range params {
		vars = append(vars, types.NewVar(token.NoPos, nil, "", t))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), nil, false)
}

func method(name string, params ...types.Type) *types.Func {
	return types.NewFunc(token.NoPos, nil, name, signature(params...))
}

// woven is a module in which lib runs unknown code and in may be what that is.
func woven() []*Record {
	text, number := types.Typ[types.String], types.Typ[types.Int]
	generic := types.NewTypeParam(types.NewTypeName(token.NoPos, nil, "T", nil), types.Universe.Lookup("any").Type())
	return []*Record{
		{
			Path:  "lib",
			Funcs: map[Name]Decl{"lib.Back": {Short: "Back", Exported: true}, "lib.Apart": {Short: "Apart", Exported: true}},
			Refs:  []Ref{{To: Method("lib.I", "Tell")}},
		},
		{
			Path: "in",
			Funcs: map[Name]Decl{
				"(in.T).Tell": {Short: "Tell", Exported: true}, "(in.U).Tell": {Short: "Tell", Exported: true},
				"(in.T).Write": {Short: "Write", Exported: true, Outer: Outer(method("Write", text))},
			},
			Methods:    map[string]map[Name]bool{"lib.I": {"(in.T).Tell": true}},
			Interfaces: map[string]string{"lib.I": "lib"},
			Waits:      map[Name]bool{"in.helper": true, "(in.U).Tell": true},
			Opened:     map[Name]Opening{"(in.T).Write": Called},
			Leads: []Lead{
				{"(in.T).Tell", "in.helper"}, {"in.helper", "lib.Back"}, {"(in.U).Tell", "lib.Apart"},
				{"(in.T).Write", "lib.Back"},
				{Shape(signature(text)), "in.helper"}, {"in.each", Shape(signature(generic))},
				{"in.never", Shape(signature(number, text))},
			},
		},
	}
}

func TestLeads(t *testing.T) {
	text, number := types.Typ[types.String], types.Typ[types.Int]
	s := Solve(woven(), all{}, nil)
	for _, tt := range []struct {
		start, to Name
		want      bool
	}{
		{Method("lib.I", "Tell"), "lib.Back", true},
		{Method("lib.I", "Tell"), "lib.Apart", false}, // no value of U becomes the interface
		{Outer(method("Write", text)), "lib.Back", true},
		{Outer(method("Write", number)), "lib.Back", false},
		{Shape(signature(text)), "lib.Back", true},
		{Shape(signature(number)), "lib.Back", false},
		{"in.each", "lib.Back", true}, // generic code calls a function of any type
		{"in.never", "lib.Back", false},
	} {
		leads, known := s.Leads("in", tt.start)
		if !known || leads(tt.to) != tt.want {
			t.Errorf("%s leads to %s: %t, want %t", tt.start, tt.to, !tt.want, tt.want)
		}
	}
	s.solver.application = false // other modules can have code run
	if _, known := s.Leads("lib", Method("lib.I", "Other")); known {
		t.Error("the code of other modules is known")
	}
	if _, known := Solve(woven(), part{}, nil).Leads("in", "in.each"); known {
		t.Error("a part of a module says what all of it may run")
	}
}

// More records never take away what something leads to.
func TestLeadsMonotone(t *testing.T) {
	few, more := woven(), append(woven(), &Record{
		Path: "more", Funcs: map[Name]Decl{"more.f": {Short: "f"}}, Leads: []Lead{{"in.helper", "more.f"}, {"more.f", "lib.Apart"}},
	})
	backward := slices.Clone(more)
	slices.Reverse(backward)
	for _, records := range [][]*Record{more, backward} {
		a, b := Solve(few, all{}, nil), Solve(records, all{}, nil)
		for _, start := range []Name{Method("lib.I", "Tell"), "in.each", "in.never"} {
			before, _ := a.Leads("in", start)
			after, _ := b.Leads("in", start)
			for _, to := range []Name{"lib.Back", "lib.Apart", "in.helper"} {
				if before(to) && !after(to) {
					t.Errorf("%s no longer leads to %s", start, to)
				}
			}
		}
	}
}

// Names of parameters are no part of a shape.
func TestShape(t *testing.T) {
	inner := func(name string) types.Type {
		v := types.NewVar(token.NoPos, nil, name, types.Typ[types.Int])
		return types.NewSignatureType(nil, nil, nil, types.NewTuple(v), nil, false)
	}
	if a, b := Shape(signature(inner("a"))), Shape(signature(inner("b"))); a != b {
		t.Errorf("%s and %s are two shapes", a, b)
	}
	if a, b := Shape(signature(types.Typ[types.Int])), Shape(signature(types.NewPointer(types.Typ[types.Int]))); a == b {
		t.Errorf("%s is the shape of two types", a)
	}
}

func TestWaits(t *testing.T) {
	s := Solve(woven(), all{}, nil)
	for _, tt := range []struct {
		start, where Name
	}{
		{Method("lib.I", "Tell"), "in.helper"}, // by the one type that becomes the interface
		{"(in.T).Write", ""},
		{"(in.U).Tell", "(in.U).Tell"},
		{"lib.Apart", ""}, // a function that leads nowhere
		{Shape(signature(types.Typ[types.String])), "in.helper"},
	} {
		if where, known := s.Waits("in", tt.start); where != tt.where || !known {
			t.Errorf("%s waits in %q (known: %v), want %q", tt.start, where, known, tt.where)
		}
	}
}
