// Package wholes holds structs that embed one part by value, and what shows that goroutines meet at it.
package wholes

import "sync"

// A ledger is a part that other structs embed by value: what is done to one of these tells nothing of the ledger in
// another one.
type ledger struct{ lines map[string]int }

// A countedLedger has a lock for its part.
type countedLedger struct {
	ledger
	mu sync.Mutex
}

func (c *countedLedger) AddOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines[k]++
}

func (c *countedLedger) DropOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.lines, k)
}

func (c *countedLedger) GetOk(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lines[k]
}

func (c *countedLedger) LenOk() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.lines)
}

func (c *countedLedger) SumBad() (sum int) {
	for _, n := range c.lines { // want `unguarded-access: c.ledger.lines is ranged over without mu`
		sum += n
	}
	return sum
}

// A sentLedger has none: who reads it waits for the end of the sender by its own means.
type sentLedger struct {
	ledger
	state int
}

func newSentLedger() *sentLedger { return &sentLedger{ledger: ledger{lines: nil}, state: 1} }

func (s *sentLedger) ArrivesOk(lines map[string]int) { s.lines = lines }

func (s *sentLedger) FirstOk(k string) int { return s.lines[k] }

// A viewedRegister takes the part of a lockedRegister over: it has the same map then.
type register struct{ marks map[string]int }

type lockedRegister struct {
	register
	mu sync.Mutex
}

func (l *lockedRegister) AddOk(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.marks[k]++
}

func (l *lockedRegister) DropOk(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.marks, k)
}

func (l *lockedRegister) GetOk(k string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.marks[k]
}

func (l *lockedRegister) LenOk() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.marks)
}

type viewedRegister struct{ register }

func (v *viewedRegister) TakeOver(l *lockedRegister) { v.register = l.register }

func (v *viewedRegister) FirstBad(k string) int { return v.marks[k] } // want `unguarded-access: v.register.marks is read without mu.*, low`

// A shelf is filled by one kind of holder alone.
type shelf struct{ jars map[string]*int }

type fullShelf struct {
	shelf
	mu sync.Mutex
}

type newShelf struct {
	shelf
	mu sync.Mutex
}

func makeFullShelf(jars map[string]*int) *fullShelf {
	return &fullShelf{shelf: shelf{jars: jars}}
}

func (s *newShelf) PutOk(k string, n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jars[k] = n
}

func (s *fullShelf) TakeOk(k string) {
	s.mu.Lock()
	jar, ok := s.jars[k]
	s.mu.Unlock()
	if !ok {
		return
	}
	*jar = 0
	s.mu.Lock()
	delete(s.jars, k)
	s.mu.Unlock()
}

// A rack is filled by its own method, whatever embeds it.
type rack struct{ jars map[string]*int }

func (r *rack) put(k string, n *int) { r.jars[k] = n }

type fullRack struct {
	rack
	mu sync.Mutex
}

type newRack struct {
	rack
	mu sync.Mutex
}

func (s *newRack) PutOk(k string, n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(k, n)
}

func (s *fullRack) RefillOk(k string, n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(k, n)
}

func (s *fullRack) TakeBad(k string) {
	s.mu.Lock()
	jar, ok := s.jars[k]
	s.mu.Unlock()
	if !ok {
		return
	}
	*jar = 0
	s.mu.Lock()
	delete(s.jars, k) // want `split-lock: s.rack.jars is read .* and deleted here .*, low`
	s.mu.Unlock()
}
