package testsupport12

import (
	"sync"
	"testing"
)

// Ledger is used in production: it only asks whether a test runs.
type Ledger struct {
	mu     sync.Mutex
	booked map[string]int
}

func (l *Ledger) Book(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if testing.Testing() {
		return
	}
	l.booked[k]++
}

func (l *Ledger) BookedBad(k string) int {
	return l.booked[k] // want `unguarded-access: l.booked is read without mu`
}
