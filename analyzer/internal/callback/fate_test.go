package callback_test

import (
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
)

var singles = callback.Unknown.Singles()

// fate is any element of the lattice.
type fate struct{ callback.Fate }

func (fate) Generate(r *rand.Rand, _ int) reflect.Value {
	if r.Intn(8) == 0 {
		return reflect.ValueOf(fate{callback.Unknown})
	}
	f := callback.NotRun
	for _, s := range singles {
		if r.Intn(3) == 0 {
			f = f.Join(s)
		}
	}
	return reflect.ValueOf(fate{f})
}

func check(t *testing.T, law string, f any) {
	t.Helper()
	if err := quick.Check(f, nil); err != nil {
		t.Errorf("%s: %v", law, err)
	}
}

func TestFateLaws(t *testing.T) {
	check(t, "join is associative", func(a, b, c fate) bool {
		return a.Join(b.Join(c.Fate)) == a.Join(b.Fate).Join(c.Fate)
	})
	check(t, "join is commutative", func(a, b fate) bool { return a.Join(b.Fate) == b.Join(a.Fate) })
	check(t, "join is idempotent", func(a fate) bool { return a.Join(a.Fate) == a.Fate })
	check(t, "bottom and top", func(a fate) bool {
		return callback.NotRun.Within(a.Fate) && a.Within(callback.Unknown)
	})
	check(t, "join is the least upper bound", func(a, b, c fate) bool {
		j := a.Join(b.Fate)
		return a.Within(j) && b.Within(j) && (!a.Within(c.Fate) || !b.Within(c.Fate) || j.Within(c.Fate))
	})
	check(t, "through is monotone", func(a, b, c fate) bool {
		return a.Through(c.Fate).Within(a.Join(b.Fate).Through(c.Fate)) && c.Through(a.Fate).Within(c.Through(a.Join(b.Fate)))
	})
	check(t, "what is kept runs nothing at once", func(a fate) bool {
		got := a.Through(callback.Kept)
		return a.Fate == callback.NotRun && got == callback.NotRun || a.Fate == callback.Unknown || got == callback.Kept
	})
	check(t, "to run through now is to run, before the end", func(a fate) bool {
		return a.Through(callback.Now).Within(a.Join(callback.Now))
	})
}

// A chain of joins is no longer than there are fates, and one for top.
func TestFateHeight(t *testing.T) {
	f, steps := callback.NotRun, 0
	for _, s := range append(singles, callback.Unknown) {
		if next := f.Join(s); next != f {
			f = next
			steps++
		}
	}
	if f != callback.Unknown || steps != len(singles)+1 {
		t.Errorf("%d steps to %v", steps, f)
	}
}

func TestFateString(t *testing.T) {
	for f, want := range map[callback.Fate]string{
		callback.NotRun: "not run", callback.Unknown: "unknown", callback.Now: "now",
		callback.Goroutine | callback.Kept: "in a goroutine or kept",
		callback.Likely:                    "now, most likely",
	} {
		if got := f.String(); got != want {
			t.Errorf("%d is %q, want %q", f, got, want)
		}
	}
}
