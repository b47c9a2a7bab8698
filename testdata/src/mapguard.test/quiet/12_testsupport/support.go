// Package testsupport12 is used in production; one of its files imports package testing,
// which what runs there does not.
package testsupport12

import (
	"sync"
	"testing"
)

// Recorder notes what a test has seen.
type Recorder struct {
	mu   sync.Mutex
	seen map[string]int
}

func (r *Recorder) Note(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[k]++
}

// Tests look at the end.
func (r *Recorder) ExpectOk(t *testing.T, k string, n int) {
	if r.seen[k] != n {
		t.Errorf("%s: %d, want %d", k, r.seen[k], n)
	}
}
