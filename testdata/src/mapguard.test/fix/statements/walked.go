package statements

import "sync"

// A board is a map that is walked by its keys, each entry read where the body begins.
type board struct {
	mu   sync.Mutex
	jobs map[string]*entry
}

func (b *board) put(k string, e *entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs[k] = e
}

func (b *board) drop(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.jobs, k)
}

func (b *board) sendAllBad(ch chan int) {
	for k := range b.jobs { // want `unguarded-access: .*`
		e := b.jobs[k]
		ch <- e.n
	}
}

// The head of the first statement reads the entry.
func (b *board) sendThoseBad(ch chan int) {
	for k := range b.jobs { // want `unguarded-access: .*`
		if e, ok := b.jobs[k]; ok {
			ch <- e.n
		}
	}
}
