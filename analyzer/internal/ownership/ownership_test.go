package ownership

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	own "github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Generate makes quick choose among all kinds of values.
func (Value) Generate(r *rand.Rand, _ int) reflect.Value {
	all := []Value{Unreached, Owned, Shared, OwnedIf(Set(r.Uint64())), OwnedIf(Set(r.Intn(8)))}
	return reflect.ValueOf(all[r.Intn(len(all))])
}

func check(t *testing.T, f any) {
	t.Helper()
	if err := quick.Check(f, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
}

func TestJoinIsASemilattice(t *testing.T) {
	check(t, func(a, b, c Value) bool { return Join(Join(a, b), c) == Join(a, Join(b, c)) })
	check(t, func(a, b Value) bool { return Join(a, b) == Join(b, a) })
	check(t, func(a Value) bool { return Join(a, a) == a && Join(a, Unreached) == a && Join(a, Shared) == Shared })
	check(t, func(a, b Value) bool { return a.Leq(Join(a, b)) && Unreached.Leq(a) && a.Leq(Shared) })
}

// Resolving loses nothing in order: what is owned for more is owned for less.
func TestResolvingIsMonotone(t *testing.T) {
	check(t, func(a, b Value, s uint64) bool {
		return !a.Leq(b) || a == Unreached || !b.Given(Set(s)) || a.Given(Set(s))
	})
	check(t, func(a, b Value, in [3]Value) bool {
		input := func(i int) Value { return in[i%3] }
		return !a.Leq(b) || a == Unreached || a.Through(input).Leq(b.Through(input))
	})
}

func TestPackedValuesComeBackOrAreShared(t *testing.T) {
	check(t, func(a Value) bool {
		got := Unpack(a.Pack())
		return got == a || got == Shared
	})
}

func TestHeightIsBounded(t *testing.T) {
	v, steps := Unreached, 0
	for i := range maxInputs {
		if n := Join(v, OwnedIfInput(i)); n != v {
			v, steps = n, steps+1
		}
	}
	if v = Join(v, OwnedIfInput(maxInputs)); v != Shared || steps > maxInputs+3 {
		t.Errorf("%d steps up to %s", steps, v)
	}
}

// randomState fills a state with paths of a small table.
func randomState(r *rand.Rand, paths []accesspath.Path) State {
	if r.Intn(8) == 0 {
		return State{}
	}
	s := newState(func(accesspath.Root) Value { return OwnedIf(1) })
	for range r.Intn(6) {
		p := paths[r.Intn(len(paths))]
		v := Unreached.Generate(r, 0).Interface().(Value)
		switch r.Intn(3) {
		case 0:
			s.set(p, v)
		case 1:
			s.raise(p, v)
		default:
			s.publishAt(p, FieldsOf([]string{"p.a", "p.b"}[:1+r.Intn(2)]))
		}
	}
	return s
}

func somePaths() []accesspath.Path {
	var table accesspath.Table
	a := types.NewField(0, types.NewPackage("p", "p"), "a", types.NewMap(types.Typ[types.Int], types.Typ[types.Int]), false)
	b := types.NewField(0, types.NewPackage("p", "p"), "b", types.NewMap(types.Typ[types.Int], types.Typ[types.Int]), false)
	var out []accesspath.Path
	for i := range 2 {
		root := table.Root(accesspath.Root{Kind: accesspath.Param, Index: i})
		out = append(out, root, table.Field(root, a), table.Field(root, b), table.Field(table.Field(root, a), b), table.Elem(root, accesspath.Path{}))
	}
	return out
}

// Objects with more parts than are told apart obey the laws as well.
func TestManyPartsAreCut(t *testing.T) {
	var table accesspath.Table
	root := table.Root(accesspath.Root{Kind: accesspath.Param})
	var paths []accesspath.Path
	for i := range 2 * maxParts {
		f := types.NewField(0, nil, "f"+string(rune('a'+i)), types.Typ[types.Int], false)
		paths = append(paths, table.Field(root, f))
	}
	fill := func(r *rand.Rand) State {
		s := newState(func(accesspath.Root) Value { return Owned })
		for range r.Intn(2 * maxParts) {
			s.set(paths[r.Intn(len(paths))], []Value{Owned, OwnedIf(1)}[r.Intn(2)])
		}
		return s
	}
	var l Lattice
	r := rand.New(rand.NewSource(3))
	for range 500 {
		a, b, c := fill(r), fill(r), fill(r)
		if !l.Equals(l.Merge(l.Merge(a, b), c), l.Merge(a, l.Merge(b, c))) || !l.Equals(l.Merge(a, b), l.Merge(b, a)) {
			t.Fatalf("no semilattice: %s | %s | %s", a, b, c)
		}
		if ab := l.Merge(a, b); len(ab.object(root).parts) > maxParts {
			t.Fatalf("%d parts", len(ab.object(root).parts))
		}
	}
}

func TestMergeIsASemilattice(t *testing.T) {
	paths := somePaths()
	var l Lattice
	r := rand.New(rand.NewSource(1))
	for range 3000 {
		a, b, c := randomState(r, paths), randomState(r, paths), randomState(r, paths)
		ab := l.Merge(a, b)
		switch {
		case !l.Equals(l.Merge(ab, c), l.Merge(a, l.Merge(b, c))):
			t.Fatalf("not associative: %s | %s | %s", a, b, c)
		case !l.Equals(ab, l.Merge(b, a)):
			t.Fatalf("not commutative: %s | %s", a, b)
		case !l.Equals(l.Merge(a, a), a), !l.Equals(l.Merge(a, l.Ident()), a):
			t.Fatalf("not idempotent: %s", a)
		}
		for _, p := range paths {
			if !a.Lookup(p).Leq(ab.Lookup(p)) {
				t.Fatalf("%s: %s is not below the join of %s and %s", p, a.Lookup(p), a, b)
			}
		}
	}
}

// Raising and publishing are monotone in the state.
func TestTransferIsMonotone(t *testing.T) {
	paths := somePaths()
	var l Lattice
	r := rand.New(rand.NewSource(2))
	for range 3000 {
		a := randomState(r, paths)
		b := l.Merge(a, randomState(r, paths))
		if !a.reached {
			continue
		}
		p := paths[r.Intn(len(paths))]
		x, y := a.clone(), b.clone()
		switch r.Intn(3) {
		case 0:
			x.set(p, Shared)
			y.set(p, Shared)
		case 1:
			x.raise(p, OwnedIf(4))
			y.raise(p, OwnedIf(4))
		default:
			x.publishAt(p, AllFields)
			y.publishAt(p, AllFields)
		}
		for _, q := range paths {
			if !x.Lookup(q).Leq(y.Lookup(q)) {
				t.Fatalf("%s: %s, %s of %s, %s", q, x.Lookup(q), y.Lookup(q), a, b)
			}
		}
	}
}

const program = `package p

type S struct {
	m    map[string]int
	next *S
}

var global *S

func probe(s *S) {}

func fresh()        { s := &S{}; probe(s) }
func stored()       { s := &S{}; global = s; probe(s) }
func before()       { s := &S{}; probe(s); global = s }
func sent(c chan *S) { s := &S{}; c <- s; probe(s) }
func loop(c chan *S) {
	for {
		s := &S{}
		probe(s)
		c <- s
	}
}
func around(c chan *S) {
	s := &S{}
	for {
		probe(s)
		c <- s
	}
}
func branch(b bool) {
	s := &S{}
	if b {
		global = s
	}
	probe(s)
}
func either(b bool) {
	s := &S{}
	if b {
		s = &S{m: map[string]int{}}
	}
	probe(s)
}
func param(s *S)          { probe(s) }
func through(s *S)        { t := &S{}; s.next = t; probe(t) }
func throughShared(s *S)  { t := &S{}; global.next = t; probe(t) }
func contained()          { s, t := &S{}, &S{}; t.next = s; global = t; probe(s) }
func listed()             { s := &S{}; l := append([]*S{}, s); _ = l; probe(s) }
func elements() { l := []*S{{}, {}}; probe(l[0]) }
func closure()  { s := &S{}; f := func() { s.m = nil }; f(); probe(s) }
func ring(s *S, b bool) {
	t := &S{}
	t.next = &S{next: t}
	if b {
		probe(t)
	}
	s.next = t
}
func ringGiven(s *S, b bool) {
	t := &S{}
	t.next = &S{next: t}
	s.next = t.next
	if b {
		probe(t)
	}
}
func foreign()  { s := &S{next: global}; probe(s.next) }
`

func build(t *testing.T, program string) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", program, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// What probe gets, in each function of the program.
func TestPoints(t *testing.T) {
	want := map[string]string{
		"fresh": "owned", "stored": "shared", "before": "owned", "sent": "shared", "loop": "owned", "around": "shared",
		"branch": "shared", "either": "owned", "param": "owned if 0", "through": "owned if 0", "throughShared": "shared",
		"contained": "shared", "listed": "owned", "elements": "owned", "closure": "owned", "foreign": "shared",
		"ring": "owned", "ringGiven": "owned if 0",
	}
	pkg := build(t, program)
	for name, w := range want {
		fn := pkg.Func(name)
		env := &Env{
			Paths: accesspath.NewBuilder(), Carriers: make(Carriers),
			Call: func(c ssa.CallInstruction) *Call {
				if lit := own.Literal(c.Common().Value); lit != nil {
					return &Call{Callees: []Callee{{Key: lit, Sum: &Func{Key: lit}}}}
				}
				return nil
			},
			Reached: func(any) Fields { return AllFields },
		}
		res := Analyze(fn, env, true)
		found := false
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				c, ok := instr.(*ssa.Call)
				if !ok || c.Call.StaticCallee() == nil || c.Call.StaticCallee().Name() != "probe" {
					continue
				}
				found = true
				if got := res.Of(env.Paths.Of(c.Call.Args[0]), c).String(); got != w {
					t.Errorf("%s: probe gets what is %s, not %s", name, got, w)
				}
			}
		}
		if !found {
			t.Errorf("%s calls no probe", name)
		}
	}
}

