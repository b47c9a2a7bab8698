package refused

import "sync"

type file struct{ open bool }

func (f *file) Close() error { return nil }

func open(k string) *file { return &file{true} }

func dial(k string) *conn { return &conn{len(k)} }

func (c *conn) start() {}

type worker struct{ done chan struct{} }

func startWorker() *worker { return &worker{make(chan struct{})} }

type holder struct{ f *file }

var known = map[string]*conn{}

// It is copied, and so gets no mutex under which entries are made in turn.
type cache struct {
	m sync.Map
	n int
}

func (c cache) size() int { return c.n }

// The loser's file would stay open.
func (c *cache) resourceBad(k string) *file {
	if v, ok := c.m.Load(k); ok {
		return v.(*file)
	}
	f := open(k)
	c.m.Store(k, f) // want `sync-map: .*`
	return f
}

func (c *cache) heldResourceBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(k, &holder{open(k)}) // want `sync-map: .*`
	}
}

// A goroutine may wait on it.
func (c *cache) workerBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(k, startWorker()) // want `sync-map: .*`
	}
}

func (c *cache) startedBad(k string) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	v.start()
	c.m.Store(k, v) // want `sync-map: .*`
	return v
}

func (c *cache) givenAwayBad(k string) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	v := dial(k)
	list := []*conn{v}
	c.m.Store(k, v) // want `sync-map: .*`
	println(len(list))
	return v
}

func (c *cache) capturedBad(k string) func() *conn {
	if v, ok := c.m.Load(k); ok {
		return func() *conn { return v.(*conn) }
	}
	v := dial(k)
	c.m.Store(k, v) // want `sync-map: .*`
	return func() *conn { return v }
}

func (c *cache) namedResultBad(k string) (v *conn) {
	if old, ok := c.m.Load(k); ok {
		return old.(*conn)
	}
	v = dial(k)
	c.m.Store(k, v) // want `sync-map: .*`
	return
}

// Something else depends on who stored.
func (c *cache) countedBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(k, dial(k)) // want `sync-map: .*`
		c.n++
		println(c.n)
	}
}

func (c *cache) partBad(k string) *conn {
	if _, ok := c.m.Load(k); ok {
		return nil
	}
	v := dial(k)
	c.m.Store(k, []*conn{v}) // want `sync-map: .*`
	return v
}

// Nothing says what the map holds.
func (c *cache) untypedBad(k string) *conn {
	if _, ok := c.m.Load(k); ok {
		return nil
	}
	v := dial(k)
	c.m.Store(k, v) // want `sync-map: .*`
	return v
}

// More than presence decides.
func (c *cache) contentBad(k string) *conn {
	v, ok := c.m.Load(k)
	if ok && v.(*conn).id > 3 {
		return v.(*conn)
	}
	d := dial(k)
	c.m.Store(k, d) // want `sync-map: .*`
	return d
}

func (c *cache) counterBad(k string) {
	v, _ := c.m.Load(k)
	n, _ := v.(int)
	c.m.Store(k, n+1) // want `sync-map: .*CompareAndSwap`
}

// The key has an effect.
func (c *cache) keyBad(next func() string) {
	if _, ok := c.m.Load(next()); !ok {
		c.m.Store(next(), &conn{}) // want `sync-map: .*`
	}
}

func (c *cache) keyChangesBad(k string) {
	_, ok := c.m.Load(k)
	if !ok {
		k += "/"
		c.m.Store(k, &conn{}) // want `sync-map: .*`
	}
}

// Each round stores, after one look.
func (c *cache) loopBad(k string, cs []*conn) {
	if _, ok := c.m.Load(k); ok {
		return
	}
	for range cs {
		c.m.Store(k, &conn{}) // want `sync-map: .*`
	}
}

// The map is used a third time in between.
func (c *cache) thirdBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Clear()
		c.m.Store(k, &conn{}) // want `sync-map: .*`
	}
}

// What marks the key says who took it, and is made behind the look.
func (c *cache) whoBad(k string, who func() string) bool {
	if _, ok := c.m.Load(k); ok {
		return false
	}
	c.m.Store(k, who()) // want `sync-map: .*`
	println(k)
	return true
}

// Any code that gets the map may store.
func (c *cache) handedBad(k string, fill func(*sync.Map)) {
	if _, ok := c.m.Load(k); !ok {
		fill(&c.m)
		c.m.Store(k, &conn{}) // want `sync-map: .*`
	}
}

// mark stores too, and what it stores is to be replaced.
func (c *cache) mark(k string) { c.m.Store(k, nil) }

func (c *cache) helperBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.mark(k)
		c.m.Store(k, &conn{}) // want `sync-map: .*`
	}
}

// The outcome is changed by hand.
func (c *cache) overruledBad(k string, force bool) {
	_, ok := c.m.Load(k)
	if force {
		ok = false
	}
	if !ok {
		c.m.Store(k, &conn{}) // want `sync-map: .*`
	}
}

func (c *cache) deleteLaterBad(k string) {
	if v, ok := c.m.Load(k); ok {
		v.(*conn).start()
		c.m.Delete(k) // want `sync-map: .*`
	}
}

