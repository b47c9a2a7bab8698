package guards

import "sync"

// The annotations of Clang's thread safety analysis.
type register struct {
	mu sync.Mutex
	// GUARDED_BY(mu)
	names map[string]int
}

func (r *register) Lock() { r.mu.Lock() }

func (r *register) Unlock() { r.mu.Unlock() }

// LOCKS_REQUIRED(r)
func (r *register) enterOk(k string) bool {
	if _, ok := r.names[k]; ok {
		return false
	}
	r.names[k] = 1
	return true
}

// LOCKS_EXCLUDED(r)
func (r *register) claimBad(k string) bool {
	if _, ok := r.names[k]; ok { // want `check-then-act: r.names is read here, then written`
		return false
	}
	r.names[k] = 1
	return true
}
