package low

import "sync"

// Rewrites has a map that others can change: what nothing here deletes, they may.
type Rewrites struct {
	mu    sync.RWMutex
	Sites map[string]*rewritten
}

type rewritten struct{ n int }

func (r *Rewrites) again() {
	var urls []string
	r.mu.RLock()
	for u := range r.Sites {
		urls = append(urls, u)
	}
	r.mu.RUnlock()
	for _, u := range urls {
		r.mu.Lock()
		r.Sites[u] = &rewritten{len(u)} // want `split-lock`
		r.mu.Unlock()
	}
}

func (r *Rewrites) Start() { go r.again() }

func (r *Rewrites) put(u string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Sites[u] = &rewritten{}
}

// The entry decides, too, or goes into what is written.
type renews struct {
	mu    sync.RWMutex
	sites map[string]*rewritten
	ages  map[string]int
}

func (r *renews) stale() {
	var urls []string
	r.mu.RLock()
	for u, s := range r.sites {
		if s.n == 0 {
			urls = append(urls, u)
		}
	}
	r.mu.RUnlock()
	for _, u := range urls {
		r.mu.Lock()
		r.sites[u] = &rewritten{len(u)} // want `split-lock`
		r.mu.Unlock()
	}
}

func (r *renews) age() {
	r.mu.RLock()
	old := make(map[string]int, len(r.ages))
	for u, n := range r.ages {
		old[u] = n
	}
	r.mu.RUnlock()
	for u, n := range old {
		r.mu.Lock()
		r.ages[u] = n - 1 // want `split-lock`
		r.mu.Unlock()
	}
}

func (r *renews) Start() {
	go r.stale()
	go r.age()
}

func (r *renews) set(u string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sites[u] = &rewritten{}
	r.ages[u]++
}
