package summary

import (
	"go/token"
	"reflect"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// stripe is the lock of one of some shards: that of the key, by a function.
func (u *unit) stripe(fn any) accesspath.Path {
	shards := u.Field(u.param(recv), u.field("Cache", "shards"))
	hash := u.Apply(u.param(key), fn, u.Field(u.param(recv), u.field("Cache", "items")))
	return u.Elem(shards, u.Apply(hash, token.REM, u.konst("8")))
}

// A computed key is the same after the way through a fact, with functions by their names, and a fact of it stays small.
func TestComputedKeyRoundTrip(t *testing.T) {
	from, to := newUnit(t), newUnit(t)
	state := locks.Reached().Acquire(from.stripe(from.get()), locks.Write, locks.Section(1).Of())
	fact := &Fact{Effect: from.cod.state(state)}
	read := to.ungob(from.gob(fact))
	if !reflect.DeepEqual(read, fact) {
		t.Errorf("gob changes the fact:\n%+v\n%+v", fact, read)
	}
	d := &decoder{Codec: to.cod, fn: to.get()}
	back := d.state(read.Effect)
	want := locks.Reached().Acquire(to.stripe(from.get().FullName()), locks.Write, locks.Section(1).Of())
	if !(locks.Lattice{}).Equals(back, want) {
		t.Errorf("got %s, want %s", back, want)
	}
	if again := to.cod.state(back); !reflect.DeepEqual(again, fact.Effect) {
		t.Errorf("the decoded state has another fact: %+v", again)
	}
	if n := from.size(fact); n > 200 {
		t.Errorf("a fact of one lock has %d bytes", n)
	}
}

// A key of too many parts is not told, nor is one of what other packages cannot name, nor one of a broken fact.
func TestComputedKeyLimits(t *testing.T) {
	u := newUnit(t)
	long := u.param(key)
	for range 5 {
		if next := u.Apply(long, token.ADD, u.Apply(u.konst("1"), token.SUB, u.param(key))); next.Known() {
			long = next
		}
	}
	if parts := u.cod.computed(long); parts != nil {
		t.Errorf("%d parts are told", len(parts))
	}
	local := u.Apply(u.Root(accesspath.Root{Kind: accesspath.Value, Index: 1}), token.REM, u.konst("8"))
	if parts := u.cod.computed(local); parts != nil {
		t.Errorf("a local value is told: %+v", parts)
	}
	d := &decoder{Codec: u.cod, fn: u.get()}
	for _, parts := range [][]KeyFact{nil, {{Op: token.ADD}}, {{Op: token.ADD, Two: true}}, {{Func: "f"}}} {
		if p := d.computed(parts); p.Known() {
			t.Errorf("%+v is read as %s", parts, p)
		}
	}
}
