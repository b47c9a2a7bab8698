// Package user touches the field of lib that lib says is shared.
package user

import "mapguard.test/crosspkg/memo/lib"

func fieldBad(m *lib.Memo, k string) {
	if m.Known[k] == nil { // want `check-then-act: .*m\.Known.*medium`
		m.Known[k] = new(int)
	}
}
