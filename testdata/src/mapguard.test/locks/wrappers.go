package locks

import "sync"

// lock locks and returns the unlocking function.
func (p *plain) lock() func() {
	p.mu.Lock()
	return p.mu.Unlock
}

// lockClosure returns a closure that unlocks.
func (p *plain) lockClosure() func() {
	p.mu.Lock()
	return func() { p.mu.Unlock() }
}

func (p *plain) acquire() { p.mu.Lock() }

func (p *plain) release() { p.mu.Unlock() }

func (p *plain) wrappersOk(k string) {
	p.acquire()
	defer p.release()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (p *plain) wrappersBad(k string) {
	p.acquire()
	c := p.m[k]
	p.release()
	if c == nil {
		p.acquire()
		p.m[k] = &conn{} // want `split-lock: .*p\.m`
		p.release()
	}
}

func (p *plain) returnedUnlockOk(k string) {
	unlock := p.lock()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
	unlock()
}

func (p *plain) returnedUnlockBad(k string) {
	unlock := p.lock()
	c := p.m[k] // want `check-then-act: .*p\.m`
	unlock()
	if c == nil {
		p.m[k] = &conn{}
	}
}

func (p *plain) returnedClosureOk(k string) {
	defer p.lockClosure()()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

// with runs f under the lock.
func (p *plain) with(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func (p *plain) runnerOk(k string) {
	p.with(func() {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	})
}

// The result leaves the literal in a captured variable.
func (p *plain) runnerBad(k string) {
	var c *conn
	p.with(func() { c = p.m[k] })
	if c == nil {
		p.with(func() {
			p.m[k] = &conn{} // want `split-lock: .*p\.m`
		})
	}
}

// withLock runs f under any lock.
func withLock(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func (p *plain) freeRunnerOk(k string) {
	withLock(&p.mu, func() {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
	})
}

func (p *plain) freeRunnerBad(k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		withLock(&p.mu, func() { p.m[k] = &conn{} })
	}
}

// withResult is a generic runner.
func withResult[T any](p *plain, f func(map[string]*conn) T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f(p.m)
}

func (p *plain) genericRunnerOk(k string) *conn {
	return withResult(p, func(m map[string]*conn) *conn {
		if m[k] == nil {
			m[k] = &conn{}
		}
		return m[k]
	})
}

// dropAndRetake is called with the lock held; it drops it for a while.
func (p *plain) dropAndRetake() {
	p.mu.Unlock()
	println("slow")
	p.mu.Lock()
}

func (p *plain) droppedInCalleeBad(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.m[k] == nil {
		p.dropAndRetake()
		p.m[k] = &conn{} // want `split-lock: .*p\.m`
	}
}

func (p *plain) droppedInCalleeOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropAndRetake()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (p *plain) methodValueOk(k string) {
	p.mu.Lock()
	unlock := p.mu.Unlock
	defer unlock()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

// A waiter has a condition.
type waiter struct {
	mu   sync.Mutex
	cond *sync.Cond
	m    map[string]*conn // guarded by mu
}

// Wait gives up the lock, so the check before it is stale.
func (w *waiter) condBad(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.m[k] == nil {
		w.cond.Wait()
		w.m[k] = &conn{} // want `split-lock: .*w\.m`
	}
}

func (w *waiter) condOk(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.m) > 10 {
		w.cond.Wait()
	}
	if w.m[k] == nil {
		w.m[k] = &conn{}
	}
}
