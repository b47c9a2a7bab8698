package guards

import "sync"

// A Ledger is safe for concurrent use.
type Ledger struct {
	mu   sync.Mutex // protects sums
	sums map[string]int
}

// OpenLedger makes one of what comes in.
func OpenLedger(in <-chan string) *Ledger {
	l := &Ledger{sums: make(map[string]int)}
	l.readAll(in)
	return l
}

// What waits here has a ledger that no other goroutine knows yet: none can be blocked on its lock.
func (l *Ledger) readAll(in <-chan string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name := range in {
		l.sums[name]++
	}
}

// Add adds one.
func (l *Ledger) Add(name string) {
	l.mu.Lock()
	l.sums[name]++
	l.mu.Unlock()
}

// SumBad lacks the lock.
func (l *Ledger) SumBad(name string) int {
	return l.sums[name] // want `unguarded-access: .*`
}
