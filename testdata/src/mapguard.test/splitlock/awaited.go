package splitlock

import "sync"

type reports struct {
	mu   sync.Mutex
	cond *sync.Cond
	max  int
	m    map[string]int
}

// What is waited for is an entry to take, not room for one: the one that is put back
// does not rest on the length.
func (r *reports) putsBackOk(send func(string, int) error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.m) == 0 {
		r.cond.Wait()
	}
	for k, v := range r.m {
		delete(r.m, k)
		r.mu.Unlock()
		err := send(k, v)
		r.mu.Lock()
		if err != nil {
			if _, ok := r.m[k]; !ok {
				r.m[k] = v
			}
		}
	}
}

// What is waited for is room, and others can have taken it.
func (r *reports) waitsForRoomBad(k string, v int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.m) >= r.max {
		r.cond.Wait()
	}
	r.m[k] = v // want `split-lock: r\.m is measured with len`
}
