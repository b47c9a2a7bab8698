// Package user uses a package that has silenced its findings.
package user

import "mapguard.test/suppress/lib"

func setBad(t *lib.Table, k string) {
	if !t.Has(k) { // want `check-then-act: .*t\.M`
		t.Set(k)
	}
}

func setOk(t *lib.Table, k string) {
	t.Mu.Lock()
	defer t.Mu.Unlock()
	t.M[k] = new(int)
}
