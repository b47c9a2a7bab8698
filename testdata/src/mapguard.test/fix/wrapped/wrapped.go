// Package wrapped has maps behind locks that other packages cannot name.
package wrapped

import "sync"

// Split offers nothing that looks and changes in one section.
type Split[K comparable, V any] struct {
	inner map[K]V
	mu    sync.RWMutex
}

func NewSplit[K comparable, V any]() *Split[K, V] { return &Split[K, V]{inner: make(map[K]V)} }

func (m *Split[K, V]) Get(k K) (V, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.inner[k]
	return v, ok
}

func (m *Split[K, V]) Set(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inner[k] = v
}

func (m *Split[K, V]) Del(k K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.inner, k)
}

func (m *Split[K, V]) GetOrSet(k K, fresh func() V) V {
	if v, ok := m.Get(k); ok {
		return v
	}
	v := fresh()
	m.Set(k, v)
	return v
}

// setNew is for this package alone.
func (m *Split[K, V]) setNew(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.inner[k]; !ok {
		m.inner[k] = v
	}
}

// Whole puts in what is not there, and takes out what is, in one section each.
type Whole[K comparable, V any] struct {
	inner map[K]V
	mu    sync.RWMutex
}

func NewWhole[K comparable, V any]() *Whole[K, V] { return &Whole[K, V]{inner: make(map[K]V)} }

func (m *Whole[K, V]) Get(k K) (V, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	v, ok := m.inner[k]
	return v, ok
}

func (m *Whole[K, V]) Set(k K, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inner[k] = v
}

func (m *Whole[K, V]) Del(k K) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.inner, k)
}

func (m *Whole[K, V]) SetNew(k K, v V) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.inner[k]; ok {
		return false
	}
	m.inner[k] = v
	return true
}

func (m *Whole[K, V]) Take(k K) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.inner[k]
	delete(m.inner, k)
	return v, ok
}

// Tally adds in one section.
type Tally struct {
	inner map[string]int
	mu    sync.RWMutex
}

func NewTally() *Tally { return &Tally{inner: make(map[string]int)} }

func (m *Tally) Get(k string) int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.inner[k]
}

func (m *Tally) Set(k string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inner[k] = n
}

func (m *Tally) Add(k string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inner[k] += n
}

// hidden has no name elsewhere.
type hidden struct {
	inner map[string]int
	mu    sync.RWMutex
}

type Shown struct{ hidden }

func NewShown() *Shown { return &Shown{hidden{inner: make(map[string]int)}} }

func (m *hidden) Get(k string) int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.inner[k]
}

func (m *hidden) Set(k string, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inner[k] = n
}
