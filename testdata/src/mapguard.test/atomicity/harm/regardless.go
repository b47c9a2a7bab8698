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

// recent refuses for a while, and says nothing of whether there is an entry where it does not.
func (r *retries) recent(k string) bool {
	r.mu.RLock()
	at, ok := r.failed[k]
	r.mu.RUnlock()
	if !ok {
		return false
	}
	if time.Since(at) < time.Second {
		return true
	}
	return false
}

// Who is told true may try; that there was an entry, or that it took that, it is not told.
func (r *retries) mayTryBad(k string, try func() error) bool {
	if r.recent(k) || try() != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.failed, k) // want `split-lock: .*what another goroutine just wrote is lost.*medium`
	return true
}

// Of two values where there is none, neither tells anything.
func (r *retries) either(k string) bool {
	r.mu.RLock()
	at, ok := r.failed[k]
	r.mu.RUnlock()
	if !ok && k == "" {
		return true
	}
	if !ok {
		return false
	}
	if time.Since(at) < time.Second {
		return true
	}
	return false
}

func (r *retries) takeOrBothBad(k string) bool {
	if r.either(k) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.failed, k) // want `split-lock: .*both told that they did it.*high`
	return true
}

// kept refuses where there is none, too: who is not refused has taken the entry.
func (r *retries) kept(k string) bool {
	r.mu.RLock()
	at, ok := r.failed[k]
	r.mu.RUnlock()
	if !ok {
		return true
	}
	if time.Since(at) < time.Second {
		return true
	}
	return false
}

func (r *retries) takeOldBad(k string) bool {
	if r.kept(k) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.failed, k) // want `split-lock: .*both told that they did it.*high`
	return true
}

// open says what the clock says where there is none: nothing tells that it lets anything pass then.
func (r *retries) open(k string) bool {
	r.mu.RLock()
	at, ok := r.failed[k]
	r.mu.RUnlock()
	if !ok {
		return time.Now().Hour() < 25
	}
	if time.Since(at) < time.Second {
		return true
	}
	return false
}

func (r *retries) takeByClockBad(k string) bool {
	if r.open(k) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.failed, k) // want `split-lock: .*both told that they did it.*high`
	return true
}

// Another branch says that there is one.
func (r *retries) takeOldOneBad(k string) bool {
	r.mu.RLock()
	_, ok := r.failed[k]
	r.mu.RUnlock()
	if !ok || r.recent(k) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.failed, k) // want `split-lock: .*both told that they did it.*high`
	return true
}
