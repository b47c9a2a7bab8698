package harm

import (
	"errors"
	"sync"
	"time"
)

// An entry is deleted whether the look has found one or not.

type retries struct {
	mu     sync.RWMutex
	failed map[string]time.Time
	jobs   map[string]int
}

var errWait = errors.New("wait")

func (r *retries) note(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed[k] = time.Now()
	r.jobs[k]++
}

// Who is refused has come too early; the one who is not has not taken the entry, which may not
// have been there. A failure noted meanwhile is forgotten.
func (r *retries) forgetBad(k string, try func() error) error {
	r.mu.RLock()
	at, ok := r.failed[k]
	r.mu.RUnlock()
	if ok && time.Since(at) < time.Second {
		return errWait
	}
	if err := try(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.failed, k) // want `split-lock: .*what another goroutine just wrote is lost.*medium`
	return nil
}

// Who is not refused has taken the entry.
func (r *retries) takeBad(k string) bool {
	r.mu.RLock()
	_, ok := r.jobs[k]
	r.mu.RUnlock()
	if !ok {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.jobs, k) // want `split-lock: .*both told that they did it.*high`
	return true
}

func miss(string) {}

// That there was none is noted first; the entry goes only where there was one.
func (r *retries) notedBad(k string) bool {
	r.mu.RLock()
	_, ok := r.jobs[k]
	r.mu.RUnlock()
	if !ok {
		miss(k)
	}
	if !ok {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.jobs, k) // want `split-lock: .*both told that they did it.*high`
	return true
}
