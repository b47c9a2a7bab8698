package model

import "testing"

func TestLockOfKey(t *testing.T) {
	for _, c := range []struct {
		typ, name string
		want      Kind
	}{
		{"Keyed", "Lock", Lock}, {"Keyed", "Unlock", Unlock}, {"Own", "Lock", None}, {"Half", "Lock", None},
	} {
		if got := LockOfKey(method(t, c.typ, c.name)); got != c.want {
			t.Errorf("%s.%s is %d, want %d", c.typ, c.name, got, c.want)
		}
	}
	if got := LockOfKey(nil); got != None {
		t.Errorf("an unknown callee is %d", got)
	}
}
