// Package lib memoizes in an exported field. // want package:`Memo\.Known shared`
package lib

// A Memo is a cache in disguise.
type Memo struct{ Known map[string]*int }

// GetBad returns what it looked up or has just inserted.
func (m *Memo) GetBad(k string) *int { // want GetBad:`reads arg0\.Known; writes arg0\.Known`
	if v, ok := m.Known[k]; ok { // want `check-then-act: .*m\.Known.*medium`
		return v
	}
	v := new(int)
	m.Known[k] = v
	return v
}
