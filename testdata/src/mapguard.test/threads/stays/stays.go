// Package stays has maps from which one goroutine alone takes entries, and to which others only add.
package stays

import (
	"sync"
	"time"
)

// Leases end by their time; those that are there are never renewed.
type leases struct {
	mu   sync.RWMutex
	ends map[string]time.Time
}

func NewLeases() *leases {
	l := &leases{ends: map[string]time.Time{}}
	go l.expire()
	return l
}

func (l *leases) GrantOk(k string, d time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, taken := l.ends[k]; !taken {
		l.ends[k] = time.Now().Add(d)
		return true
	}
	return false
}

func (l *leases) expire() {
	for range time.Tick(time.Second) {
		l.roundOk()
	}
}

func (l *leases) roundOk() {
	now := time.Now()
	over := make([]string, 0, 8)
	l.mu.RLock()
	for k, end := range l.ends {
		if now.After(end) {
			over = append(over, k)
		}
	}
	l.mu.RUnlock()
	for _, k := range over {
		l.mu.Lock()
		delete(l.ends, k)
		l.mu.Unlock()
	}
}

// One entry at a time, of objects that never change.
type slot struct{ end time.Time }

type slots struct {
	mu   sync.Mutex
	ends map[string]*slot
	ask  chan string
}

func NewSlots() *slots {
	s := &slots{ends: map[string]*slot{}, ask: make(chan string)}
	go s.loopOk()
	return s
}

func (s *slots) Grant(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ends[k] == nil {
		s.ends[k] = &slot{time.Now().Add(time.Minute)}
	}
}

func (s *slots) loopOk() {
	for k := range s.ask {
		s.mu.Lock()
		e, ok := s.ends[k]
		s.mu.Unlock()
		if ok && time.Now().After(e.end) {
			s.mu.Lock()
			delete(s.ends, k)
			s.mu.Unlock()
		}
	}
}

// What is there may be renewed in between.
type renewed struct {
	mu   sync.RWMutex
	ends map[string]time.Time
}

func NewRenewed() *renewed {
	l := &renewed{ends: map[string]time.Time{}}
	go l.expireBad()
	return l
}

func (l *renewed) Grant(k string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, taken := l.ends[k]; taken {
		return false
	}
	l.ends[k] = time.Now()
	return true
}

func (l *renewed) Renew(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.ends[k]; ok {
		l.ends[k] = time.Now()
	}
}

func (l *renewed) expireBad() {
	for now := range time.Tick(time.Second) {
		var over []string
		l.mu.RLock()
		for k, end := range l.ends {
			if now.After(end) {
				over = append(over, k)
			}
		}
		l.mu.RUnlock()
		l.mu.Lock()
		for _, k := range over {
			delete(l.ends, k) // want `split-lock: l\.ends`
		}
		l.mu.Unlock()
	}
}

// Those who insist get it though it is taken.
type forced struct {
	mu   sync.RWMutex
	ends map[string]time.Time
}

func NewForced() *forced {
	l := &forced{ends: map[string]time.Time{}}
	go l.expireBad()
	return l
}

func (l *forced) Grant(k string, insist bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, taken := l.ends[k]; taken && !insist {
		return false
	}
	l.ends[k] = time.Now()
	return true
}

func (l *forced) expireBad() {
	for now := range time.Tick(time.Second) {
		var over []string
		l.mu.RLock()
		for k, end := range l.ends {
			if now.After(end) {
				over = append(over, k)
			}
		}
		l.mu.RUnlock()
		l.mu.Lock()
		for _, k := range over {
			delete(l.ends, k) // want `split-lock: l\.ends`
		}
		l.mu.Unlock()
	}
}

// Callers give up what they have: another one may have been granted it since.
type givenUp struct {
	mu   sync.RWMutex
	ends map[string]time.Time
}

func NewGivenUp() *givenUp {
	l := &givenUp{ends: map[string]time.Time{}}
	go l.expireBad()
	return l
}

func (l *givenUp) Grant(k string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, taken := l.ends[k]; taken {
		return false
	}
	l.ends[k] = time.Now()
	return true
}

func (l *givenUp) GiveUp(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.ends, k)
}

func (l *givenUp) expireBad() {
	for now := range time.Tick(time.Second) {
		var over []string
		l.mu.RLock()
		for k, end := range l.ends {
			if now.After(end) {
				over = append(over, k)
			}
		}
		l.mu.RUnlock()
		l.mu.Lock()
		for _, k := range over {
			delete(l.ends, k) // want `split-lock: l\.ends`
		}
		l.mu.Unlock()
	}
}

// The list has those of earlier rounds, which may have been granted anew.
type kept struct {
	mu   sync.RWMutex
	ends map[string]time.Time
}

func NewKept() *kept {
	l := &kept{ends: map[string]time.Time{}}
	go l.expireBad()
	return l
}

func (l *kept) Grant(k string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, taken := l.ends[k]; taken {
		return false
	}
	l.ends[k] = time.Now()
	return true
}

func (l *kept) expireBad() {
	var over []string
	for now := range time.Tick(time.Second) {
		l.mu.RLock()
		for k, end := range l.ends {
			if now.After(end) {
				over = append(over, k)
			}
		}
		l.mu.RUnlock()
		l.mu.Lock()
		for _, k := range over {
			delete(l.ends, k) // want `split-lock: l\.ends`
		}
		l.mu.Unlock()
	}
}

// What the entry points to is renewed.
type lease struct{ end time.Time }

type pointed struct {
	mu   sync.RWMutex
	ends map[string]*lease
}

func NewPointed() *pointed {
	l := &pointed{ends: map[string]*lease{}}
	go l.expireBad()
	return l
}

func (l *pointed) Grant(k string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, taken := l.ends[k]; taken {
		e.end = time.Now()
		return false
	}
	l.ends[k] = &lease{time.Now()}
	return true
}

func (l *pointed) expireBad() {
	for now := range time.Tick(time.Second) {
		var over []string
		l.mu.RLock()
		for k, e := range l.ends {
			if now.After(e.end) {
				over = append(over, k)
			}
		}
		l.mu.RUnlock()
		l.mu.Lock()
		for _, k := range over {
			delete(l.ends, k) // want `split-lock: l\.ends`
		}
		l.mu.Unlock()
	}
}

// The look and the addition have sections of their own.
type split struct {
	mu   sync.RWMutex
	ends map[string]time.Time
}

func NewSplit() *split {
	l := &split{ends: map[string]time.Time{}}
	go l.expireBad()
	return l
}

func (l *split) GrantBad(k string) bool {
	l.mu.RLock()
	_, taken := l.ends[k]
	l.mu.RUnlock()
	if taken {
		return false
	}
	l.mu.Lock()
	l.ends[k] = time.Now() // want `split-lock: l\.ends`
	l.mu.Unlock()
	return true
}

func (l *split) expireBad() {
	for now := range time.Tick(time.Second) {
		var over []string
		l.mu.RLock()
		for k, end := range l.ends {
			if now.After(end) {
				over = append(over, k)
			}
		}
		l.mu.RUnlock()
		l.mu.Lock()
		for _, k := range over {
			delete(l.ends, k) // want `split-lock: l\.ends`
		}
		l.mu.Unlock()
	}
}
