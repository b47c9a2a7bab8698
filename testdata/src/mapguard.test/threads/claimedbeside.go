package threads

import "sync/atomic"

// The flag that is claimed is in an object to which a field points that is never set again: there is one for each.

type ending struct {
	claimed atomic.Bool
	out     chan int
}

type trailing struct {
	*ending
	rows  chan map[string]int
	begun bool
	last  map[string]int
}

func newTrailing(rows chan map[string]int) *trailing {
	return &trailing{ending: &ending{out: make(chan int)}, rows: rows}
}

func (t *trailing) finishOk() {
	if t.claimed.Load() || !t.claimed.CompareAndSwap(false, true) {
		return
	}
	t.last = <-t.rows
}

func (t *trailing) nextOk() int {
	if !t.begun {
		t.begun = true
		go t.feedOk()
	}
	v, ok := <-t.out
	if !ok {
		t.finishOk()
	}
	return v
}

func (t *trailing) feedOk() {
	for range t.rows {
		t.out <- 1
	}
	t.finishOk()
}

// Here the field gets another object: who comes then claims another flag.
type renewing struct {
	*ending
	rows  chan map[string]int
	begun bool
	last  map[string]int
}

func (r *renewing) renewOk() { r.ending = &ending{out: make(chan int)} }

func (r *renewing) finishBad() {
	if r.claimed.Load() || !r.claimed.CompareAndSwap(false, true) {
		return
	}
	r.last = <-r.rows // want `goroutine-race: r\.last`
}

func (r *renewing) nextOk() int {
	if !r.begun {
		r.begun = true
		go r.feedOk()
	}
	v, ok := <-r.out
	if !ok {
		r.finishBad()
	}
	return v
}

func (r *renewing) feedOk() {
	for range r.rows {
		r.out <- 1
	}
	r.finishBad()
}
