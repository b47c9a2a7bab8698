package inner

import "sync"

// Where the entry is found, and whether what changes lies in it.

type rack struct{ books map[string]int }

type archive struct {
	mu      sync.Mutex
	shelves map[string]*rack
	log     *journal
	desks   map[int]*desk
}

// drop takes out a rack that has become empty.
func (l *archive) drop(name, book string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.shelves[name]
	if s == nil {
		return
	}
	delete(s.books, book)
	if len(s.books) == 0 {
		delete(l.shelves, name)
	}
}

// put finds the rack itself; its caller holds the lock.
func (l *archive) put(name, book string) {
	s := l.shelves[name]
	if s == nil {
		s = &rack{books: make(map[string]int)}
		l.shelves[name] = s
	}
	s.books[book]++
}

// The earlier look has nothing to do with the rack that put finds.
func (l *archive) dropThenPutOk(name, book, other string) {
	l.mu.Lock()
	_, known := l.shelves[name]
	l.mu.Unlock()
	if !known {
		return
	}
	l.drop(name, book)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.put(name, other)
}

// What is given the rack does not find it again.
func (l *archive) addTo(s *rack, book string) { s.books[book]++ }

func (l *archive) findThenAddBad(name, book string) {
	l.mu.Lock()
	s := l.shelves[name]
	l.mu.Unlock()
	if s == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.addTo(s, book) // want `split-lock:.*, low`
}

// A desk leads to its archive, which stays when the desk goes.
type desk struct {
	mu    sync.Mutex
	owner *archive
	log   *journal
	notes *pad
}

type pad struct{ lines map[string]int }

type journal struct {
	mu    sync.Mutex
	lines map[string]int
}

func (l *archive) open(id int) *desk {
	d := &desk{owner: l, log: l.log, notes: &pad{lines: make(map[string]int)}}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.desks[id] = d
	return d
}

func (l *archive) close(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := l.desks[id]
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log.mu.Lock()
	defer d.log.mu.Unlock()
	if len(d.notes.lines) == 0 && len(d.owner.shelves) == 0 && len(d.log.lines) == 0 {
		delete(l.desks, id)
	}
}

func (l *archive) fileOk(id int, name string, s *rack) {
	l.mu.Lock()
	d := l.desks[id]
	l.mu.Unlock()
	if d == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d.owner.shelves[name] = s
}

// So does the journal that all desks share.
func (l *archive) logOk(id int, line string) {
	l.mu.Lock()
	d := l.desks[id]
	l.mu.Unlock()
	if d == nil {
		return
	}
	d.log.mu.Lock()
	defer d.log.mu.Unlock()
	d.log.lines[line]++
}

// The pad is the desk's own, and goes with it.
func (l *archive) noteBad(id int, line string) {
	l.mu.Lock()
	d := l.desks[id]
	l.mu.Unlock()
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes.lines[line]++ // want `split-lock:.*, low`
}

// A removal that counts something, but does not depend on it, means to end the
// entry.
type suite struct {
	mu     sync.Mutex
	guests map[string]int
}

type inn struct {
	mu    sync.Mutex
	rooms map[int]*suite
	count int
}

// newInn fills a new inn's field: that takes no suite out.
func newInn(rooms map[int]*suite) *inn {
	h := &inn{}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rooms = make(map[int]*suite)
	return h
}

func (h *inn) pullDown(id int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[id]
	r.mu.Lock()
	h.count -= len(r.guests)
	r.mu.Unlock()
	delete(h.rooms, id)
}

func (h *inn) checkInOk(id int, guest string) {
	h.mu.Lock()
	r := h.rooms[id]
	h.mu.Unlock()
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.guests[guest]++
}
