// Package watched has locks that check what they protect as they are taken and let go.
package watched

import (
	"sync"

	"mapguard.test/callbacks/watched/checked"
)

// The method is given to the lock of its object, which calls it.
type ledger struct {
	mu  sync.Locker
	sum map[string]int
}

func newLedger() *ledger {
	l := &ledger{sum: make(map[string]int)}
	l.mu = checked.New("ledger", l.verify)
	return l
}

func (l *ledger) verify() {
	l.allOk()
}

func (l *ledger) allOk() {
	for k := range l.sum {
		if k == "" {
			panic("no name")
		}
	}
}

func (l *ledger) put(k string) { l.mu.Lock(); defer l.mu.Unlock(); l.sum[k]++ }

func (l *ledger) drop(k string) { l.mu.Lock(); defer l.mu.Unlock(); delete(l.sum, k) }

// It is given to the lock of another object.
type accounts struct {
	mu  sync.Mutex
	log *ledger
	m   map[string]int
}

type journal struct {
	mu sync.Locker
}

func newAccounts(j *journal) *accounts {
	a := &accounts{m: make(map[string]int)}
	j.mu = checked.New("journal", a.verifyBad)
	return a
}

func (a *accounts) verifyBad() {
	for k := range a.m { // want `unguarded-access: a.m is ranged over without mu`
		if k == "" {
			panic("no name")
		}
	}
}

func (a *accounts) put(k string) { a.mu.Lock(); defer a.mu.Unlock(); a.m[k]++ }

func (a *accounts) drop(k string) { a.mu.Lock(); defer a.mu.Unlock(); delete(a.m, k) }

func (a *accounts) add(k string) { a.mu.Lock(); defer a.mu.Unlock(); a.m[k] = 1 }

// Others call it, too.
type stock struct {
	mu sync.Locker
	m  map[string]int
}

func newStock() *stock {
	s := &stock{m: make(map[string]int)}
	s.mu = checked.New("stock", s.verifyBad)
	return s
}

func (s *stock) verifyBad() {
	for k := range s.m { // want `unguarded-access: s.m is ranged over without mu`
		if k == "" {
			panic("no name")
		}
	}
}

func (s *stock) put(k string) { s.mu.Lock(); defer s.mu.Unlock(); s.m[k]++ }

func (s *stock) drop(k string) { s.mu.Lock(); defer s.mu.Unlock(); delete(s.m, k) }

// Check is called at any time.
func (s *stock) Check() { s.verifyBad() }

// Its value goes elsewhere, too.
type tariff struct {
	mu sync.Locker
	m  map[string]int
}

func newTariff(every func(func())) *tariff {
	t := &tariff{m: make(map[string]int)}
	t.mu = checked.New("tariff", t.verifyBad)
	every(t.verifyBad)
	return t
}

func (t *tariff) verifyBad() {
	for k := range t.m { // want `unguarded-access: t.m is ranged over without mu`
		if k == "" {
			panic("no name")
		}
	}
}

func (t *tariff) put(k string) { t.mu.Lock(); defer t.mu.Unlock(); t.m[k]++ }

func (t *tariff) drop(k string) { t.mu.Lock(); defer t.mu.Unlock(); delete(t.m, k) }
