package mapguardprobe

import (
	"testing"
	"time"
)

func harvesting(t *testing.T) {
	t.Helper()
	was := harvested
	harvested = newHarvest()
	harvested.keeping.Store(true)
	t.Cleanup(func() { harvested = was })
}

type thing struct{ n int }

// A pool has the first values of its type and the last ones, each once.
func TestPool(t *testing.T) {
	harvesting(t)
	first := &thing{}
	for range 3 {
		Keep(first)
	}
	p := harvested.pools[typeOf[*thing]()]
	if p == nil || len(p.values) != 1 {
		t.Fatalf("one value is kept as %v", p)
	}
	last := first
	for i := range 10 * maxPool {
		last = &thing{i}
		Keep(last)
	}
	if len(p.values) != maxPool || p.values[0] != any(first) {
		t.Errorf("%d values, without the first one", len(p.values))
	}
	found := false
	for _, v := range p.values {
		found = found || v == any(last)
	}
	if !found {
		t.Error("the last value is not kept")
	}
	Keep[*thing](nil)
	Keep[error](nil)
	Keep([]int{1}) // cannot be compared
	Keep([]int{1})
	if len(p.values) != maxPool || harvested.pools[typeOf[error]()] != nil {
		t.Error("nil is kept")
	}
}

// Values are those of the static type alone; in some rounds one is made.
func TestPick(t *testing.T) {
	harvesting(t)
	made := func() *thing { return nil }
	if Pick(1, 1, 8, made) != nil {
		t.Error("there is no value yet")
	}
	kept := &thing{1}
	Keep(kept)
	Keep[any](&thing{2})
	got := map[*thing]int{}
	for round := range 800 {
		got[Pick(round, 3, 8, made)]++
	}
	if len(got) != 2 || got[nil] < 40 || got[kept] < 400 {
		t.Errorf("picked %v", got)
	}
}

// Made-up times are none, over and to come.
func TestMoment(t *testing.T) {
	none, over, later := 0, 0, 0
	for round := range 300 {
		switch at := Moment(round, 2); {
		case at.IsZero():
			none++
		case time.Until(at) < 0:
			over++
		default:
			later++
		}
	}
	if min(none, over, later) < 50 {
		t.Errorf("none %d, over %d, to come %d", none, over, later)
	}
}

// In one round all goroutines make the same call of a function.
func TestAgain(t *testing.T) {
	harvesting(t)
	o, sum := &thing{}, 0
	Again(1, 1, o, func() { sum++ })
	if sum != 1 {
		t.Error("without a call that was made the other one is not made")
	}
	for i := 1; i <= 3; i++ {
		n := i
		Made(1, func(t *thing) { t.n = n })
	}
	seen := map[int]bool{}
	for round := range 200 {
		o.n = 0
		Again(1, round, o, func() {})
		n := o.n
		if Again(1, round, o, func() {}); n != o.n {
			t.Errorf("round %d has calls %d and %d", round, n, o.n)
		}
		seen[n] = true
	}
	if len(seen) != 4 {
		t.Errorf("calls made: %v", seen)
	}
	Again(1, 1, "an object of another type", func() { sum = 7 })
	if sum != 7 {
		t.Error("a call is made on an object of another type")
	}
}

// What is called often is kept now and then, and nothing while drivers run.
func TestSaw(t *testing.T) {
	harvesting(t)
	kept := 0
	for range 320 {
		Saw(1, func() { kept++ })
	}
	if kept < 32 || kept > 64 {
		t.Errorf("kept %d times", kept)
	}
	harvested.keeping.Store(false)
	Saw(2, func() { t.Error("kept while drivers run") })
}

// A call from the tests is one from outside, one from the package is not.
func TestInner(t *testing.T) {
	if isInner() {
		t.Error("called by a test, it is inner")
	}
	var inside bool
	try(func() { inside = isInner() })
	if !inside {
		t.Error("called by the package, it is not inner")
	}
	for function, want := range map[string]string{
		"example.org/m/p.F": "example.org/m/p", "example.org/m/p.(*T).M.func1": "example.org/m/p", "main.main": "main", "example.org/a.b/c.F[...]": "example.org/a.b/c",
	} {
		if got := packageOf(function); got != want {
			t.Errorf("%s is of %s", function, got)
		}
	}
}

func isInner() bool { return inner() }
