package depend

import (
	"go/token"
	"go/types"
	"math/rand"
	"slices"
	"testing"
	"testing/quick"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"go/ast"
	"go/importer"
	"go/parser"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	own "github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A program with branches, loops, joins and stores, over which slices are taken.
const sliced = `package p

func f(m map[string]int, k string, n int) (r int) {
	v, ok := m[k]
	if !ok {
		v = n
	}
	x := v + 1
	for i := 0; i < x; i++ {
		if i > n {
			r += i
			continue
		}
		r -= x
	}
	y := n * 2
	if y > 3 {
		r = y
	}
	p := &r
	*p = x
	return r
}
`

// dependOn builds the theory for the function f of a program.
func dependOn(t *testing.T, src string) *Func {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	fn := pkg.Func("f")
	env := &Env{
		Paths: accesspath.NewBuilder(), Effectful: func(*ssa.Call) bool { return true },
		Starts:   func(*ssa.Call) bool { return false },
		Lasting:  func(*ssa.Call) bool { return false },
		Tidies:   func(*ssa.Call, accesspath.Path) bool { return false },
		Volatile: func(*types.Func) bool { return false }, Changes: FindChanges(pkg.Pkg, nil),
		SameSection: func(x, y ssa.Instruction) bool { return true },
	}
	return NewFunc(env, fn, own.NewReach(fn))
}

func valuesOf(f *Func) []ssa.Value {
	var out []ssa.Value
	for _, b := range f.Fn.Blocks {
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				out = append(out, v)
			}
		}
	}
	return out
}

// within reports a ⊑ b.
func within(a, b *Slice) bool {
	for v := range a.vals {
		if !b.vals[v] {
			return false
		}
	}
	return !slices.ContainsFunc(indices(a.blocks), func(i int) bool { return !b.blocks[i] })
}

func indices(set []bool) []int {
	var out []int
	for i, in := range set {
		if in {
			out = append(out, i)
		}
	}
	return out
}

// TestSliceLaws checks that slicing is a closure: it holds its seeds, it grows
// with them, and what it gives is closed. The height is the number of values and
// blocks, so that solving ends.
func TestSliceLaws(t *testing.T) {
	f := dependOn(t, sliced)
	vals := valuesOf(f)
	pick := func(seed int64) []ssa.Value {
		r := rand.New(rand.NewSource(seed))
		return slices.DeleteFunc(slices.Clone(vals), func(ssa.Value) bool { return r.Intn(6) > 0 })
	}
	for _, k := range []kind{everything, dataOnly, notPresence} {
		law := func(a, b int64) bool {
			x, y := pick(a), pick(b)
			sx, sy, both := f.forward(x, k), f.forward(y, k), f.forward(slices.Concat(x, y), k)
			for _, v := range x {
				if !sx.Has(v) {
					return false
				}
			}
			closed := slices.DeleteFunc(slices.Clone(vals), func(v ssa.Value) bool { return !sx.Has(v) })
			bounded := len(sx.vals) <= len(vals)+len(f.Fn.Params) && len(indices(sx.blocks)) <= len(f.Fn.Blocks)
			return within(sx, both) && within(sy, both) && within(f.forward(closed, k), sx) && bounded
		}
		if err := quick.Check(law, &quick.Config{MaxCount: 300}); err != nil {
			t.Errorf("kind %d: %v", k, err)
		}
	}
	if data, all := f.forward(vals[:1], dataOnly), f.Forward(vals[:1]); !within(data, all) {
		t.Error("data alone reaches what data and branches do not")
	}
}

// TestSenseLaws checks the algebra of senses: not is its own inverse, and keeps
// what nothing is known of.
func TestSenseLaws(t *testing.T) {
	for _, s := range []Sense{NoSense, TrueIfPresent, TrueIfAbsent, TrueIfFound, FalseIfFound} {
		if s.Not().Not() != s {
			t.Errorf("%v: not twice is %v", s, s.Not().Not())
		}
		if (s.Not() == s) != (s == NoSense) {
			t.Errorf("%v: not is %v", s, s.Not())
		}
		if s.If(true) != s || s.If(false) != s.Not() {
			t.Errorf("%v: if is %v, %v", s, s.If(true), s.If(false))
		}
	}
}

