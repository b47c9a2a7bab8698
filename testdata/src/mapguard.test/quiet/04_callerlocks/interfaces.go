package callerlocks

import "sync"

// Entries of a registry remove themselves, through an interface, while the
// registry's lock is held. One of the ways there is documented only.

type registry struct {
	mu      sync.Mutex
	entries map[int]entry
	traces  map[int]*trace
}

type entry interface{ close() }

type listener struct {
	r       *registry
	id      int
	sockets map[int]bool
}

func (l *listener) close() {
	if len(l.sockets) == 0 {
		l.r.drop(l.id)
	}
}

type dummy struct{}

func (dummy) close() {}

// r.mu must be held by the caller.
func (r *registry) find(id int) entry { return r.entries[id] }

// drop deletes an entry; r.mu must be held.
func (r *registry) drop(id int) { delete(r.entries, id) }

func (r *registry) removeOk(id int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.find(id); e != nil {
		e.close()
	}
}

// r.mu must be held by the caller.
func (r *registry) release(id int) {
	if e := r.find(id); e != nil {
		e.close()
	}
}

func (r *registry) addOk(id int) *listener {
	l := &listener{r: r, id: id, sockets: make(map[int]bool)}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries[id] = l
	return l
}

func (r *registry) openOk(l *listener, s int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l.sockets[s] = true
}

type trace struct {
	mu  sync.Mutex
	ids []int
}

func (r *registry) clearOk(id int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.traces[id].clear(r)
}

func (t *trace) clear(r *registry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range t.ids {
		r.release(id) // the lock of r is held already
	}
}

func (r *registry) expireBad(id int) {
	r.release(id) // want `unguarded-access: .*needs mu`
}

// A shelf is a store that is kept in another one: the wrapper that embeds the
// interface has no method of its own, and the calls are those of the store in it.
type shelf interface {
	banOk(k string)
	clearBad()
}

type bans struct {
	mu   sync.Mutex
	seen map[string]bool // guarded by mu
}

type store struct{ b *bans }

func (s *store) banOk(k string) { s.b.seen[k] = true }

func (s *store) clearBad() { clear(s.b.seen) } // want `unguarded-access: .*s\.b\.seen is changed as a whole without mu`

type labelled struct {
	shelf
	label string
}

type twice struct{ labelled }

func (b *bans) addOk(s shelf, k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.banOk(k)
}

func (b *bans) resetOk(s shelf) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.clearBad()
}

func (b *bans) resetAtOnce(s shelf) {
	s.clearBad()
}
