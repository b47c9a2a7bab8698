package refused

import "sync"

// A board is a map that is walked by its keys.
type board struct {
	mu   sync.Mutex
	jobs map[string]*job // guarded by mu
}

type job struct{ n int }

func (b *board) put(k string, e *job) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs[k] = e
}

// The entry is read when something has been done.
func (b *board) sendLateBad(ch chan int) {
	for k := range b.jobs { // want `unguarded-access: .*`
		ch <- len(k)
		e := b.jobs[k]
		ch <- e.n
	}
}

// Another entry is read than the one at hand.
func (b *board) sendNextBad(ch chan int, next string) {
	for range b.jobs { // want `unguarded-access: .*`
		e := b.jobs[next]
		ch <- e.n
	}
}