// TestPolarityLaws checks that joining polarities is a semilattice with Any at
// the top, of height one.
func TestPolarityLaws(t *testing.T) {
	all := []Polarity{Any, Absent, Present, Count, Room, Value}
	leq := func(p, q Polarity) bool { return p.Join(q) == q }
	for _, p := range all {
		if p.Join(p) != p || p.Join(Any) != Any {
			t.Errorf("%v: joined with itself %v, with any %v", p, p.Join(p), p.Join(Any))
		}
		for _, q := range all {
			if p.Join(q) != q.Join(p) || !leq(p, p.Join(q)) {
				t.Errorf("%v and %v join to %v and %v", p, q, p.Join(q), q.Join(p))
			}
			if leq(p, q) && p != q && q != Any {
				t.Errorf("%v is below %v, which is not the top", p, q)
			}
			for _, r := range all {
				if p.Join(q).Join(r) != p.Join(q.Join(r)) {
					t.Errorf("%v, %v and %v join in two ways", p, q, r)
				}
			}
		}
	}
}

// TestTraitsLaws checks that sets of traits are a semilattice under union, and
// that Has is its order.
func TestTraitsLaws(t *testing.T) {
	law := func(a, b, c Traits) bool {
		same := a
		return a|b == b|a && (a|b)|c == a|(b|c) && a|same == a && (a | b).Has(a) && (a.Has(b) == (a|b == a))
	}
	if err := quick.Check(law, nil); err != nil {
		t.Error(err)
	}
	if got := len(traitNames); Traits(1)<<(got-1) != Walked {
		t.Errorf("%d names of traits, the last of which is not the last trait", got)
	}
}

// TestBetween compares how acts depend on looks in small programs.
func TestBetween(t *testing.T) {
	for _, tt := range []struct {
		body     string
		want     Traits
		without  Traits
		polarity Polarity
	}{
		{"v, ok := m[k]; if !ok { m[k] = 1 }; return v", Control, Data | KeyOnly, Absent},
		{"v, ok := m[k]; if ok { m[k] = v + 1 }", Control | Data | Content, KeyOnly, Value},
		{"v, ok := m[k]; if !ok { m[k] = v + n }", Control, Data | Content, Absent},
		{"v := m[k]; m[k] = v + 1", Data | Content, Control, Value},
		{"if _, ok := m[k]; ok { delete(m, k) }", Control, Content, Present},
		{"if len(m) < n { m[k] = 1 }", Control, Data, Room},
		{"if n <= len(m) { return 1 }; m[k] = 1", Control, Data, Room},
		{"if !(len(m) + n > 8) { m[k] = 1 }", Control, Data, Room},
		{"if len(m) == 0 { m[k] = 1 }", Control, Data, Room},
		{"if len(m) == n { return 1 }; m[k] = 1", Control, Data, Count},
		{"if len(m) >= n { m[k] = 1 }", Control, Data, Count},
		{"if s := len(m); s > 0 && s < n { m[k] = 1 }", Control, Data, Count},
		{"if n > 3 || len(m) < n { m[k] = 1 }", Control, Data, Count},
		{"if s := len(m); s < n { m[k] = s }", Control | Data, 0, Count},
		{"if n - len(m) < 3 { m[k] = 1 }", Control, Data, Count},
		{"for old := range m { delete(m, old) }", Chosen, Data, Any},
		{"v, ok := 0, false; if n > 2 { v, ok = m[k]; if ok { return v } }; m[k] = n", Control, Data | Content, Absent},
		{"ok := true; if n > 2 { _, ok = m[k]; if !ok { return 1 } }; m[k] = n", Control, Data | Content, Present},
		{"v, ok := 0, false; if n > 2 { v, ok = m[k]; if ok && n > 7 { return v } }; m[k] = n", Control, Data, Any},
		{"v := m[k]; if v != 0 { return v }; g := func() { v = n }; g(); m[k] = v", Control, Data, Absent},
		{"v := 0; g := func() { v = n }; v = m[k]; g(); if v != 0 { return v }; m[k] = v", Control | Data, 0, Value},
		{"v := m[k]; if n > 2 && m[k] == v { m[k] = v + n }", Compared | Data, 0, Value},
		{"v := m[k]; if m[k] != v { m[k] = v + n }", Data, Compared, Value},
		{"v := m[k]; if m[\"x\"] == v { m[k] = v + n }", Data, Compared, Value},
	} {
		f := dependOn(t, "package p\n\nfunc f(m map[string]int, k string, n int) int {\n"+tt.body+"\nreturn 0\n}\n")
		got, ok := f.Between(lookAndAct(f))
		if !ok || !got.Has(tt.want) || got.Traits&tt.without != 0 || got.Polarity != tt.polarity {
			t.Errorf("%s: depends %v: %v, want %v (%v) without %v", tt.body, ok, got, tt.want, tt.polarity, tt.without)
		}
	}
	f := dependOn(t, "package p\n\nfunc f(m map[string]int, k string, n int) { _ = m[k]; m[k] = n }\n")
	if got, ok := f.Between(lookAndAct(f)); ok {
		t.Errorf("independent: %v", got)
	}
}

