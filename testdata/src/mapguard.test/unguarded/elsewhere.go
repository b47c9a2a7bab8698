package unguarded

import (
	"maps"
	"sync"
)

// A sheet has no lock of its own. The one of the survey that fills it protects that
// sheet alone, not the copies that are given out.
type sheet struct{ marks map[string]int }

type survey struct {
	mu  sync.Mutex
	cur *sheet
}

func (s *survey) mark(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cur.marks[k]++
}

func (s *survey) finishOk() int {
	s.mu.Lock()
	done := &sheet{marks: maps.Clone(s.cur.marks)}
	s.mu.Unlock()
	return totalOk(done) + largestOk(done)
}

func totalOk(d *sheet) (n int) {
	for _, m := range d.marks {
		n += m
	}
	return n
}

func largestOk(d *sheet) (n int) {
	for _, m := range d.marks {
		n = max(n, m)
	}
	return n
}

// A card is the same, but a caller hands out the one that is being filled.
type card struct{ marks map[string]int }

type desk struct {
	mu  sync.Mutex
	cur *card
}

func (d *desk) mark(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cur.marks[k]++
}

func (d *desk) erase(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.cur.marks, k)
}

func (d *desk) has(k string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.cur.marks[k] > 0
}

func (d *desk) sum() int { return sumBad(d.cur) + firstBad(d.cur) }

func sumBad(c *card) (n int) {
	for _, m := range c.marks { // want `unguarded-access: .*marks`
		n += m
	}
	return n
}

func firstBad(c *card) int { return c.marks["first"] } // want `unguarded-access: .*marks`
