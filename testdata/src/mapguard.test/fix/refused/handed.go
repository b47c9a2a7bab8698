package refused

import "sync"

// A guarded map that is passed on, where no copy can stand for it.
type lent struct {
	mu sync.Mutex
	// rows is guarded by mu.
	rows map[string]int
	// sets is guarded by mu.
	sets map[string]map[string]bool
}

type shown struct {
	rows, more map[string]int
	sets       map[string]map[string]bool
	n          int
}

func (l *lent) put(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[k]++
	l.sets[k] = map[string]bool{}
}

func (l *lent) len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.rows) + len(l.sets)
}

// The copy would have the same maps in it.
func (l *lent) setsBad(s *shown) {
	s.sets = l.sets // want `map-escape: .*`
}

// It is passed on twice.
func (l *lent) twiceBad(s *shown) {
	s.rows, s.more = l.rows, l.rows // want `map-escape: .*`
}

// The function itself changes it, and may mean to lend it.
func (l *lent) fillsBad(s *shown) {
	l.mu.Lock()
	l.rows[""] = 1
	l.mu.Unlock()
	s.rows = l.rows // want `map-escape: .*`
}

// It is held on one way only.
func (l *lent) someBad(s *shown, hold bool) {
	if hold {
		l.mu.Lock()
		defer l.mu.Unlock()
	}
	s.more = l.rows // want `map-escape: .*`
}

// What is evaluated first changes the map.
func (l *lent) firstBad(s *shown) {
	s.n, s.more = l.change(), l.rows // want `map-escape: .*`
}

func (l *lent) change() int {
	l.put("")
	return 1
}

// The field that gets it is written.
func (l *lent) writtenBad() *shown {
	return &shown{rows: l.rows} // want `map-escape: .*`
}

func fill() *shown {
	s := &shown{rows: map[string]int{}}
	s.rows[""]++
	return s
}
