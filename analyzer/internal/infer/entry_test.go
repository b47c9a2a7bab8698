package infer

import (
	"go/types"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// someLocks are c.a, c.b, d.a and "a of some object".
func someLocks(table *accesspath.Table) map[string]accesspath.Path {
	field := func(name string) *types.Var { return types.NewField(0, nil, name, types.NewStruct(nil, nil), false) }
	a, b := field("a"), field("b")
	c := table.Root(accesspath.Root{Kind: accesspath.Param, Index: 0})
	d := table.Root(accesspath.Root{Kind: accesspath.Param, Index: 1})
	return map[string]accesspath.Path{
		"c.a": table.Field(c, a), "c.b": table.Field(c, b), "d.a": table.Field(d, a),
		"some.a": table.Root(accesspath.Root{Kind: accesspath.Place, Obj: a}),
	}
}

// entry reads locks, those for reading with an r in front.
func entry(t *testing.T, all map[string]accesspath.Path, names string) []locks.Held {
	t.Helper()
	var out []locks.Held
	for _, name := range strings.Fields(names) {
		h := locks.Held{Mode: locks.Write, Sec: locks.Entry.Of()}
		if short, ok := strings.CutPrefix(name, "r:"); ok {
			name, h.Mode = short, locks.Read
		}
		if h.Lock = all[name]; !h.Lock.Known() {
			t.Fatalf("no lock %s", name)
		}
		out = append(out, h)
	}
	return out
}

// write is the inverse of entry, sorted.
func write(all map[string]accesspath.Path, held []locks.Held) string {
	var out []string
	for name, p := range all {
		for _, h := range held {
			if h.Lock == p {
				if h.Mode == locks.Read {
					name = "r:" + name
				}
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// What calls promise, and what is usual: one line for each call.
func TestMeetAndVote(t *testing.T) {
	for _, c := range []struct {
		name   string
		calls  []string
		meet   string
		usual  string
		holdAt int
	}{
		{"no call", nil, "", "", 0},
		{"one call", []string{"c.a"}, "c.a", "c.a", 1},
		{"all hold it", []string{"c.a", "c.a c.b"}, "c.a", "c.a", 2},
		{"one holds nothing", []string{"c.a", ""}, "", "c.a", 1},
		{"most hold nothing", []string{"c.a", "", ""}, "", "", 1},
		{"two locks", []string{"c.a", "c.b"}, "", "", 2},
		{"two locks in another order", []string{"c.a c.b", "c.b c.a"}, "c.a c.b", "c.a c.b", 2},
		{"reading is weaker", []string{"c.a", "r:c.a"}, "r:c.a", "c.a", 2},
		{"most only read", []string{"c.a", "r:c.a", "r:c.a"}, "r:c.a", "r:c.a", 3},
		{"two objects", []string{"c.a", "d.a"}, "some.a", "some.a", 2},
		{"two objects, one for reading", []string{"c.a", "r:d.a"}, "r:some.a", "some.a", 2},
		{"two objects, one at all calls", []string{"c.a d.a", "d.a"}, "d.a", "d.a", 2},
		{"some object's", []string{"c.a", "some.a"}, "some.a", "some.a", 2},
		{"some object's lock is no guard", []string{"some.a", ""}, "", "", 1},
	} {
		var table accesspath.Table
		all := someLocks(&table)
		var entries [][]locks.Held
		for _, call := range c.calls {
			entries = append(entries, entry(t, all, call))
		}
		usual, at := vote(&table, entries)
		if got := write(all, meet(&table, entries)); got != c.meet {
			t.Errorf("%s: calls promise %q, not %q", c.name, got, c.meet)
		}
		if got := write(all, usual); got != c.usual || at != c.holdAt {
			t.Errorf("%s: usual is %q at %d, not %q at %d", c.name, got, at, c.usual, c.holdAt)
		}
	}
}

// What an entry promises is what it implies; the meet is the greatest of what two
// entries both imply. So it is associative, commutative and idempotent, it does not
// depend on the order of the calls, and another call never adds a promise.
func TestMeetLaws(t *testing.T) {
	var table accesspath.Table
	all := someLocks(&table)
	r := rand.New(rand.NewSource(1))
	for range 5000 {
		x, y, z := someEntry(all, r), someEntry(all, r), someEntry(all, r)
		xy := intersect(&table, x, y)
		equal := func(law string, a, b []locks.Held) {
			t.Helper()
			if !implies(&table, a, b) || !implies(&table, b, a) {
				t.Fatalf("%s of %q, %q and %q: %q and %q", law, write(all, x), write(all, y), write(all, z), write(all, a), write(all, b))
			}
		}
		equal("idempotence", intersect(&table, x, x), x)
		equal("commutativity", xy, intersect(&table, y, x))
		equal("associativity", intersect(&table, xy, z), intersect(&table, x, intersect(&table, y, z)))
		equal("the order of calls", meet(&table, [][]locks.Held{x, y, z}), meet(&table, [][]locks.Held{z, x, y}))
		if !implies(&table, x, xy) || !implies(&table, y, xy) {
			t.Fatalf("not both of %q and %q promise %q", write(all, x), write(all, y), write(all, xy))
		}
		if implies(&table, x, z) && implies(&table, y, z) && !implies(&table, xy, z) {
			t.Fatalf("%q and %q both promise %q, their meet promises %q", write(all, x), write(all, y), write(all, z), write(all, xy))
		}
		if !implies(&table, xy, meet(&table, [][]locks.Held{x, y, z})) {
			t.Fatalf("one more call, with %q, adds to what %q promises", write(all, z), write(all, xy))
		}
		if again := intersect(&table, xy, xy); write(all, again) != write(all, xy) {
			t.Fatalf("%q is written as %q, too: contexts would not settle", write(all, xy), write(all, again))
		}
	}
}

// someEntry draws an entry, in no order.
func someEntry(all map[string]accesspath.Path, r *rand.Rand) []locks.Held {
	var out []locks.Held
	for _, name := range []string{"c.a", "c.b", "d.a", "some.a"} {
		if r.Intn(2) == 0 {
			out = append(out, locks.Held{Lock: all[name], Mode: []locks.Mode{locks.Read, locks.Write}[r.Intn(2)], Sec: locks.Entry.Of()})
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// implies reports whether an entry promises all that another one does: by itself, or
// as the lock of some object.
func implies(table *accesspath.Table, a, b []locks.Held) bool {
	return !slices.ContainsFunc(b, func(h locks.Held) bool {
		return !slices.ContainsFunc(a, func(x locks.Held) bool {
			return x.Mode >= h.Mode && (x.Lock == h.Lock || placeOf(table, x.Lock) == h.Lock)
		})
	})
}
