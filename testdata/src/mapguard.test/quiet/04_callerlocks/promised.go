package callerlocks

import "sync"

// What documentation asks of the callers of a function holds in what that calls, too.

// A Book is locked by who uses it.
type Book interface {
	Lock()
	Unlock()
	SettleOk(ks []string)
}

// A Ledger is a Book.
type Ledger struct {
	ledgerMu sync.RWMutex
	open     map[string]int
	seen     sync.Map
}

func (l *Ledger) Lock()   { l.ledgerMu.Lock() }
func (l *Ledger) Unlock() { l.ledgerMu.Unlock() }

func (l *Ledger) HasOk(k string) bool {
	l.ledgerMu.RLock()
	defer l.ledgerMu.RUnlock()
	_, ok := l.open[k]
	return ok
}

func (l *Ledger) PutOk(k string) {
	l.ledgerMu.Lock()
	defer l.ledgerMu.Unlock()
	l.open[k] = 1
}

// SettleOk closes what is done. The caller must hold the lock.
func (l *Ledger) SettleOk(ks []string) {
	for _, k := range ks {
		delete(l.open, k)
	}
	l.againOk()
}

func (l *Ledger) againOk() {
	l.seen.Range(func(k, _ any) bool {
		if _, ok := l.open[k.(string)]; !ok {
			l.open[k.(string)] = 1
		}
		return true
	})
}

func (l *Ledger) TickBad() {
	l.SettleOk(nil) // want `unguarded-access: Ledger\.SettleOk needs ledgerMu`
}

type settler struct{ book Book }

func (s *settler) runOk(ks []string) {
	s.book.Lock()
	defer s.book.Unlock()
	s.book.SettleOk(ks)
}

// Another function, of whose callers nothing is asked, calls the helper, too.

// A Stock is filled.
type Stock struct {
	stockMu sync.Mutex
	items   map[string]int
}

func (s *Stock) CountOk() int {
	s.stockMu.Lock()
	defer s.stockMu.Unlock()
	return len(s.items)
}

func (s *Stock) AddOk(k string) {
	s.stockMu.Lock()
	defer s.stockMu.Unlock()
	s.items[k]++
}

// ResetOk starts anew. The caller must hold the lock.
func (s *Stock) ResetOk(k string) { s.fillBad(k) }

// TouchOk asks for nothing.
func (s *Stock) TouchOk(k string) { s.fillBad(k) }

func (s *Stock) fillBad(k string) {
	if _, ok := s.items[k]; !ok { // want `check-then-act: s\.items`
		s.items[k] = 1
	}
}

// The lock is let go where the helper runs.

// A Shelf is cleared.
type Shelf struct {
	shelfMu sync.Mutex
	books   map[string]int
}

func (s *Shelf) SizeOk() int {
	s.shelfMu.Lock()
	defer s.shelfMu.Unlock()
	return len(s.books)
}

func (s *Shelf) StoreOk(k string) {
	s.shelfMu.Lock()
	defer s.shelfMu.Unlock()
	s.books[k]++
}

// PauseOk lets others come in between. The caller must hold the lock.
func (s *Shelf) PauseOk() {
	s.shelfMu.Unlock()
	s.bareBad("x")
	s.shelfMu.Lock()
}

func (s *Shelf) bareBad(k string) {
	if _, ok := s.books[k]; !ok { // want `check-then-act: s\.books`
		s.books[k] = 1
	}
}
