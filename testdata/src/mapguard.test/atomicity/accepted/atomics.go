package accepted

import (
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
)

// Load, then an atomic step.

type cache struct {
	m     sync.Map // of *conn
	tasks sync.Map // of *task
	marks sync.Map // of struct{}
	slots sync.Map // of *conn, nil while it is made
}

func (c *cache) loadOrStoreOk(k string) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	fresh := dial(k)
	v, loaded := c.m.LoadOrStore(k, fresh)
	if loaded {
		fresh.Close()
	}
	return v.(*conn)
}

type task struct {
	once sync.Once
	done chan struct{}
	val  *conn
}

func (t *task) run(k string) {
	t.val = dial(k)
	close(t.done)
}

// What is to happen once happens under !loaded.
func (c *cache) startOk(k string) *conn {
	v, ok := c.tasks.Load(k)
	if !ok {
		var loaded bool
		v, loaded = c.tasks.LoadOrStore(k, &task{done: make(chan struct{})})
		if !loaded {
			go v.(*task).run(k)
		}
	}
	t := v.(*task)
	<-t.done
	return t.val
}

func (c *cache) onceInsideOk(k string) *conn {
	v, _ := c.tasks.LoadOrStore(k, &task{})
	t := v.(*task)
	t.once.Do(func() { t.val = dial(k) })
	return t.val
}

// The one that has stored it may take it away again.
func (c *cache) storedAndDeletedOk(k string) {
	if _, loaded := c.marks.LoadOrStore(k, struct{}{}); loaded {
		return
	}
	defer c.marks.Delete(k)
	dial(k).Close()
}

func (c *cache) filledByWinnerOk(k string) {
	if _, loaded := c.slots.LoadOrStore(k, (*conn)(nil)); !loaded {
		c.slots.Store(k, dial(k))
	}
}

func (c *cache) loadAndDeleteOk(k string) {
	if v, loaded := c.m.LoadAndDelete(k); loaded {
		v.(*conn).Close()
	}
}

func (c *cache) loadThenLoadAndDeleteOk(k string) {
	if _, ok := c.m.Load(k); !ok {
		return
	}
	if v, loaded := c.m.LoadAndDelete(k); loaded {
		v.(*conn).Close()
	}
}

func (c *cache) compareAndDeleteOk(k string) {
	v, ok := c.m.Load(k)
	if ok && v.(*conn).dead && c.m.CompareAndDelete(k, v) {
		v.(*conn).Close()
	}
}

func (c *cache) compareAndSwapOk(k string) *conn {
	for {
		v, ok := c.m.Load(k)
		if !ok {
			if v, loaded := c.m.LoadOrStore(k, dial(k)); !loaded {
				return v.(*conn)
			}
			continue
		}
		next := &conn{id: v.(*conn).id + 1}
		if c.m.CompareAndSwap(k, v, next) {
			return next
		}
	}
}

// A counter beside the map counts under what the atomic step says.

type sized struct {
	m sync.Map // of *conn
	n atomic.Int64
}

func (s *sized) addOk(k string) {
	if _, loaded := s.m.LoadOrStore(k, dial(k)); !loaded {
		s.n.Add(1)
	}
}

func (s *sized) sweepOk() {
	s.m.Range(func(k, v any) bool {
		if v.(*conn).dead && s.m.CompareAndDelete(k, v) {
			s.n.Add(-1)
		}
		return true
	})
}

// Dead ones make way until there is a live one.
func (s *sized) liveOk(k string) *conn {
	for {
		v, loaded := s.m.LoadOrStore(k, dial(k))
		if c := v.(*conn); !loaded || !c.dead {
			return c
		}
		s.m.CompareAndDelete(k, v)
	}
}

// The key is the caller's own.
func (s *sized) trackOk(c *conn, f func()) {
	s.m.Store(c, c)
	defer s.m.Delete(c)
	f()
}

// Per-key locks.

type keyed struct {
	locks sync.Map // of *sync.Mutex
	mu    sync.RWMutex
	m     map[string]*conn // guarded by mu
}

func (y *keyed) lock(k string) func() {
	l, _ := y.locks.LoadOrStore(k, new(sync.Mutex))
	mu := l.(*sync.Mutex)
	mu.Lock()
	return mu.Unlock
}

func (y *keyed) get(k string) *conn { y.mu.RLock(); defer y.mu.RUnlock(); return y.m[k] }

func (y *keyed) set(k string, c *conn) { y.mu.Lock(); defer y.mu.Unlock(); y.m[k] = c }

func (y *keyed) ensureOk(k string) *conn {
	defer y.lock(k)()
	c := y.get(k)
	if c == nil {
		c = dial(k)
		y.set(k, c)
	}
	return c
}

func (y *keyed) ensureInlineOk(k string) *conn {
	l, _ := y.locks.LoadOrStore(k, new(sync.Mutex))
	mu := l.(*sync.Mutex)
	mu.Lock()
	defer mu.Unlock()
	if c := y.get(k); c != nil {
		return c
	}
	c := dial(k)
	y.set(k, c)
	return c
}

// Striped locks.
type striped struct {
	stripes [16]sync.Mutex
	mu      sync.RWMutex
	m       map[string]*conn // guarded by mu
}

