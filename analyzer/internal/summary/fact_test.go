package summary

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

const source = `package p

type mutex struct{}

func (*mutex) Lock()   {}
func (*mutex) Unlock() {}

type Shard struct{ entries map[string]int }

type Cache[V any] struct {
	Mu     mutex
	items  map[string]V
	shards []Shard
}

var (
	Registry   = map[string]int{}
	registryMu mutex
)

func (c *Cache[V]) Get(key string, v V, locked bool, m map[string]int, f func()) (V, map[string]V, func()) {
	return v, c.items, nil
}
`

// A unit is the source type-checked by itself, with a table of its own: what
// one run of the analysis, or one importer, has.
type unit struct {
	accesspath.Table
	t   *testing.T
	pkg *types.Package
	cod *Codec
}

func newUnit(t *testing.T) *unit {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.org/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := &unit{t: t, pkg: pkg}
	u.cod = NewCodec(&u.Table, pkg)
	return u
}

func (u *unit) get() *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(u.pkg.Scope().Lookup("Cache").Type(), true, u.pkg, "Get")
	return obj.(*types.Func)
}

func (u *unit) field(typ, name string) *types.Var {
	obj, _, _ := types.LookupFieldOrMethod(u.pkg.Scope().Lookup(typ).Type(), true, u.pkg, name)
	return obj.(*types.Var)
}

func (u *unit) param(i int) accesspath.Path {
	return u.Root(accesspath.Root{Kind: accesspath.Param, Fn: u.get(), Index: i})
}

func (u *unit) global(name string) accesspath.Path {
	return u.Root(accesspath.Root{Kind: accesspath.Global, Obj: u.pkg.Scope().Lookup(name)})
}

func (u *unit) konst(s string) accesspath.Path {
	return u.Root(accesspath.Root{Kind: accesspath.Const, Const: s})
}

// The positions of Get's parameters.
const (
	recv = iota
	key
	val
	locked
	localMap
	callbackArg
)

func (u *unit) mu() accesspath.Path    { return u.Field(u.param(recv), u.field("Cache", "Mu")) }
func (u *unit) items() accesspath.Path { return u.Field(u.param(recv), u.field("Cache", "items")) }

// ownership publishes the value, stores the map in the receiver, starts a
// goroutine that reaches one field of the receiver, and renews another.
func (u *unit) ownership() *ownership.Func {
	f := &ownership.Func{Key: u.get(), Inputs: make([]ownership.Fate, 6), Results: make([]ownership.Fate, 3)}
	for i := range f.Inputs {
		f.Inputs[i].Own = ownership.OwnedIfInput(i)
	}
	some := ownership.FieldsOf([]string{"example.org/p.items"})
	f.Inputs[val].Own = ownership.Shared
	f.Inputs[localMap].Own = ownership.Join(ownership.OwnedIfInput(recv), ownership.OwnedIfInput(localMap))
	f.Inputs[recv].At = some
	f.Results[0] = ownership.Fate{Own: ownership.Owned, Foreign: some}
	f.Results[1] = ownership.Fate{Own: ownership.OwnedIfInput(recv)}
	f.Results[2].Own = ownership.Shared
	f.Renews = []accesspath.Path{u.items()}
	return f
}

