package owned

import "sync"

// A ledger counts what is booked, each under its name.
type ledger struct {
	mu     sync.Mutex
	sums   map[string]int
	format func(string) string
}

func newLedger(format func(string) string) *ledger {
	return &ledger{sums: make(map[string]int), format: format}
}

// keptLedger is the one that all share.
var keptLedger = newLedger(nil)

func (l *ledger) book(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.sums[name]; !ok {
		l.sums[name] = 0
	}
	l.sums[name] += n
}

func (l *ledger) total() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.sums {
		n += s
	}
	return n
}

// keptBookOk books in the ledger of all, under the lock.
func keptBookOk(name string) int {
	keptLedger.book(name, 1)
	return keptLedger.total()
}

// perhapsMadeOk makes a ledger only if it is asked for one: where it is there, no one else has it.
func perhapsMadeOk(names []string, count bool) int {
	var l *ledger
	if count {
		l = newLedger(func(s string) string { return s })
	}
	for i, name := range names {
		if l != nil {
			l.book(name, i)
		}
	}
	if l == nil {
		return 0
	}
	n := l.total()
	for name := range l.sums {
		delete(l.sums, name)
	}
	l.sums = nil
	return n
}

// perhapsLiteralOk is the same for an object that it makes itself.
func perhapsLiteralOk(names []string, count bool) int {
	var l *ledger
	if count {
		l = &ledger{sums: make(map[string]int)}
	}
	if l == nil {
		return 0
	}
	if len(l.sums) == 0 {
		l.sums = map[string]int{"": len(names)}
	}
	return l.total()
}

// perhapsOthersBad has the ledger of all where it makes none.
func perhapsOthersBad(names []string, count bool) int {
	l := keptLedger
	if count {
		l = newLedger(nil)
	}
	for i, name := range names {
		l.book(name, i)
	}
	if len(l.sums) == 0 { // want `unguarded-access: l.sums is measured with len without mu.*, low`
		return 0
	}
	return l.total()
}

// perhapsToldBad lets others know the ledger on one of the ways.
func perhapsToldBad(names []string, count bool) int {
	var l *ledger
	if count {
		l = newLedger(nil)
		if len(names) > 3 {
			keptLedger = l
		}
	}
	if l == nil {
		return 0
	}
	for i, name := range names {
		l.book(name, i)
	}
	return len(l.sums) // want `unguarded-access: keptLedger.sums is measured with len without mu.*, low`
}
