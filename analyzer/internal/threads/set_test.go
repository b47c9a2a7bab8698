package threads

import (
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"
)

// Generate implements [quick.Generator]: sets of few threads, of nearly too many,
// and top.
func (Set) Generate(r *rand.Rand, _ int) reflect.Value {
	var s Set
	if r.Intn(8) == 0 {
		s.any = true
		return reflect.ValueOf(s)
	}
	for range r.Intn(maxSet) {
		s = s.Join(only(r.Intn(2 * maxSet)))
	}
	return reflect.ValueOf(s)
}

func check(t *testing.T, law string, f any) {
	t.Helper()
	if err := quick.Check(f, nil); err != nil {
		t.Errorf("%s: %v", law, err)
	}
}

func TestSetLaws(t *testing.T) {
	check(t, "associative", func(a, b, c Set) bool { return a.Join(b).Join(c).Equal(a.Join(b.Join(c))) })
	check(t, "commutative", func(a, b Set) bool { return a.Join(b).Equal(b.Join(a)) })
	check(t, "idempotent", func(a Set) bool { return a.Join(a).Equal(a) })
	check(t, "bottom", func(a Set) bool { return a.Join(Set{}).Equal(a) })
	check(t, "top", func(a Set) bool { return a.Join(Set{any: true}).Any() })
	check(t, "upper bound", func(a, b Set) bool { return a.Leq(a.Join(b)) && b.Leq(a.Join(b)) })
	check(t, "monotone", func(a, b, c Set) bool { return !a.Leq(b) || a.Join(c).Leq(b.Join(c)) })
	check(t, "antisymmetric", func(a, b Set) bool { return !a.Leq(b) || !b.Leq(a) || a.Equal(b) })
	check(t, "bounded", func(a, b Set) bool { return len(a.Join(b).ids) <= maxSet })
}

func TestSetString(t *testing.T) {
	for want, s := range map[string]Set{
		"{}":         {},
		"{3}":        only(3),
		"{0 1}":      only(1).Join(only(0)),
		"any thread": {any: true},
	} {
		if got := s.String(); got != want {
			t.Errorf("String() = %q, want %q", got, want)
		}
	}
}

func TestSetLen(t *testing.T) {
	for _, c := range []struct {
		set  Set
		want int
	}{{Set{}, 0}, {Set{ids: []int{2}}, 1}, {Set{ids: []int{2, 4}}, 2}, {Set{any: true}, 0}} {
		if got := c.set.Len(); got != c.want {
			t.Errorf("%v has %d threads, want %d", c.set, got, c.want)
		}
	}
}

func TestTimesAreOrdered(t *testing.T) {
	if !(One < PerObject && PerObject < Many) {
		t.Error("One < PerObject < Many does not hold")
	}
	for want, x := range map[string]Times{"once": One, "once per object": PerObject, "many": Many} {
		if x.String() != want {
			t.Errorf("%d.String() = %q, want %q", x, x, want)
		}
	}
}
