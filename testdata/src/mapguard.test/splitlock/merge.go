package splitlock

import (
	"math"
	"sync"
)

// Records keeps the best of each.
type Records struct {
	mu   sync.RWMutex
	best map[string]int
	far  map[string]float64
}

func (r *Records) top(k string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.best[k]
}

// RaiseOk asks again by the write itself.
func (r *Records) RaiseOk(k string, n int) {
	if n > r.top(k) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.best[k] = max(n, r.best[k])
	}
}

func (r *Records) raise(k string, n int) {
	r.mu.Lock()
	r.best[k] = max(r.best[k], n)
	r.mu.Unlock()
}

// HandOk leaves the write to a helper.
func (r *Records) HandOk(k string, n int) {
	if r.top(k) < n {
		r.raise(k, n)
	}
}

// FarOk does it with a function of the library.
func (r *Records) FarOk(k string, n float64) {
	r.mu.RLock()
	old := r.far[k]
	r.mu.RUnlock()
	if n <= old {
		return
	}
	r.mu.Lock()
	r.far[k] = math.Max(r.far[k], n)
	r.mu.Unlock()
}

// ChosenOk writes in any case, the greater one.
func (r *Records) ChosenOk(k string, n int) {
	if n <= r.top(k) {
		return
	}
	r.mu.Lock()
	now := r.best[k]
	if now < n {
		now = n
	}
	r.best[k] = now
	r.mu.Unlock()
}

// ToldBad tells two callers that they hold the record.
func (r *Records) ToldBad(k string, n int) bool {
	if n <= r.top(k) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.best[k] = max(r.best[k], n) // want `split-lock: `
	return true
}

// OverBad writes what is the greater one of what was there.
func (r *Records) OverBad(k string, n int) {
	r.mu.RLock()
	old := r.best[k]
	r.mu.RUnlock()
	if n <= old {
		return
	}
	r.mu.Lock()
	r.best[k] = max(old, n) // want `split-lock: `
	r.mu.Unlock()
}

// NextBad works out the new one from the old one: two come to the same one.
func (r *Records) NextBad(k string, limit int) {
	old := r.top(k)
	if old >= limit {
		return
	}
	r.mu.Lock()
	r.best[k] = max(r.best[k], old+1) // want `split-lock: `
	r.mu.Unlock()
}

// OtherBad compares with another entry.
func (r *Records) OtherBad(k, all string, n int) {
	if n <= r.top(k) {
		return
	}
	r.mu.Lock()
	r.best[k] = max(r.best[all], n) // want `split-lock: `
	r.mu.Unlock()
}