// summary returns a summary with something in every field that callers see.
func (u *unit) summary() *Func {
	held := locks.Reached().Acquire(u.mu(), locks.Write, locks.Section(1).Of())
	both := held.Acquire(u.global("registryMu"), locks.Read, locks.Section(2).Of().Union(locks.Section(5).Of()))
	dropped := locks.Reached().Release(u.mu()).Acquire(u.mu(), locks.Write, locks.Section(9).Of())
	entries := u.Field(u.Elem(u.Field(u.param(recv), u.field("Cache", "shards")), u.konst("0")), u.field("Shard", "entries"))
	local := u.Root(accesspath.Root{Kind: accesspath.Value, Index: 1})
	return &Func{
		Key: u.get(), Obj: u.get(), Name: "Cache.Get",
		Accesses: []access.Access{
			{Path: u.items(), Key: u.param(key), Op: access.Lookup, Held: held, ContentUsed: true},
			{Path: local, Op: access.Insert, Held: held}, // means nothing to callers
			{Path: u.items(), Key: u.param(key), Value: u.param(val), Op: access.Insert, Stored: access.StoredShared, Held: dropped, Validated: true, Own: ownership.Shared},
			{Path: u.items(), Op: access.Insert, Fresh: true}, // no other goroutine knows it
			{Path: entries, Key: u.konst(`"k"`), Op: access.Delete, Method: "LoadAndDelete", Held: both, Depth: 2, InnerFunc: "Shard.drop", Once: true, First: true, NewKey: true, Early: true, When: access.When{Param: 2, Set: true}},
			{Path: u.Elem(u.global("Registry"), u.param(key)), Op: access.Len, Held: locks.Reached(), Joined: true},
			{Path: u.param(localMap), Key: u.param(key), Op: access.Lookup, Held: locks.Reached()},
			{Path: u.param(localMap), Key: u.param(key), Op: access.Insert, Held: locks.Reached()},
		},
		Visible: []int{0, 1, 2, 3, 4, 5, 6, 7},
		Pairs: []Pair{
			{Check: 0, Act: 2, Dependence: depend.Dependence{Traits: depend.Control}}, // told here, of no use to callers
			{Check: 6, Act: 7, Dependence: depend.Dependence{Traits: depend.Control | depend.Data | depend.Returned, Polarity: depend.Value}},
		},
		Effect: locks.EffectOf(u.exit()),
		Results: []Result{
			{Checks: []int{0, 6}, Senses: []depend.Sense{depend.TrueIfPresent, depend.NoSense}, Volatile: true},
			{Path: u.items(), Apart: []accesspath.Path{u.mu()}},
			{Releases: []accesspath.Path{u.mu()}},
		},
		Runs:   []Run{{Func: u.param(callbackArg), Fate: callback.Deferred, Held: held, Many: true, Tended: true, Ended: locks.Cond{Result: 1, Test: locks.Nil, Holds: true}}},
		Spawns: true, Asks: true, Calm: true, Work: Counted,
		Own: u.ownership(),
	}
}

func (u *unit) gob(fact *Fact) []byte {
	u.t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(fact); err != nil {
		u.t.Fatal(err)
	}
	return b.Bytes()
}

func (u *unit) ungob(b []byte) *Fact {
	u.t.Helper()
	fact := new(Fact)
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(fact); err != nil {
		u.t.Fatal(err)
	}
	return fact
}

// The way of a fact: a summary of one run is encoded, written, read by an
// importer that has types of its own, and decoded there.
func TestFactRoundTrip(t *testing.T) {
	from, to := newUnit(t), newUnit(t)
	fact := from.cod.Encode(from.summary(), nil)
	read := to.ungob(from.gob(fact))
	if !reflect.DeepEqual(read, fact) {
		t.Errorf("gob changes the fact:\n%+v\n%+v", fact, read)
	}
	s, err := to.cod.Decode(to.get(), read)
	if err != nil {
		t.Fatal(err)
	}
	known := s.Name == "Cache.Get" && s.Imported && s.Key == any(to.get())
	does := s.Spawns && s.Asks && s.Calm && s.Work == Counted
	if !known || !does {
		t.Errorf("decoded as %q, imported %v, spawns %v", s.Name, s.Imported, s.Spawns)
	}
	if again := to.cod.Encode(s, nil); !reflect.DeepEqual(again, fact) {
		t.Errorf("the decoded summary has another fact:\n%+v\n%+v", fact, again)
	}
}

