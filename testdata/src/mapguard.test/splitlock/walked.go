package splitlock

import "sync"

// A walk chooses the entries that are written anew: one that another goroutine deletes in
// between comes back. Where nothing deletes any, nothing is lost.

type page struct{ up bool }

type pages struct {
	mu    sync.RWMutex
	sites map[string]*page
}

func (p *pages) CheckBad() {
	p.mu.RLock()
	urls := make([]string, 0, len(p.sites))
	for u := range p.sites {
		urls = append(urls, u)
	}
	p.mu.RUnlock()
	for _, u := range urls {
		state := &page{up: answers(u)}
		p.mu.Lock()
		p.sites[u] = state // want `what another goroutine deleted comes back`
		p.mu.Unlock()
	}
}

func (p *pages) Drop(u string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sites, u)
}

// Each one in its own goroutine.
type probes struct {
	mu    sync.RWMutex
	sites map[string]*page
}

func (p *probes) CheckBad() {
	var urls []string
	p.mu.RLock()
	for u := range p.sites {
		urls = append(urls, u)
	}
	p.mu.RUnlock()
	var wg sync.WaitGroup
	for _, u := range urls {
		wg.Add(1)
		go func(url string) {
			defer wg.Done()
			state := &page{up: answers(url)}
			p.mu.Lock()
			p.sites[url] = state // want `what another goroutine deleted comes back`
			p.mu.Unlock()
		}(u)
	}
	wg.Wait()
}

func (p *probes) Drop(u string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sites, u)
}

// Nothing leaves this one.
type stays struct {
	mu    sync.RWMutex
	sites map[string]*page
}

func (s *stays) CheckOk() {
	s.mu.RLock()
	urls := make([]string, 0, len(s.sites))
	for u := range s.sites {
		urls = append(urls, u)
	}
	s.mu.RUnlock()
	for _, u := range urls {
		state := &page{up: answers(u)}
		s.mu.Lock()
		s.sites[u] = state
		s.mu.Unlock()
	}
}

func (s *stays) Add(u string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sites[u] = &page{}
}

// What the entries held has been told: what comes in until they are written anew is lost.
type tallies struct {
	mu    sync.Mutex
	stats map[string]*tally
}

type tally struct{ n int }

func (t *tallies) ResetBad() {
	var keys []string
	total := 0
	t.mu.Lock()
	for k, s := range t.stats {
		keys = append(keys, k)
		total += s.n
	}
	t.mu.Unlock()
	println(total)
	for _, k := range keys {
		t.mu.Lock()
		t.stats[k] = &tally{} // want `split-lock: `
		t.mu.Unlock()
	}
}

func (t *tallies) Hit(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stats[k] == nil {
		t.stats[k] = &tally{}
	}
	t.stats[k].n++
}

func answers(u string) bool {
	println(u)
	return len(u) > 3
}
