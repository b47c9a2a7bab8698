package syncmap

import "sync"

// number returns a number of a map, and enters it.
func number(m *sync.Map, k string) int {
	v, _ := m.LoadOrStore(k, 0)
	n, _ := v.(int)
	return n
}