// TestOverwritten checks that what the look found does not go into a struct of which
// every field is set anew.
func TestOverwritten(t *testing.T) {
	for _, tt := range []struct {
		body string
		data bool
	}{
		{"r := m[k]; if r.b > n { return }; r.a, r.b = n, 2; m[k] = r", false},
		{"r := m[k]; if r.b > n { return }; r.a = n; m[k] = r", true},
		{"r := m[k]; r.a = n; if n > 2 { r.b = 7 }; m[k] = r", true},
		{"r := m[k]; if r.b > n { return }; r.a, r.b = r.a + 1, 2; m[k] = r", true},
		{"r := rec{n, n}; r.a, r.b = 1, 2; if n > 3 { r = m[k] }; m[k] = r", true},
	} {
		f := dependOn(t, "package p\n\ntype rec struct{ a, b int }\n\nfunc f(m map[string]rec, k string, n int) {\n"+tt.body+"\n}\n")
		if got, ok := f.Between(lookAndAct(f)); !ok || got.Has(Data) != tt.data {
			t.Errorf("%s: depends %v: %v, want data %v", tt.body, ok, got, tt.data)
		}
	}
}

// lookAndAct returns the first look and the last act of the function.
func lookAndAct(f *Func) (l *Look, a *Act) {
	for _, b := range f.Fn.Blocks {
		for _, instr := range b.Instrs {
			if l == nil {
				l = lookOf(instr)
			}
			if x := actOf(f, instr); x != nil {
				a = x
			}
		}
	}
	return l, a
}

func lookOf(instr ssa.Instruction) *Look {
	switch v := instr.(type) {
	case *ssa.Lookup:
		l := &Look{Instr: v, Op: access.Lookup, Outcomes: []ssa.Value{v}}
		if v.CommaOk {
			l.Outcomes, l.Presence = own.CommaOk(v)
		}
		l.Senses = Tell(l.Outcomes)
		return l
	case *ssa.Next:
		return &Look{Instr: v, Op: access.Range, Outcomes: own.Extracts(v)}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "len" {
			return &Look{Instr: v, Op: access.Len, Outcomes: []ssa.Value{v}}
		}
	}
	return nil
}

func actOf(f *Func, instr ssa.Instruction) *Act {
	switch v := instr.(type) {
	case *ssa.MapUpdate:
		return &Act{Instr: v, Op: access.Insert, Path: f.Paths.Of(v.Map), Value: v.Value, Key: v.Key}
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
			return &Act{Instr: v, Op: access.Delete, Path: f.Paths.Of(v.Call.Args[0]), Key: v.Call.Args[1]}
		}
	}
	return nil
}
