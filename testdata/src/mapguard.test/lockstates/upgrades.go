package lockstates

import "sync"

type upgraded struct {
	mu sync.RWMutex
	m  map[string]int
}

func (u *upgraded) old(k string) bool { return len(k) > 3 }

// Get reads under the read lock.
func (u *upgraded) Get(k string) int {
	u.mu.RLock()
	defer u.mu.RUnlock()
	return u.m[k]
}

// dropAllOk takes the write lock in place of the read lock when there is something to drop, and keeps it from then on.
func (u *upgraded) dropAllOk(ks []string) {
	u.mu.RLock()
	writes := false
	for _, k := range ks {
		if u.old(k) {
			if !writes {
				writes = true
				u.mu.RUnlock()
				u.mu.Lock()
			}
			delete(u.m, k)
		}
	}
	if writes {
		u.mu.Unlock()
	} else {
		u.mu.RUnlock()
	}
}

// dropLateBad lets go of the write lock after each, and goes on as if it had it.
func (u *upgraded) dropLateBad(ks []string) {
	u.mu.RLock()
	writes := false
	for _, k := range ks {
		if u.old(k) {
			if !writes {
				writes = true
				u.mu.RUnlock()
				u.mu.Lock()
				u.mu.Unlock()
				u.mu.RLock()
			}
			delete(u.m, k) // want `rlock-write: u\.m is deleted under the read lock of u\.mu`
		}
	}
	u.mu.RUnlock()
}

// dropForgottenBad takes itself for the writer in some rounds in which it is none.
func (u *upgraded) dropForgottenBad(ks []string) {
	u.mu.RLock()
	writes := false
	for _, k := range ks {
		if len(k) > 5 {
			writes = true
		}
		if u.old(k) {
			if !writes {
				writes = true
				u.mu.RUnlock()
				u.mu.Lock()
			}
			delete(u.m, k) // want `rlock-write: u\.m is deleted under the read lock of u\.mu`
		}
	}
	u.mu.RUnlock()
}
