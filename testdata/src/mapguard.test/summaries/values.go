package summaries

// calls calls its argument at once.
func calls(f func()) { f() }

// callsWith passes a map on.
func callsWith(m map[string]*conn, f func(map[string]*conn)) { f(m) }

func (p *Pool) immediateClosureBad(k string) {
	if p.get(k) == nil {
		func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.m[k] = &conn{} // want `split-lock: .*p\.m`
		}()
	}
}

func (p *Pool) immediateClosureOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	func() {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	}()
}

func (p *Pool) passedClosureOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	calls(func() {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	})
}

func (p *Pool) passedClosureBad(k string) {
	calls(func() {
		if p.m[k] == nil { // want `check-then-act: .*p\.m`
			p.m[k] = &conn{}
		}
	})
}

func (p *Pool) closureWithMapOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	callsWith(p.m, func(m map[string]*conn) {
		if m[k] == nil {
			m[k] = &conn{}
		}
	})
}

func (p *Pool) closureVariableOk(k string) {
	add := func() {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	}
	p.mu.Lock()
	add()
	p.mu.Unlock()
}

func (p *Pool) closureVariableBad(k string) {
	add := func() {
		if p.m[k] == nil { // want `check-then-act: .*p\.m`
			p.m[k] = &conn{}
		}
	}
	p.mu.Lock()
	p.mu.Unlock()
	add()
}

// all yields the entries, the lock held.
func (p *Pool) all(yield func(string, *conn) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k, c := range p.m {
		if !yield(k, c) {
			return
		}
	}
}

// allUnlocked yields keys without any lock.
func keysOf(keys []string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, k := range keys {
			if !yield(k) {
				return
			}
		}
	}
}

func (p *Pool) rangeOverFuncOk() {
	for k, c := range p.all {
		if c == nil {
			delete(p.m, k)
		}
	}
}

func (p *Pool) rangeOverFuncBad(keys []string) {
	for k := range keysOf(keys) {
		if p.m[k] == nil { // want `check-then-act: .*p\.m`
			p.m[k] = &conn{}
		}
	}
}

func (p *Pool) rangeOverFuncLockedOk(keys []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := range keysOf(keys) {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	}
}

func (p *Pool) methodValueBad(k string) {
	check, act := p.get, p.put
	if check(k) == nil {
		act(k, &conn{}) // want `split-lock: .*p\.m`
	}
}

func (p *Pool) methodExpressionBad(k string) {
	if (*Pool).get(p, k) == nil {
		(*Pool).put(p, k, &conn{}) // want `split-lock: .*p\.m`
	}
}

func (p *Pool) methodValueUnderLockOk(k string) {
	find, store := p.find, p.store
	p.mu.Lock()
	defer p.mu.Unlock()
	if find(k) == nil {
		store(k)
	}
}

// A backend has one implementer here, and it is not exported.
type backend interface {
	lookup1(k string) *conn
	insert1(k string, c *conn)
}

func (p *Pool) lookup1(k string) *conn { return p.get(k) }

func (p *Pool) insert1(k string, c *conn) { p.put(k, c) }

func interfaceBad(b backend, k string) {
	if b.lookup1(k) == nil {
		b.insert1(k, &conn{}) // want `split-lock: .*m`
	}
}

// A source has two implementers here; both check and act.
type source interface {
	fetch(k string) *conn
	save(k string, c *conn)
}

type left struct{ p Pool }

func (l *left) fetch(k string) *conn   { return l.p.get(k) }
func (l *left) save(k string, c *conn) { l.p.put(k, c) }

type right struct{ p Pool }

func (r *right) fetch(k string) *conn   { return r.p.get(k) }
func (r *right) save(k string, c *conn) { r.p.put(k, c) }

func twoImplementersBad(s source, k string) {
	if s.fetch(k) == nil {
		s.save(k, &conn{}) // want `split-lock: .*m`
	}
}

// An ensurer looks again when it acts, whatever implements it.
type ensurer interface {
	probe(k string) *conn
	ensure(k string) *conn
}

func (l *left) probe(k string) *conn  { return l.p.get(k) }
func (l *left) ensure(k string) *conn { return l.p.getOrPut(k) }

func interfaceOk(e ensurer, k string) *conn {
	if c := e.probe(k); c != nil {
		return c
	}
	return e.ensure(k)
}

// A getter is a struct of functions.
type getter struct {
	get func(string) *conn
	put func(string, *conn)
}

// The functions are fields of a local struct.
func (p *Pool) FunctionFieldsBad(k string) {
	g := getter{p.get, p.put}
	if g.get(k) == nil {
		g.put(k, &conn{}) // want `split-lock: .*p\.m`
	}
}