func (s *striped) stripe(k string) *sync.Mutex { return &s.stripes[len(k)%len(s.stripes)] }

func (s *striped) get(k string) *conn { s.mu.RLock(); defer s.mu.RUnlock(); return s.m[k] }

func (s *striped) set(k string, c *conn) { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = c }

func (s *striped) ensureOk(k string) *conn {
	l := s.stripe(k)
	l.Lock()
	defer l.Unlock()
	c := s.get(k)
	if c == nil {
		c = dial(k)
		s.set(k, c)
	}
	return c
}

// Single flight, of the library and by hand.

type flights struct {
	group singleflight.Group
	mu    sync.Mutex
	m     map[string]*conn // guarded by mu
	calls map[string]*task // guarded by mu
}

func (f *flights) get(k string) *conn { f.mu.Lock(); defer f.mu.Unlock(); return f.m[k] }

func (f *flights) set(k string, c *conn) { f.mu.Lock(); defer f.mu.Unlock(); f.m[k] = c }

func (f *flights) groupOk(k string) *conn {
	v, _, _ := f.group.Do(k, func() (any, error) {
		c := f.get(k)
		if c == nil {
			c = dial(k)
			f.set(k, c)
		}
		return c, nil
	})
	return v.(*conn)
}

// The flights' map may be a concurrent one.
type flown struct {
	group singleflight.Group
	m     sync.Map
}

func (f *flown) groupOk(k string) *conn {
	if v, ok := f.m.Load(k); ok {
		return v.(*conn)
	}
	v, _, _ := f.group.Do(k, func() (any, error) {
		if v, ok := f.m.Load(k); ok {
			return v, nil
		}
		c := dial(k)
		f.m.Store(k, c)
		return c, nil
	})
	return v.(*conn)
}

func (f *flights) byHandOk(k string) *conn {
	f.mu.Lock()
	if t, ok := f.calls[k]; ok {
		f.mu.Unlock()
		<-t.done
		return t.val
	}
	t := &task{done: make(chan struct{})}
	f.calls[k] = t
	f.mu.Unlock()

	t.run(k)

	f.mu.Lock()
	delete(f.calls, k)
	f.mu.Unlock()
	return t.val
}

// The first one reserves the place, and fills it.
type reserved struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu; nil while it is made
}

func (r *reserved) makeOk(k string) (c *conn, ready bool) {
	r.mu.Lock()
	c, ok := r.m[k]
	if ok {
		r.mu.Unlock()
		return c, c != nil
	}
	r.m[k] = nil
	r.mu.Unlock()
	c = dial(k)
	r.mu.Lock()
	r.m[k] = c
	r.mu.Unlock()
	return c, true
}

// Fresh and unique keys belong to one goroutine.

type requests struct {
	next  atomic.Uint64
	mu    sync.Mutex
	last  uint64                // guarded by mu
	wait  map[uint64]chan *conn // guarded by mu
	known map[uint64]*conn      // guarded by mu
	names map[string]*conn      // guarded by mu
}

func (r *requests) callOk(send func(uint64) error) *conn {
	id := r.next.Add(1)
	ch := make(chan *conn, 1)
	r.mu.Lock()
	r.wait[id] = ch
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.wait, id)
		r.mu.Unlock()
	}()
	if send(id) != nil {
		return nil
	}
	return <-ch
}

func (r *requests) newID() uint64 { r.mu.Lock(); defer r.mu.Unlock(); r.last++; return r.last }

func (r *requests) has(id uint64) bool { r.mu.Lock(); defer r.mu.Unlock(); return r.known[id] != nil }

func (r *requests) put(id uint64, c *conn) { r.mu.Lock(); defer r.mu.Unlock(); r.known[id] = c }

// Looking whether it is really new is only to be sure.
func (r *requests) freshKeyOk() uint64 {
	id := r.newID()
	if r.has(id) {
		panic("twice: " + strconv.FormatUint(id, 10))
	}
	r.put(id, &conn{})
	return id
}

// The key is a pointer that was made here.
type set struct {
	mu sync.Mutex
	m  map[*conn]bool // guarded by mu
}

func (s *set) addOk() *conn {
	c := dial("")
	s.mu.Lock()
	s.m[c] = true
	s.mu.Unlock()
	return c
}

// A search for a name that is free: another one finds it, too. As the
// name changes from round to round, it is not known to be one key.
// It would take knowing that a loop ends with the value that its condition has
// just asked for.
func (r *requests) FN_freeNameBad(base string, c *conn) string {
	name := base
	for i := 1; r.named(name); i++ {
		name = base + strconv.Itoa(i)
	}
	r.name(name, c)
	return name
}

func (r *requests) named(k string) bool { r.mu.Lock(); defer r.mu.Unlock(); return r.names[k] != nil }

func (r *requests) name(k string, c *conn) { r.mu.Lock(); defer r.mu.Unlock(); r.names[k] = c }

func (r *requests) freeNameOk(base string, c *conn) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := base
	for i := 1; r.names[name] != nil; i++ {
		name = base + strconv.Itoa(i)
	}
	r.names[name] = c
	return name
}
