package owned

import "sync"

// A member has a lock of its own, and others may have found it before it is taken out.
type club struct {
	mu      sync.Mutex
	members map[string]*member
}

type member struct {
	mu    sync.Mutex
	notes map[string]int
}

func (c *club) find(k string) *member {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.members[k]
	if m == nil {
		m = &member{notes: map[string]int{}}
		c.members[k] = m
	}
	return m
}

func (c *club) note(k, n string) {
	m := c.find(k)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.notes[n]++
}

func (c *club) erase(k, n string) {
	m := c.find(k)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.notes, n)
}

func (c *club) dropBad(k string) (n int) {
	c.mu.Lock()
	m := c.members[k]
	delete(c.members, k)
	c.mu.Unlock()
	for _, v := range m.notes { // want `unguarded-access: .*notes is ranged over without`
		n += v
	}
	return n
}

// The entry is read in one section and deleted in another one: two may read it.
type ring struct {
	mu   sync.RWMutex
	keys map[string]*key
}

type key struct{ teeth map[string]int }

func (r *ring) cut(k, t string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys[k].teeth[t]++
}

func (r *ring) file(k, t string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys[k].teeth, t)
}

func (r *ring) dropBad(k string) (n int) {
	r.mu.RLock()
	x := r.keys[k]
	r.mu.RUnlock()
	r.mu.Lock()
	delete(r.keys, k)
	r.mu.Unlock()
	for _, v := range x.teeth { // want `unguarded-access: .*teeth is ranged over without`
		n += v
	}
	return n
}

// What takes its place has the same map.
type tank struct {
	mu  sync.Mutex
	cur *water
}

type water struct {
	parts map[string]int
	round int
}

func (t *tank) add(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cur.parts[k]++
}

func (t *tank) drop(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.cur.parts, k)
}

func (t *tank) turnBad() (n int) {
	t.mu.Lock()
	old := t.cur
	t.cur = &water{parts: old.parts, round: old.round + 1}
	t.mu.Unlock()
	for _, v := range old.parts { // want `unguarded-access: .*parts is ranged over without`
		n += v
	}
	return n
}

// The first one comes back at the end.
type wheel struct {
	mu     sync.Mutex
	spokes []*spoke
}

type spoke struct{ marks map[string]int }

func (w *wheel) mark(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spokes[0].marks[k]++
}

func (w *wheel) wipe(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.spokes[0].marks, k)
}

func (w *wheel) turnBad() (n int) {
	w.mu.Lock()
	first := w.spokes[0]
	w.spokes = append(w.spokes[1:], first)
	w.mu.Unlock()
	for _, v := range first.marks { // want `unguarded-access: .*marks is ranged over without`
		n += v
	}
	return n
}

// Another field keeps the map that a goroutine gets.
type recorder struct{ cur, last map[string]int }

func (r *recorder) run(in chan string) {
	for s := range in {
		r.last = r.cur
		go r.sendBad(r.cur)
		r.cur = make(map[string]int)
		r.last[s]--
	}
}

func (r *recorder) sendBad(m map[string]int) {
	for k := range m {
		delete(m, k) // want `goroutine-race: r\.cur is deleted in a goroutine`
	}
}
