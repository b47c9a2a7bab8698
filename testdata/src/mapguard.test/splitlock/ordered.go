package splitlock

import "sync"

type progress struct{ tries int }

type inFlight struct {
	mu sync.Mutex
	m  map[string]*progress
}

func (f *inFlight) get(k string) *progress {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.m[k]
}

func (f *inFlight) set(k string, p *progress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.m[k] = p
}

func (f *inFlight) Retry(k string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.m[k]; p != nil {
		p.tries++
	}
}

// A Relay has one goroutine that tracks, or the map of all kinds would be raced on.
type Relay struct {
	kinds map[string]*inFlight
	one   inFlight
}

// TrackOk changes a map without any lock on its way.
func (r *Relay) TrackOk(kind, k string) {
	f, ok := r.kinds[kind]
	if !ok {
		f = &inFlight{m: make(map[string]*progress)}
		r.kinds[kind] = f
	}
	if f.get(k) == nil {
		f.set(k, &progress{})
	}
	if r.one.get(k) == nil {
		r.one.set(k, &progress{})
	}
}

// A Tracker has the locked map alone.
type Tracker struct{ one inFlight }

// TrackBad changes nothing else.
func (t *Tracker) TrackBad(k string) {
	if t.one.get(k) == nil {
		t.one.set(k, &progress{}) // want `split-lock:.*, low`
	}
}

// TrackOtherBad changes a map of something else.
func (t *Tracker) TrackOtherBad(k string, done map[string]bool) {
	if t.one.get(k) == nil {
		t.one.set(k, &progress{}) // want `split-lock:.*, low`
	}
	done[k] = true
}

// A Hub starts several goroutines that do both.
type Hub struct {
	kinds map[string]int
	one   inFlight
}

// Run starts them.
func (h *Hub) Run(keys []string) {
	for _, k := range keys {
		go h.trackBad(k)
	}
}

func (h *Hub) trackBad(k string) {
	h.kinds[k]++ // want `h.kinds`
	if h.one.get(k) == nil {
		h.one.set(k, &progress{}) // want `split-lock:.*, low`
	}
}

// A trackLedger has one goroutine that tracks, in both of its maps.
type trackLedger struct {
	mu    sync.Mutex
	m     map[string]*progress
	kinds map[string]int
}

func (r *trackLedger) get(k string) *progress {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.m[k]
}

func (r *trackLedger) set(k string, p *progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m[k] = p
}

// TrackOwnOk changes the other map without any lock.
func (r *trackLedger) TrackOwnOk(k string) {
	r.kinds[k]++
	if r.get(k) == nil {
		r.set(k, &progress{})
	}
}

// TrackTheOneBad changes nothing else.
func (r *trackLedger) TrackTheOneBad(k string) {
	if r.get(k) == nil {
		r.set(k, &progress{}) // want `split-lock:.*`
	}
}
