// Package made has objects that others know, and that the goroutine alone changes which made them.
package made

import "sync"

// Session is one connection's: the goroutine that makes it changes its streams, under the lock since
// others look at them, and looks at them itself without.
type Session struct {
	mu      sync.Mutex
	streams map[int]string
	closing bool
}

var sessions = struct {
	sync.Mutex
	all []*Session
}{}

func join(s *Session) {
	sessions.Lock()
	defer sessions.Unlock()
	sessions.all = append(sessions.all, s)
}

// StatsOk is called by anyone.
func StatsOk() (n int) {
	sessions.Lock()
	all := append([]*Session(nil), sessions.all...)
	sessions.Unlock()
	for _, s := range all {
		s.mu.Lock()
		for range s.streams {
			n++
		}
		s.mu.Unlock()
	}
	return n
}

// ServeOk runs in a goroutine for each connection.
func ServeOk(messages <-chan int) {
	s := &Session{streams: map[int]string{}}
	join(s)
	defer func() { s.closing = true }()
	loopOk(s, messages)
}

func loopOk(s *Session, messages <-chan int) {
	defer leaveOk(s)
	for m := range messages {
		if m < 0 {
			leaveOk(s)
			continue
		}
		openOk(s, m)
		restOk(s)
	}
}

func openOk(s *Session, id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.streams[id]; !ok {
		s.streams[id] = "open"
	}
}

func closeOk(s *Session, id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.streams, id)
}

func leaveOk(s *Session) {
	for id := range s.streams {
		closeOk(s, id)
	}
}

// restOk closes in a literal that it calls itself.
func restOk(s *Session) {
	last := -1
	defer func() {
		if last >= 0 {
			closeOk(s, last)
		}
	}()
	for id := range s.streams {
		last = max(last, id)
	}
}

// Channel is like Session, but a goroutine that its maker starts closes a stream.
type Channel struct {
	mu      sync.Mutex
	streams map[int]string
}

var channels = struct {
	sync.Mutex
	all []*Channel
}{}

// Channels is called by anyone.
func Channels() (n int) {
	channels.Lock()
	defer channels.Unlock()
	for _, c := range channels.all {
		c.mu.Lock()
		for range c.streams {
			n++
		}
		c.mu.Unlock()
	}
	return n
}

// ServeChannel runs in a goroutine for each connection.
func ServeChannel(messages <-chan int) {
	c := &Channel{streams: map[int]string{}}
	channels.Lock()
	channels.all = append(channels.all, c)
	channels.Unlock()
	for m := range messages {
		c.open(m)
		go c.expire(m)
		c.walkBad()
	}
}

func (c *Channel) open(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.streams[id] = "open"
}

func (c *Channel) expire(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.streams, id)
}

func (c *Channel) walkBad() {
	for id := range c.streams { // want `unguarded-access: c.streams is ranged over without mu`
		println(id)
	}
}

// Conn is like Session, but one of its methods is also called on those that others have made.
type Conn struct {
	mu      sync.Mutex
	streams map[int]string
}

var conns = struct {
	sync.Mutex
	all []*Conn
}{}

// ServeConn runs in a goroutine for each connection.
func ServeConn(messages <-chan int) {
	c := &Conn{streams: map[int]string{}}
	conns.Lock()
	conns.all = append(conns.all, c)
	conns.Unlock()
	for m := range messages {
		c.open(m)
		c.walkBad()
	}
}

// Reset is called by anyone.
func Reset() {
	conns.Lock()
	defer conns.Unlock()
	for _, c := range conns.all {
		c.open(0)
	}
}

func (c *Conn) open(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.streams[id] = "open"
}

func (c *Conn) walkBad() {
	for id := range c.streams { // want `unguarded-access: c.streams is ranged over without mu`
		println(id)
	}
}

// Pool is a part that several objects have in common: who makes one of these does not make it.
type Pool struct {
	mu   sync.Mutex
	free map[int]bool
}

type client struct{ pool *Pool }

// Serve runs in a goroutine for each client.
func (p *Pool) Serve(ids <-chan int) {
	c := &client{pool: p}
	for id := range ids {
		c.takeBad(id)
		c.pool.GiveBack(id)
	}
}

// GiveBack is called by anyone.
func (p *Pool) GiveBack(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free[id] = true
}

// Drop is called by anyone.
func (p *Pool) Drop(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.free, id)
}

func (c *client) takeBad(id int) bool {
	return c.pool.free[id] // want `unguarded-access: c.pool.free is read without mu.*, low`
}

// Room is one of those that all know.
type Room struct {
	mu   sync.Mutex
	seen map[string]bool
}

var rooms struct {
	sync.Mutex
	all []*Room
}

func enter(r *Room) {
	rooms.Lock()
	defer rooms.Unlock()
	rooms.all = append(rooms.all, r)
}

func firstRoom() *Room {
	rooms.Lock()
	defer rooms.Unlock()
	return rooms.all[0]
}

func see(r *Room, who string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[who] = true
}

func lookBad(r *Room) (n int) {
	for range r.seen { // want `unguarded-access: r.seen is ranged over without mu`
		n++
	}
	return n
}

// Visit makes a room, and may go to another one: its variable is captured, and set twice.
func Visit(names []string) {
	r := &Room{seen: map[string]bool{}}
	enter(r)
	defer func() { println(lookBad(r)) }()
	if len(names) > 1 {
		r = firstRoom()
	}
	for _, n := range names {
		see(r, n)
	}
}

// Hall gets its map, which others have as well.
type Hall struct {
	mu   *sync.Mutex
	seen map[string]bool
}

var halls []*Hall

// Open makes one with a map that it gets.
func Open(mu *sync.Mutex, seen map[string]bool, names []string) {
	h := &Hall{mu: mu, seen: seen}
	halls = append(halls, h)
	for _, n := range names {
		h.add(n)
		h.countBad()
	}
}

func (h *Hall) add(who string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen[who] = true
}

func (h *Hall) countBad() (n int) {
	for range h.seen { // want `unguarded-access: h.seen is ranged over without mu`
		n++
	}
	return n
}

// Desk has a map that is used by another name, too.
type Desk struct {
	mu    sync.Mutex
	notes map[string]string
}

var desks struct {
	sync.Mutex
	all []*Desk
}

// Sit makes one.
func Sit(names []string) {
	d := &Desk{notes: map[string]string{}}
	desks.Lock()
	desks.all = append(desks.all, d)
	desks.Unlock()
	for _, n := range names {
		d.write(n)
		d.readBad()
	}
}

func (d *Desk) write(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes[name] = name
}

func (d *Desk) readBad() (n int) {
	for range d.notes { // want `unguarded-access: d.notes is ranged over without mu`
		n++
	}
	return n
}

// Wipe is called by anyone.
func Wipe(with func(map[string]string)) {
	desks.Lock()
	defer desks.Unlock()
	for _, d := range desks.all {
		d.mu.Lock()
		with(d.notes)
		d.mu.Unlock()
	}
}
