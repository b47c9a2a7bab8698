package guards

import "sync"

// A comment over several fields names a lock, and another one is held at each use of the entries.

type exchange struct {
	// mu protects the following fields.
	mu       sync.Mutex
	up       bool
	prices   map[string]int
	hearerMu sync.Mutex
	hearers  map[string]func()
}

func (e *exchange) UpOk() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.prices = map[string]int{"tin": 1}
	e.hearers = make(map[string]func())
	e.up = true
}

func (e *exchange) DownOk() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.prices = make(map[string]int)
	e.hearers = make(map[string]func())
	e.up = false
}

func (e *exchange) QuoteOk(k string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.prices[k]++
	e.tellOk()
}

func (e *exchange) tellOk() {
	e.hearerMu.Lock()
	defer e.hearerMu.Unlock()
	for _, f := range e.hearers {
		f()
	}
}

// Only an empty map can take the place of the map meanwhile: that is low.
func (e *exchange) HearBad(name string, f func()) {
	e.hearerMu.Lock()
	defer e.hearerMu.Unlock()
	e.hearers[name] = f // want `unguarded-access: e.hearers is written without mu.*, low`
}

func (e *exchange) HushBad(name string) {
	e.hearerMu.Lock()
	defer e.hearerMu.Unlock()
	delete(e.hearers, name) // want `unguarded-access: e.hearers is deleted without mu.*, low`
}

// The prices are not for this lock.
func (e *exchange) SumBad() int {
	e.hearerMu.Lock()
	defer e.hearerMu.Unlock()
	n := 0
	for _, p := range e.prices { // want `unguarded-access: e.prices is ranged over without mu`
		n += p
	}
	return n
}

// One that closes its map has none afterwards, and ranges over it without the other lock.
type bourse struct {
	// mu protects the following fields.
	mu       sync.Mutex
	up       bool
	hearerMu sync.Mutex
	hearers  map[string]func()
}

func (b *bourse) UpOk() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hearers = make(map[string]func())
}

func (b *bourse) EndOk() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hearers = nil
}

func (b *bourse) HearBad(name string, f func()) {
	b.hearerMu.Lock()
	defer b.hearerMu.Unlock()
	b.hearers[name] = f // want `unguarded-access: b.hearers is written without mu`
}

func (b *bourse) AllOk() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.hearerMu.Lock()
	defer b.hearerMu.Unlock()
	for _, f := range b.hearers {
		f()
	}
}

// Another one puts a copy in its place: what comes in meanwhile is lost.
type market struct {
	// mu protects the following fields.
	mu       sync.Mutex
	up       bool
	hearerMu sync.Mutex
	hearers  map[string]func()
}

func (m *market) ShrinkOk() {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := make(map[string]func())
	m.hearerMu.Lock()
	for k, f := range m.hearers {
		next[k] = f
	}
	m.hearerMu.Unlock()
	m.hearers = next
}

func (m *market) HearBad(name string, f func()) {
	m.hearerMu.Lock()
	defer m.hearerMu.Unlock()
	m.hearers[name] = f // want `unguarded-access: m.hearers is written without mu`
}
