package inner

import "sync"

// A purge that begins with an empty map, unread, loses nothing that a change before
// it would have kept.

type tenant struct {
	mu   sync.Mutex
	ops  map[string]int
	tags map[string]string
}

type tenants struct {
	mu sync.Mutex
	m  map[string]*tenant
}

func (t *tenants) get(id string) *tenant {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.m[id] == nil {
		t.m[id] = &tenant{ops: make(map[string]int), tags: make(map[string]string)}
	}
	return t.m[id]
}

func (t *tenants) writeOk(id, op string) {
	in := t.get(id)
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ops[op]++
	in.tags[op] = id
}

func (t *tenants) purge() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m = make(map[string]*tenant)
}

// Both changes go into the object of one look: one lock from there on keeps both.

type shops struct {
	mu sync.Mutex
	m  map[string]*tenant
}

func (s *shops) writeBad(id, op string) {
	s.mu.Lock()
	in := s.m[id]
	s.mu.Unlock()
	if in == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ops[op]++ // want `split-lock: .*ops is written here.*, low`
	in.tags[op] = id
}

func (s *shops) open(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[id] = &tenant{ops: make(map[string]int), tags: make(map[string]string)}
}

func (s *shops) sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, in := range s.m {
		in.mu.Lock()
		empty := len(in.ops) == 0 && len(in.tags) == 0
		in.mu.Unlock()
		if empty {
			delete(s.m, id)
		}
	}
}
