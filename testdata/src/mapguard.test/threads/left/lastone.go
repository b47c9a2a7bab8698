package left

import (
	"sync"
	"sync/atomic"
)

// A lease is held by those who have asked for it; the last one who gives it back clears it up.
type lease struct {
	name  string
	desk  *desk
	users int
	mu    sync.Mutex
	notes map[string]int
}

type desk struct {
	mu     sync.Mutex
	leases map[string]*lease
}

// TakeOk finds a lease, or makes one, and counts its user.
func (d *desk) TakeOk(name string) *lease {
	d.mu.Lock()
	defer d.mu.Unlock()
	if l, ok := d.leases[name]; ok {
		l.users++
		return l
	}
	l := &lease{name: name, desk: d, users: 1, notes: map[string]int{}}
	d.leases[name] = l
	return l
}

// SizesOk looks at the leases without handing one out.
func (d *desk) SizesOk() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, l := range d.leases {
		n += l.users
	}
	return n
}

// NoteOk writes something down.
func (l *lease) NoteOk(text string) {
	l.mu.Lock()
	l.notes[text]++
	l.mu.Unlock()
}

func (l *lease) sizeOk() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.notes)
}

// GiveBackOk leaves early where others use the lease.
func (l *lease) GiveBackOk() {
	l.desk.mu.Lock()
	l.users--
	if l.users > 0 {
		l.desk.mu.Unlock()
		return
	}
	delete(l.desk.leases, l.name)
	l.desk.mu.Unlock()
	l.clearOk()
}

func (l *lease) clearOk() {
	if l.sizeOk() == 0 {
		return
	}
	for text := range l.notes {
		delete(l.notes, text)
	}
}

// A room is counted atomically, under the lock of the house.
type room struct {
	nr     int
	guests atomic.Int64
	mu     sync.Mutex
	keys   map[int]bool
}

func (r *room) enterOk() { r.guests.Add(1) }

type house struct {
	mu    sync.Mutex
	rooms map[int]*room
}

// RoomOk hands a room out.
func (h *house) RoomOk(nr int) *room {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.rooms[nr]
	if r == nil {
		r = &room{nr: nr, keys: map[int]bool{}}
		h.rooms[nr] = r
	}
	r.enterOk()
	return r
}

// KeyOk notes a key.
func (r *room) KeyOk(k int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys[k] = true
}

// LeaveOk takes the room away when the last one leaves.
func (h *house) LeaveOk(r *room) {
	h.mu.Lock()
	none := r.guests.Add(-1) == 0
	if none {
		delete(h.rooms, r.nr)
	}
	h.mu.Unlock()
	if none {
		for k := range r.keys {
			delete(r.keys, k)
		}
	}
}

// A ticket is still in its table when its count is looked at.
type ticket struct {
	nr    int
	uses  atomic.Int32
	mu    sync.Mutex
	marks map[int]bool
}

type counterDesk struct {
	mu      sync.Mutex
	tickets map[int]*ticket
}

// TicketOk hands one out.
func (b *counterDesk) TicketOk(nr int) *ticket {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.tickets[nr]
	if t == nil {
		t = &ticket{nr: nr, marks: map[int]bool{}}
		b.tickets[nr] = t
	}
	t.uses.Add(1)
	return t
}

// MarkOk marks it.
func (t *ticket) MarkOk(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.marks[n] = true
}

// UnmarkOk takes a mark back.
func (t *ticket) UnmarkOk(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.marks, n)
}

// ReturnBad counts outside of the lock: the ticket may be handed out again before it goes.
func (b *counterDesk) ReturnBad(t *ticket) {
	if t.uses.Add(-1) != 0 {
		return
	}
	b.mu.Lock()
	delete(b.tickets, t.nr)
	b.mu.Unlock()
	for n := range t.marks { // want `check-then-act: t.marks is ranged over here.*, low`
		delete(t.marks, n)
	}
}

// A coat is handed out by one who does not count.
type coat struct {
	nr    int
	refs  int
	mu    sync.Mutex
	inner map[int]bool
}

