package accesspath

import "testing"

func TestNeighbours(t *testing.T) {
	w := newWorld()
	of := func(base Path) Path { return w.Field(base, w.m) }
	c := w.param(0)
	locks, items := w.Field(c, w.mu), w.Field(c, w.sub)
	for _, tc := range []struct {
		name string
		a, b Path
		want bool
	}{
		{"two fields of one object", of(locks), of(items), true},
		{"an entry of the one", w.Elem(of(locks), w.konst("k")), of(items), true},
		{"one field", of(locks), w.Elem(of(locks), w.konst("k")), false},
		{"fields of two objects", of(locks), of(w.Field(w.param(1), w.sub)), false},
		{"the object itself", of(c), of(items), false},
		{"other fields there", of(locks), w.Field(items, w.mu), false},
		{"no field", c, of(items), false},
	} {
		if got := tc.a.Neighbours(tc.b); got != tc.want {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
}