// A loop over an object with more fields than are told apart: solving ends.
func TestSolvingEnds(t *testing.T) {
	var src strings.Builder
	src.WriteString("package p\ntype S struct {\n")
	for i := range 2 * maxParts {
		fmt.Fprintf(&src, "f%d *S\n", i)
	}
	src.WriteString("}\nvar c = make(chan *S)\nfunc f(n int) {\ns := &S{}\nfor i := range n {\nx := <-c\nswitch i {\n")
	for i := range 2 * maxParts {
		fmt.Fprintf(&src, "case %d: s.f%d = []*S{x, {}, s}[n]\nif n > %d { s.f%d = &S{f%d: s.f%d}; s.f%d.f1 = s }\n", i, i, i, i, i, (i+7)%maxParts, i)
	}
	src.WriteString("}\n}\nc <- s\n}\n")
	env := &Env{
		Paths: accesspath.NewBuilder(), Carriers: make(Carriers),
		Call:    func(ssa.CallInstruction) *Call { return nil },
		Reached: func(any) Fields { return AllFields },
	}
	Analyze(build(t, src.String()).Func("f"), env, true)
}

// One pass without points says no more than the solver.
func TestPassIsAboveTheSolver(t *testing.T) {
	pkg := build(t, program)
	for name, m := range pkg.Members {
		fn, ok := m.(*ssa.Function)
		if !ok || fn.Blocks == nil || strings.HasPrefix(name, "init") {
			continue
		}
		env := &Env{
			Paths: accesspath.NewBuilder(), Carriers: make(Carriers),
			Call:    func(ssa.CallInstruction) *Call { return nil },
			Reached: func(any) Fields { return AllFields },
		}
		exact, rough := Analyze(fn, env, true).Summary(), Analyze(fn, env, false).Summary()
		for i := range exact.Inputs {
			if !exact.Inputs[i].Own.Leq(rough.Inputs[i].Own) {
				t.Errorf("%s: input %d is %s, in one pass %s", name, i, exact.Inputs[i], rough.Inputs[i])
			}
		}
	}
}