type wardrobe struct {
	mu    sync.Mutex
	coats map[int]*coat
}

// CoatOk counts.
func (w *wardrobe) CoatOk(nr int) *coat {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.coats[nr]
	if c == nil {
		c = &coat{nr: nr, inner: map[int]bool{}}
		w.coats[nr] = c
	}
	c.refs++
	return c
}

// PeekOk does not.
func (w *wardrobe) PeekOk(nr int) *coat {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.coats[nr]
}

// PocketOk puts something in.
func (c *coat) PocketOk(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inner[n] = true
}

// UnpocketOk takes it out.
func (c *coat) UnpocketOk(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.inner, n)
}

// HangBad may meet one who has peeked.
func (w *wardrobe) HangBad(c *coat) {
	w.mu.Lock()
	c.refs--
	last := c.refs == 0
	if last {
		delete(w.coats, c.nr)
	}
	w.mu.Unlock()
	if last {
		for n := range c.inner { // want `check-then-act: c.inner is ranged over here.*, low`
			delete(c.inner, n)
		}
	}
}

// A gate counts those who are inside right now: more may come when none is.
type gate struct {
	inside atomic.Int32
	mu     sync.Mutex
	seen   map[string]bool
}

// PassBad clears up while the next one comes in.
func (g *gate) PassBad(name string) {
	g.inside.Add(1)
	g.mu.Lock()
	g.seen[name] = true
	g.mu.Unlock()
	if g.inside.Add(-1) == 0 {
		for n := range g.seen { // want `check-then-act: g.seen is ranged over here`
			delete(g.seen, n)
		}
	}
}

// A poll is over when the last one has answered.
type poll struct {
	mu      sync.Mutex
	answers map[int]string
	open    atomic.Int32
	told    func(int)
}

func (p *poll) answerOk(i int, text string) {
	p.mu.Lock()
	p.answers[i] = text
	p.mu.Unlock()
	if n := p.open.Add(-1); n == 0 {
		p.endOk()
	}
}

func (p *poll) endOk() {
	for i, text := range p.answers {
		if text == "" {
			delete(p.answers, i)
		}
	}
	p.told(len(p.answers))
}

// AskOk asks all, and does not wait.
func AskOk(voters []func() string, told func(int)) {
	p := &poll{answers: map[int]string{}, told: told}
	p.open.Store(int32(len(voters)))
	for i, v := range voters {
		go func() { p.answerOk(i, v()) }()
	}
}

// A survey counts its answers down before they are noted.
type survey struct {
	mu      sync.Mutex
	answers map[int]string
	open    atomic.Int32
}

func (s *survey) answer(i int, text string) {
	last := s.open.Add(-1) == 0
	s.mu.Lock()
	s.answers[i] = text
	s.mu.Unlock()
	if last {
		s.endBad()
	}
}

func (s *survey) endBad() {
	for i, text := range s.answers { // want `check-then-act: s.answers is ranged over here`
		if text == "" {
			delete(s.answers, i)
		}
	}
}

// SurveyOk asks all.
func SurveyOk(voters []func() string) {
	s := &survey{answers: map[int]string{}}
	s.open.Store(int32(len(voters)))
	for i, v := range voters {
		go func() { s.answer(i, v()) }()
	}
}

// A vote is looked at by who has started it, too.
type vote struct {
	mu   sync.Mutex
	yes  map[int]bool
	open atomic.Int32
}

func (v *vote) castBad(i int) {
	v.mu.Lock()
	v.yes[i] = true
	v.mu.Unlock()
	if v.open.Add(-1) == 0 {
		for i, yes := range v.yes { // want `check-then-act: v.yes is ranged over here`
			if !yes {
				delete(v.yes, i)
			}
		}
	}
}

// CastAllOk looks before all have cast.
func CastAllOk(n int) int {
	v := &vote{yes: map[int]bool{}}
	v.open.Store(int32(n))
	for i := range n {
		go func() { v.castBad(i) }()
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.yes)
}