// What is decoded uses the importer's own paths, so that they are equal to
// those that its code builds.
func TestDecodedPathsAreTheImporters(t *testing.T) {
	from, to := newUnit(t), newUnit(t)
	s, err := to.cod.Decode(to.get(), from.cod.Encode(from.summary(), nil))
	if err != nil {
		t.Fatal(err)
	}
	var ops []access.Op
	for _, a := range s.Accesses {
		ops = append(ops, a.Op)
	}
	want := []access.Op{access.Lookup, access.Insert, access.Delete, access.Len, access.Lookup, access.Insert}
	if !slices.Equal(ops, want) {
		t.Fatalf("accesses %v, want %v: local and fresh ones stay at home", ops, want)
	}
	get, put := &s.Accesses[0], &s.Accesses[1]
	if get.Path != to.items() || get.Key != to.param(key) || !get.ContentUsed {
		t.Errorf("look-up of %v[%v]", get.Path, get.Key)
	}
	if put.Value != to.param(val) || put.Stored != access.StoredShared || !put.Validated {
		t.Errorf("insert of %v, stored %v, validated %v", put.Value, put.Stored, put.Validated)
	}
	if h, ok := get.Held.Find(to.mu()); !ok || h.Mode != locks.Write || h.Sec != locks.Section(1).Of() {
		t.Errorf("look-up holds %v", get.Held)
	}
	if r := put.Held.Left(); len(r) != 1 || r[0] != to.mu() {
		t.Errorf("insert after the release of %v", r)
	}
	if h, ok := s.Accesses[2].Held.Find(to.global("registryMu")); !ok || h.Mode != locks.Read {
		t.Errorf("delete holds %v", s.Accesses[2].Held.Held())
	}
	if got := s.Accesses[3].Path; got != to.Elem(to.global("Registry"), to.param(key)) {
		t.Errorf("length of %v", got)
	}
	if len(s.Pairs) != 1 || s.Pairs[0].Check != 4 || s.Pairs[0].Act != 5 || !s.Pairs[0].Has(depend.Data) {
		t.Errorf("pairs %+v", s.Pairs)
	}
	if got, want := s.Effect, locks.EffectOf(to.exit()); !got.Equal(want) {
		t.Errorf("does %s, want %s", got, want)
	}
	if len(s.Results) != 3 || !slices.Equal(s.Results[0].Checks, []int{0, 4}) || s.Results[1].Path != to.items() || !slices.Equal(s.Results[1].Apart, []accesspath.Path{to.mu()}) || len(s.Results[2].Releases) != 1 {
		t.Errorf("results %+v", s.Results)
	}
	if want := to.ownership(); !reflect.DeepEqual(s.Own, want) {
		t.Errorf("ownership %s, want %s", s.Own, want)
	}
	if put.Own != ownership.Shared || get.Own == ownership.Shared {
		t.Errorf("the look-up is %s, the insert %s", get.Own, put.Own)
	}
	if len(s.Runs) != 1 {
		t.Fatalf("runs %+v", s.Runs)
	}
	r := s.Runs[0]
	ends := r.Ended == locks.Cond{Result: 1, Test: locks.Nil, Holds: true}
	if r.Func != to.param(callbackArg) || r.Fate != callback.Deferred || !r.Many || !r.Tended || !ends {
		t.Errorf("runs %+v", s.Runs)
	}
}

// exit is the end of a function that gives a lock up and takes it again where
// it is told to, and fails without it else.
func (u *unit) exit() locks.State {
	var lattice locks.Lattice
	asked := locks.Cond{Val: u.param(locked), Holds: true}
	failed := locks.Cond{Result: 2, Test: locks.Nil}
	retaken := locks.Reached().Assume(asked).Assume(failed.Not()).Release(u.mu()).Acquire(u.mu(), locks.Write, locks.Section(9).Of())
	return lattice.Merge(retaken, locks.Reached().Assume(asked.Not()).Assume(failed).Release(u.mu()))
}

