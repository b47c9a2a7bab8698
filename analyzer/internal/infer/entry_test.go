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
func someLocks() map[string]accesspath.Path {
	var table accesspath.Table
	field := func(name string) *types.Var { return types.NewField(0, nil, name, types.Typ[types.Int], false) }
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
		{"two objects", []string{"c.a", "d.a"}, "", "", 2},
		{"some object's", []string{"c.a", "some.a"}, "some.a", "some.a", 2},
		{"some object's lock is no guard", []string{"some.a", ""}, "", "", 1},
	} {
		all := someLocks()
		var entries [][]locks.Held
		for _, call := range c.calls {
			entries = append(entries, entry(t, all, call))
		}
		usual, at := vote(entries)
		if got := write(all, meet(entries)); got != c.meet {
			t.Errorf("%s: calls promise %q, not %q", c.name, got, c.meet)
		}
		if got := write(all, usual); got != c.usual || at != c.holdAt {
			t.Errorf("%s: usual is %q at %d, not %q at %d", c.name, got, at, c.usual, c.holdAt)
		}
	}
}

// The meet of locks that have names is the greatest lower bound: it does not
// depend on the order of the calls, each call holds what it promises, and what
// all calls hold it promises. Another call never adds a promise.
func TestMeetLaws(t *testing.T) {
	all := someLocks()
	delete(all, "some.a")
	names := []string{"c.a", "c.b", "d.a"}
	r := rand.New(rand.NewSource(1))
	random := func() []locks.Held {
		var out []locks.Held
		for _, name := range names {
			if r.Intn(2) == 0 {
				out = append(out, locks.Held{Lock: all[name], Mode: []locks.Mode{locks.Read, locks.Write}[r.Intn(2)], Sec: locks.Entry.Of()})
			}
		}
		return out
	}
	holds := func(e []locks.Held, l accesspath.Path) (locks.Mode, bool) {
		i := slices.IndexFunc(e, func(h locks.Held) bool { return h.Lock == l })
		if i < 0 {
			return 0, false
		}
		return e[i].Mode, true
	}
	for range 2000 {
		entries := [][]locks.Held{random(), random(), random()}
		got := meet(entries)
		shuffled := slices.Clone(entries)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if write(all, got) != write(all, meet(shuffled)) {
			t.Fatalf("the order of calls changes %s to %s", write(all, got), write(all, meet(shuffled)))
		}
		for _, name := range names {
			weakest, everywhere := locks.Write, true
			for _, e := range entries {
				mode, ok := holds(e, all[name])
				weakest, everywhere = min(weakest, mode), everywhere && ok
			}
			mode, promised := holds(got, all[name])
			if promised != everywhere || promised && mode != weakest {
				t.Fatalf("%s of %v: promised %v in mode %v", name, entries, promised, mode)
			}
		}
		for _, h := range meet(append(entries, random())) {
			if mode, ok := holds(got, h.Lock); !ok || mode < h.Mode {
				t.Fatalf("one more call adds %s", h.Lock)
			}
		}
	}
}