func (c *cache) deleteSometimesBad(k string, keep bool) *conn {
	v, ok := c.m.Load(k)
	if !ok {
		return nil
	}
	if !keep {
		c.m.Delete(k) // want `sync-map: .*`
	}
	return v.(*conn)
}

func (c *cache) fieldKeyBad(r *conn) {
	if _, ok := c.m.Load(r.id); !ok {
		r.next()
		c.m.Store(r.id, &conn{}) // want `sync-map: .*`
	}
}

func (c *conn) next() { c.id++ }

func (c *cache) addressBad(k string, fill func(**conn)) *conn {
	if v, ok := c.m.Load(k); ok {
		return v.(*conn)
	}
	var v *conn
	p := &v
	defer fill(p)
	v = dial(k)
	c.m.Store(k, v) // want `sync-map: .*`
	return v
}

func (c *cache) gotoBad(k string, n int) {
	_, ok := c.m.Load(k)
again:
	if !ok {
		n--
		c.m.Store(k, &conn{id: n}) // want `sync-map: .*`
	}
	if n > 0 {
		goto again
	}
}

func handedOnBad(k string, fill func(*sync.Map)) {
	if _, ok := table.m.Load(k); !ok {
		fill(table.m)
		table.m.Store(k, &conn{}) // want `sync-map: .*`
	}
}

var table = struct{ m *sync.Map }{new(sync.Map)}

// The parameter is used once more, at the end.
func (c *cache) deferredUseBad(k string, p *conn) {
	defer func() { p.start() }()
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(k, p) // want `sync-map: .*`
	}
}

// Unwrapped, it would stand behind an else.
func (c *cache) elseDeleteBad(k string) {
	if k == "" {
		println()
	} else if _, ok := c.m.Load(k); ok {
		c.m.Delete(k) // want `sync-map: .*`
	}
}

// What outlives the loop may be used again.
func (c *cache) outliveBad(ks []string) {
	var last *conn
	for _, k := range ks {
		if last != nil {
			last.start()
		}
		if _, ok := c.m.Load(k); !ok {
			last = dial(k)
			c.m.Store(k, last) // want `sync-map: .*`
		}
	}
}

func both(k string) (string, *conn) { return k, dial(k) }

// The arguments are not written one by one.
func (c *cache) spreadBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(both(k)) // want `sync-map: .*`
	}
}

// Nor is the map where it usually is.
func (c *cache) expressionBad(k string) {
	if _, ok := c.m.Load(k); !ok {
		(*sync.Map).Store(&c.m, k, &conn{}) // want `sync-map: .*`
	}
}

// What is found may be of a type that cannot be compared.
func (c *cache) anyBad(k string) {
	v, ok := c.m.Load(k)
	if !ok {
		return
	}
	c.m.Store(k, []any{v}) // want `sync-map: .*`
}

// A number may be different from itself.
func (c *cache) floatBad(k string) {
	v, ok := c.m.Load(k)
	if !ok {
		return
	}
	c.m.Store(k, v.(float64)+1) // want `sync-map: .*`
}

// The computation has an effect.
func (c *cache) effectBad(k string) {
	v, ok := c.m.Load(k)
	if !ok {
		return
	}
	c.n++
	c.m.Store(k, v.(int)+c.n) // want `sync-map: .*`
}

// What was stored is used afterwards.
func (c *cache) usedBad(k string) {
	v, ok := c.m.Load(k)
	if !ok {
		return
	}
	n := v.(int) + 1
	c.m.Store(k, n) // want `sync-map: .*`
	println(n)
}

// The caller learns that the entry went.
func (c *cache) toldBad(k string) bool {
	if v, ok := c.m.Load(k); ok && v.(*conn).id > 3 {
		c.m.Delete(k) // want `sync-map: .*`
		return true
	}
	return false
}

type marked struct{ seen, Moved sync.Map }

// What is stored takes a call that may do anything, so it stays behind the look, and both would be told yes.
func (s *marked) madeBad(name string, mark func() string) bool {
	if _, ok := s.seen.Load(name); !ok {
		s.seen.Store(name, mark()) // want `sync-map: .*`
		return true
	}
	return false
}

// The names can be others by then.
func (s *marked) movedBad(names, others []string) (out []string) {
	for i := range names {
		if _, ok := s.Moved.Load(names[i]); !ok {
			others[0] = "moved"
			s.Moved.Store(names[i], true) // want `sync-map: .*`
			out = append(out, names[i])
		}
	}
	return out
}

type user struct{ name string }

// The maps are exported: no mutex in the package keeps out all that change them.
type notes struct{ Users, Firsts sync.Map }

// The value is worked out only where there is none: the user may be nil elsewhere.
func (n *notes) userBad(id string, u *user) bool {
	if _, ok := n.Users.Load(id); !ok {
		n.Users.Store(id, u.name) // want `sync-map: .*`
		println("new")
		return true
	}
	return false
}

// The outcome of the look is asked once more.
func (n *notes) firstBad(k string) bool {
	_, ok := n.Firsts.Load(k)
	if !ok {
		n.Firsts.Store(k, 1) // want `sync-map: .*`
	}
	return !ok
}
