package guards

import "sync"

// A cluster has streams, whose consumers are under its lock.
type cluster struct {
	mu      sync.RWMutex // protects streams and what is in them
	streams map[string]*stream
}

type stream struct {
	consumers map[string]int
}

func (c *cluster) stream(name string) *stream { return c.streams[name] }

func (c *cluster) join(name, who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.streams[name].consumers[who]++
}

func (c *cluster) leave(name, who string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.streams[name].consumers, who)
}

// An office asks a cluster.
type office struct{ at *cluster }

func (d *office) cluster() *cluster { return d.at }

// KnownBad takes the lock by a name of its own, and gives it back too early.
func (d *office) KnownBad(name, who string) int {
	c := d.cluster()
	if c == nil {
		return 0
	}
	c.mu.RLock()
	s := c.stream(name)
	c.mu.RUnlock()
	if s == nil {
		return 0
	}
	return s.consumers[who] // want `unguarded-access: .*`
}

// StreamSizeBad has the cluster as its parameter.
func StreamSizeBad(c *cluster, name string) int {
	s := c.stream(name)
	return len(s.consumers) // want `unguarded-access: .*`
}

// Run lets goroutines come and go.
func Run(d *office) {
	for range 4 {
		go d.at.join("a", "b")
		go d.at.leave("a", "b")
		go func() { println(d.KnownBad("a", "b"), StreamSizeBad(d.at, "a")) }()
	}
}

// A shelfOf keeps values under one lock, and gives them out.
type shelfOf[T any] struct {
	sync.Mutex
	m map[string]T
}

func (s *shelfOf[T]) Load(k string) (T, bool) {
	s.Lock()
	defer s.Unlock()
	v, ok := s.m[k]
	return v, ok
}

var settings = &shelfOf[map[string]int]{m: make(map[string]map[string]int)}

// SetOne changes what the shelf keeps, under its lock.
func SetOne(user, k string) {
	settings.Lock()
	defer settings.Unlock()
	if settings.m[user] == nil {
		settings.m[user] = make(map[string]int)
	}
	settings.m[user][k]++
}

// Unset does the same.
func Unset(user, k string) {
	settings.Lock()
	defer settings.Unlock()
	delete(settings.m[user], k)
}

// One is for others.
func One(user string) int { return oneBad(user) }

// oneBad looks into what the shelf gave it.
func oneBad(user string) int {
	own, ok := settings.Load(user)
	if !ok {
		return 0
	}
	return own["one"] // want `unguarded-access: .*`
}

// A porter carries what others give it.
type porter struct{ carried int }

// A load is carried by porters.
type load struct {
	mu    sync.Mutex // protects parts
	parts map[string]int
}

// weigh is called with l.mu held.
func (p *porter) weigh(name string, l *load) { p.carried += l.parts[name] }

func (l *load) add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.parts[name]++
}

func (p *porter) first(l *load) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.weigh("first", l)
}

func (p *porter) last(l *load) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p.weigh("last", l)
}

func (p *porter) anyBad(l *load) {
	p.weigh("any", l) // want `unguarded-access: .*`
}

// Carry has loads carried while they are made.
func Carry(l *load) {
	for range 4 {
		go l.add("first")
		go func() {
			p := &porter{}
			p.first(l)
			p.last(l)
			p.anyBad(l)
		}()
	}
}
