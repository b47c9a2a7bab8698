// Package steps runs tests of hardware: what it does is no helper for tests of Go.
package steps

import "sync"

type Bench struct {
	mu   sync.Mutex
	runs map[string]int
}

func (b *Bench) Done(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.runs[k]++
}

func (b *Bench) RunsBad(k string) int {
	return b.runs[k] // want `unguarded-access: b.runs is read without mu`
}
