// Package inner pins that what was fetched from a map under its lock is no
// longer in it when the lock is released: a change of the inner container is
// lost when another function has deleted or replaced the entry.
package inner

import "sync"

type topic struct {
	mu   sync.Mutex
	subs map[int]chan string
}

// A broker drops topics without listeners.
type broker struct {
	mu     sync.Mutex
	topics map[string]*topic
}

func (b *broker) subscribeBad(k string, id int, ch chan string) {
	b.mu.Lock()
	t := b.topics[k]
	if t == nil {
		t = &topic{subs: make(map[int]chan string)}
		b.topics[k] = t
	}
	b.mu.Unlock()
	t.mu.Lock()
	t.subs[id] = ch // want `split-lock:.*, low`
	t.mu.Unlock()
}

// The inner lock is taken before the outer one is given up.
func (b *broker) subscribeCoupledOk(k string, id int, ch chan string) {
	b.mu.Lock()
	t := b.topics[k]
	if t == nil {
		t = &topic{subs: make(map[int]chan string)}
		b.topics[k] = t
	}
	t.mu.Lock()
	b.mu.Unlock()
	t.subs[id] = ch
	t.mu.Unlock()
}

func (b *broker) subscribeHeldOk(k string, id int, ch chan string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.topics[k]
	if t == nil {
		t = &topic{subs: make(map[int]chan string)}
		b.topics[k] = t
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subs[id] = ch
}

func (b *broker) unsubscribeOk(k string, id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.topics[k]
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.subs, id)
	if len(t.subs) == 0 {
		delete(b.topics, k)
	}
}

// Reading what has just gone is like reading earlier.
func (b *broker) publishOk(k, msg string) {
	b.mu.Lock()
	t := b.topics[k]
	b.mu.Unlock()
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, ch := range t.subs {
		ch <- msg
	}
}

// The same through helpers: get or make, then add.

type room struct {
	mu      sync.Mutex
	members map[string]bool
	log     []string
}

func (r *room) join(who string) { r.mu.Lock(); defer r.mu.Unlock(); r.members[who] = true }

func (r *room) leave(who string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.members, who)
	return len(r.members)
}

func (r *room) say(s string) { r.mu.Lock(); defer r.mu.Unlock(); r.log = append(r.log, s) }

func (r *room) said() []string { r.mu.Lock(); defer r.mu.Unlock(); return r.log }

// A hall closes empty rooms, and keeps what was said there.
type hall struct {
	mu      sync.RWMutex
	rooms   map[string]*room
	archive []string
}

func (h *hall) room(name string) *room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok := h.rooms[name]
	if !ok {
		r = &room{members: make(map[string]bool)}
		h.rooms[name] = r
	}
	return r
}

func (h *hall) find(name string) *room {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.rooms[name]
}

func (h *hall) joinBad(name, who string) {
	h.room(name).join(who) // want `split-lock:.*, low`
}

// A room is deleted because another container of it is empty, which makes the
// loss of this one low.
// It would take emptiness of one container of an entry that stands for all of
// them; most others are there to be dropped.
func (h *hall) FN_sayBad(name, s string) {
	if r := h.find(name); r != nil {
		r.say(s)
	}
}

func (h *hall) joinOk(name, who string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok := h.rooms[name]
	if !ok {
		r = &room{members: make(map[string]bool)}
		h.rooms[name] = r
	}
	r.join(who)
}

func (h *hall) leaveOk(name, who string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.rooms[name]; r != nil && r.leave(who) == 0 {
		h.archive = append(h.archive, r.said()...)
		delete(h.rooms, name)
	}
}

// To take out of a room that is gone is as good as having done so before.
func (h *hall) kickOk(name, who string) {
	if r := h.find(name); r != nil {
		r.leave(who)
	}
}

// Nothing is ever deleted or replaced: what was fetched stays.

type shelf struct {
	mu    sync.Mutex
	books map[string]int
}

type library struct {
	mu      sync.Mutex
	shelves map[string]*shelf
}

func (l *library) shelf(k string) *shelf {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelves[k]
	if s == nil {
		s = &shelf{books: make(map[string]int)}
		l.shelves[k] = s
	}
	return s
}

func (l *library) addOk(k, title string) {
	s := l.shelf(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[title]++
}

// The delete is of another map.
func (l *library) removeOk(k, title string) {
	s := l.shelf(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.books, title)
}

// The deleter says so in the object, and the adder asks there.

type bucket struct {
	mu      sync.Mutex
	removed bool
	items   map[string]int
}

type buckets struct {
	mu sync.Mutex
	m  map[string]*bucket
}

func (b *buckets) bucket(k string) *bucket {
	b.mu.Lock()
	defer b.mu.Unlock()
	in := b.m[k]
	if in == nil {
		in = &bucket{items: make(map[string]int)}
		b.m[k] = in
	}
	return in
}

func (b *buckets) addOk(k, item string) {
	for {
		in := b.bucket(k)
		in.mu.Lock()
		if in.removed {
			in.mu.Unlock()
			continue
		}
		in.items[item]++
		in.mu.Unlock()
		return
	}
}

func (in *bucket) tryAdd(item string) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.removed {
		return false
	}
	in.items[item]++
	return true
}

func (b *buckets) addThroughHelperOk(k, item string) {
	for !b.bucket(k).tryAdd(item) {
	}
}

// One that does not ask.
func (b *buckets) addBad(k, item string) {
	in := b.bucket(k)
	in.mu.Lock()
	defer in.mu.Unlock()
	in.items[item]++ // want `split-lock:.*, low`
}

// One that asks too early.
func (b *buckets) askedTooEarlyBad(k, item string) {
	in := b.bucket(k)
	in.mu.Lock()
	gone := in.removed
	in.mu.Unlock()
	if gone {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.items[item]++ // want `split-lock:.*, low`
}

func (b *buckets) sweepOk() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for k, in := range b.m {
		in.mu.Lock()
		if len(in.items) == 0 {
			in.removed = true
			delete(b.m, k)
		}
		in.mu.Unlock()
	}
}

// Looking into the outer map again will do as well.
func (b *buckets) lookAgainOk(k, item string) bool {
	in := b.bucket(k)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.m[k] != in {
		return false
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.items[item]++
	return true
}
