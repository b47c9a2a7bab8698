// Package set counts in maps of its callers.
package set

// A Set counts by two names.
type Set map[string]map[string]int

// Add counts one.
func (s Set) Add(a, b string) { // want Add:`reads arg0; writes arg0; reads arg0\[\*\]; writes arg0\[\*\]`
	if s[a] == nil {
		s[a] = make(map[string]int)
	}
	s[a][b]++
}