// A state says the same after the way through a fact: what is held, how, in
// which sections, when, and what was given up.
func TestStateRoundTrip(t *testing.T) {
	var lattice locks.Lattice
	for name, state := range map[string]func(u *unit) locks.State{
		"nothing": func(*unit) locks.State { return locks.Reached() },
		"held":    func(u *unit) locks.State { return locks.Reached().Acquire(u.mu(), locks.Read, locks.Many) },
		"let go": func(u *unit) locks.State {
			return locks.Reached().Acquire(u.mu(), locks.Write, locks.Section(1).Of()).Release(u.mu())
		},
		"conditional": (*unit).exit,
		"unknown":     func(u *unit) locks.State { return locks.EffectOf(u.exit()).Unknown().Exit() },
	} {
		t.Run(name, func(t *testing.T) {
			from, to := newUnit(t), newUnit(t)
			fact := &Fact{Accesses: []AccessFact{{Held: from.cod.state(state(from))}}}
			var back Fact
			if err := gob.NewDecoder(bytes.NewReader(from.gob(fact))).Decode(&back); err != nil {
				t.Fatal(err)
			}
			d := &decoder{Codec: to.cod, fn: to.get()}
			if got, want := d.state(back.Accesses[0].Held), state(to); !lattice.Equals(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// Export data may leave out an unexported variable: a stand-in of the same
// name takes its place, one for all facts.
func TestDecodeMissingVariable(t *testing.T) {
	u := newUnit(t)
	gone := PathFact{Root: accesspath.Global, Pkg: "example.org/far/away", Name: "cache", Steps: []StepFact{{Field: "m", Pkg: "example.org/far/away"}}}
	fact := &Fact{Accesses: []AccessFact{{Path: gone, Op: access.Lookup}, {Path: gone, Op: access.Insert}}}
	s, err := u.cod.Decode(u.get(), fact)
	if err != nil {
		t.Fatal(err)
	}
	a, b := s.Accesses[0].Path, s.Accesses[1].Path
	if a != b || a.String() != "cache.m" || !a.Location().Valid() {
		t.Errorf("paths %v and %v", a, b)
	}
}

// A fact that some other version of the program made is refused, not trusted.
func TestDecodePairOutOfRange(t *testing.T) {
	u := newUnit(t)
	for _, p := range []Pair{{Check: 1}, {Act: 7}, {Check: -1}} {
		fact := &Fact{Accesses: []AccessFact{{Op: access.Lookup}}, Pairs: []Pair{p}}
		if _, err := u.cod.Decode(u.get(), fact); err == nil {
			t.Errorf("pair %+v is accepted", p)
		}
	}
}

func TestFactDeterministic(t *testing.T) {
	var first []byte
	for i := range 5 {
		u := newUnit(t)
		b := u.gob(u.cod.Encode(u.summary(), nil))
		if i == 0 {
			first = b
		} else if !bytes.Equal(b, first) {
			t.Fatalf("run %d writes other bytes", i)
		}
	}
}

// size is what the fact adds to a package that has facts already: the types
// are described once.
func (u *unit) size(fact *Fact) int {
	u.t.Helper()
	var b bytes.Buffer
	enc := gob.NewEncoder(&b)
	if err := enc.Encode(new(Fact)); err != nil {
		u.t.Fatal(err)
	}
	n := b.Len()
	if err := enc.Encode(fact); err != nil {
		u.t.Fatal(err)
	}
	return b.Len() - n
}

// What a function can tell at most is bounded: as many accesses as callers
// see, each on a path of the greatest depth and under several locks.
func TestFactSize(t *testing.T) {
	const typical, most = 1 << 10, 8 << 10
	u := newUnit(t)
	if n := u.size(u.cod.Encode(u.summary(), nil)); n > typical {
		t.Errorf("a fact with something in every field has %d bytes, want at most %d", n, typical)
	}
	held := locks.Reached().Acquire(u.mu(), locks.Write, locks.Section(1).Of()).
		Acquire(u.global("registryMu"), locks.Write, locks.Section(2).Of())
	full := &Func{Key: u.get(), Obj: u.get(), Results: []Result{{}}}
	deep := u.items()
	for deep.Depth() < accesspath.MaxSteps {
		deep = u.Elem(deep, u.konst(`"a key of some length"`))
	}
	for i := range MaxAccesses {
		full.Accesses = append(full.Accesses, access.Access{
			Path: deep, Key: u.konst(fmt.Sprintf(`"key %d"`, i)), Op: access.Insert, Held: held, InnerFunc: "Cache.put",
		})
		full.Visible = append(full.Visible, i)
		full.Results[0].Checks = append(full.Results[0].Checks, i)
	}
	if n := u.size(u.cod.Encode(full, nil)); n > most {
		t.Errorf("the fullest fact has %d bytes, want at most %d", n, most)
	}
}

func TestFactString(t *testing.T) {
	u := newUnit(t)
	got := u.cod.Encode(u.summary(), nil).String()
	want := "reads arg0.items under arg0.Mu; writes arg0.items under arg0.Mu; " +
		"writes arg0.shards[0].entries under arg0.Mu registryMu; reads Registry[*]; reads arg4; writes arg4; " +
		"releases arg0.Mu if result1!=nil&&!arg3; retakes arg0.Mu if result1==nil&&arg3; returns arg0.items; runs arg 5 deferred, several at once, for one goroutine, ended if result0==nil under arg0.Mu; spawns; counts what it runs"
	if got != want {
		t.Errorf("String is\n%s\nwant\n%s", got, want)
	}
}

func TestFactEmpty(t *testing.T) {
	u := newUnit(t)
	if f := u.cod.Encode(&Func{Key: u.get(), Obj: u.get()}, nil); !f.Empty() {
		t.Errorf("the fact of a function that does nothing is %s", f)
	}
	if (&Fact{NoReturn: true}).Empty() {
		t.Error("a function that never returns says nothing")
	}
}
