package harm

import (
	"strings"
	"sync"
)

// A bound that callers are told of.

type chairs struct {
	mu    sync.RWMutex
	taken map[string]struct{}
	most  int
}

func (s *chairs) takeBad(who string) bool {
	s.mu.RLock()
	full := len(s.taken) >= s.most
	s.mu.RUnlock()
	if full {
		return false
	}
	s.mu.Lock()
	s.taken[who] = struct{}{} // want `split-lock: `
	s.mu.Unlock()
	return true
}

// The one who is turned away gets nothing.
type seat struct {
	mu  sync.Mutex
	who []string
}

func (s *seat) sit(who string) {
	s.mu.Lock()
	s.who = append(s.who, who)
	s.mu.Unlock()
}

type hall struct {
	mu    sync.RWMutex
	seats map[string]*seat
	most  int
}

func (h *hall) seatBad(row string) *seat {
	h.mu.RLock()
	n := len(h.seats)
	h.mu.RUnlock()
	if n >= h.most {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	x, ok := h.seats[row]
	if !ok {
		x = &seat{}
		h.seats[row] = x // want `split-lock: .*measured with len`
	}
	return x
}

func (h *hall) sit(row, who string) {
	if s := h.seatBad(row); s != nil {
		s.sit(who)
	}
}

// The object is handed on: who gets it can be another one than the map's, which says the same.
type label struct {
	head, tail string
	size       int
}

type labels struct {
	mu   sync.Mutex
	m    map[string]*label
	last *label
}

func (l *labels) splitOk(k string) string {
	l.mu.Lock()
	x, ok := l.m[k]
	l.mu.Unlock()
	if ok {
		return x.head
	}
	head, tail, _ := strings.Cut(k, ".")
	x = &label{head: head, tail: tail}
	l.mu.Lock()
	l.m[k] = x
	l.last = x
	l.mu.Unlock()
	return x.head
}

// A ticket is what other packages may change.
type Ticket struct {
	Of, To string
	Price  int
}

type tickets struct {
	mu sync.Mutex
	m  map[string]*Ticket
}

func (l *tickets) buyBad(k string) *Ticket {
	l.mu.Lock()
	x, ok := l.m[k]
	l.mu.Unlock()
	if ok {
		return x
	}
	x = &Ticket{Of: k, To: k, Price: len(k)}
	l.mu.Lock()
	l.m[k] = x // want `split-lock: `
	l.mu.Unlock()
	return x
}
