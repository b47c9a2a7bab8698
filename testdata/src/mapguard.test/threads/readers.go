// Package threads holds cases of who runs beside whom: which threads exist, how
// often, on which object, and which of their accesses can meet.
package threads

import "sync"

// Goroutines that only look do not meet each other, nor the writes that come
// before them.

type table struct{ rows map[string]int }

func (t *table) lookAllOk(keys []string) (n int) {
	var wg sync.WaitGroup
	sums := make([]int, len(keys))
	for i, k := range keys {
		wg.Go(func() { sums[i] = t.rows[k] })
	}
	wg.Wait()
	for _, s := range sums {
		n += s
	}
	return n
}

func LoadOk(keys []string) int {
	t := new(table)
	t.rows = make(map[string]int)
	for i, k := range keys {
		t.rows[k] = i
	}
	return t.lookAllOk(keys)
}

// FillOk writes, and the goroutines that look come and go before it.
func (t *table) FillOk(k string) { t.rows[k] = 1 }

// The same with one of the goroutines writing.

type tally struct{ rows map[string]int }

func (t *tally) CountBad(keys []string) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			t.rows[k] = len(k) // want `goroutine-race: t\.rows is written`
		})
	}
	wg.Wait()
}

// A goroutine for each object, and an object for each goroutine.

type job struct{ seen map[string]bool }

func (j *job) runOk(k string) {
	if !j.seen[k] {
		j.seen[k] = true
	}
}

func SpreadOk(keys []string) {
	for _, k := range keys {
		j := &job{seen: make(map[string]bool)}
		go j.runOk(k)
	}
}

// One object for all of them.

type shared struct{ seen map[string]bool }

func (s *shared) runBad(k string) {
	if !s.seen[k] { // want `check-then-act: .*s\.seen`
		s.seen[k] = true
	}
}

func Gather(keys []string) {
	s := &shared{seen: make(map[string]bool)}
	for _, k := range keys {
		go s.runBad(k)
	}
}

// Workers of a pool share what they get.

type pool struct{ done map[string]bool }

func (p *pool) Start(n int, in <-chan string) {
	for range n {
		go p.workBad(in)
	}
}

func (p *pool) workBad(in <-chan string) {
	for k := range in {
		p.done[k] = true // want `p\.done is written`
	}
}
