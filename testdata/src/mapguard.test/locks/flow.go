package locks

import "errors"

var errFull = errors.New("full")

func (p *plain) deferOk(k string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.m) > 10 {
		return errFull
	}
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
	return nil
}

func (p *plain) deferredClosureOk(k string) {
	p.mu.Lock()
	defer func() {
		p.mu.Unlock()
	}()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

// The deferred closure writes before it unlocks.
func (p *plain) writeInDeferredClosureOk(k string) {
	p.mu.Lock()
	defer func() {
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
		p.mu.Unlock()
	}()
}

func (p *plain) writeInDeferredClosureBad(k string) {
	p.mu.Lock()
	c := p.m[k] // want `check-then-act: .*p\.m`
	defer func() {
		p.mu.Unlock()
		if c == nil {
			p.m[k] = &conn{}
		}
	}()
}

// Deferred calls run in reverse: the write comes after the unlock.
func (p *plain) deferOrderBad(k string) {
	p.mu.Lock()
	c := p.m[k] // want `check-then-act: .*p\.m`
	defer func() {
		if c == nil {
			p.m[k] = &conn{}
		}
	}()
	defer p.mu.Unlock()
}

func (p *plain) deferOrderOk(k string) {
	p.mu.Lock()
	c := p.m[k]
	defer p.mu.Unlock()
	defer func() {
		if c == nil {
			p.m[k] = &conn{}
		}
	}()
}

func (p *plain) deferOneLinerOk(k string) {
	defer p.lock()()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (p *plain) tryLockOk(k string) bool {
	if p.mu.TryLock() {
		defer p.mu.Unlock()
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
		return true
	}
	return false
}

func (p *plain) tryLockInVariableOk(k string) {
	got := p.mu.TryLock()
	if !got {
		return
	}
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
	p.mu.Unlock()
}

func (p *plain) tryLockFailedBad(k string) {
	if p.mu.TryLock() {
		p.mu.Unlock()
	} else if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func (p *plain) tryLockIgnoredBad(k string) {
	p.mu.TryLock()
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

func (p *plain) tryLockWithBackupOk(k string) {
	if !p.mu.TryLock() {
		p.mu.Lock()
	}
	defer p.mu.Unlock()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (r *rw) tryRLockBad(k string) {
	if !r.mu.TryRLock() {
		return
	}
	defer r.mu.RUnlock()
	r.m[k] = &conn{} // want `rlock-write: .*r\.m`
}

func (p *plain) earlyReturnOk(k string) *conn {
	p.mu.Lock()
	if c := p.m[k]; c != nil {
		p.mu.Unlock()
		return c
	}
	c := &conn{}
	p.m[k] = c
	p.mu.Unlock()
	return c
}

func (p *plain) earlyReturnBad(k string) *conn {
	p.mu.Lock()
	if c := p.m[k]; c != nil { // want `check-then-act: .*p\.m`
		p.mu.Unlock()
		return c
	}
	p.mu.Unlock()
	c := &conn{}
	p.m[k] = c
	return c
}

func (p *plain) unlockedOnOneBranchBad(k string, early bool) {
	p.mu.Lock()
	c := p.m[k] // want `check-then-act: .*p\.m`
	if early {
		p.mu.Unlock()
	}
	if c == nil {
		p.m[k] = &conn{}
	}
	if !early {
		p.mu.Unlock()
	}
}

func (p *plain) lockedOnBothBranchesOk(k string, fast bool) {
	if fast {
		p.mu.Lock()
	} else {
		p.mu.Lock()
		println("slow")
	}
	defer p.mu.Unlock()
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
}

func (p *plain) loopOk(keys []string) {
	for _, k := range keys {
		p.mu.Lock()
		if p.m[k] == nil {
			p.m[k] = &conn{}
		}
		p.mu.Unlock()
	}
}

func (p *plain) droppedInLoopBad(keys []string) {
	p.mu.Lock()
	for _, k := range keys {
		c := p.m[k]
		p.mu.Unlock()
		println(k)
		p.mu.Lock()
		if c == nil {
			p.m[k] = &conn{} // want `split-lock: .*p\.m.*, high`
		}
	}
	p.mu.Unlock()
}

// What is found of one key decides nothing about the next round's.
func (p *plain) roundsOk(keys []string, drop map[string]bool) {
	for _, k := range keys {
		if drop[k] {
			p.mu.Lock()
			delete(p.m, k)
			p.mu.Unlock()
			continue
		}
		p.mu.Lock()
		_, ok := p.m[k]
		p.mu.Unlock()
		if !ok {
			for range keys {
				println(k)
			}
		}
	}
}

// It does if a variable carries it there.
func (p *plain) carriedBad(keys []string) {
	first := true
	for _, k := range keys {
		if !first {
			p.mu.Lock()
			delete(p.m, keys[0]) // want `split-lock: .*p\.m.*, low`
			p.mu.Unlock()
		}
		p.mu.Lock()
		c := p.m[keys[0]]
		p.mu.Unlock()
		if c != nil {
			first = false
			println(k, c.id)
		}
	}
}

// The look says under which key to put it.
func (p *plain) besideBad(k string) {
	p.mu.Lock()
	c := p.m[k]
	p.mu.Unlock()
	at := k
	if c == nil {
		at += "'"
	}
	println(at)
	if c == nil {
		p.mu.Lock()
		p.m[at] = &conn{} // want `split-lock: .*p\.m.*, low`
		p.mu.Unlock()
	}
}

func (p *plain) freeBad(id string) string {
	p.mu.Lock()
	for p.m[id] != nil {
		id += "'"
	}
	p.mu.Unlock()
	println(id)
	p.mu.Lock()
	p.m[id] = &conn{} // want `split-lock: .*p\.m.*, low`
	p.mu.Unlock()
	return id
}

func (p *plain) panicOk(k string) {
	p.mu.Lock()
	if p.m[k] != nil {
		panic("twice")
	}
	p.m[k] = &conn{}
	p.mu.Unlock()
}

// Each acquisition is a section of its own.
func (p *plain) twoSectionsBad(k string) {
	p.mu.Lock()
	c := p.m[k]
	p.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	if c == nil {
		p.m[k] = &conn{} // want `split-lock: .*p\.m`
	}
}

func (p *plain) parameterLockingOk(k string, locking bool) {
	if locking {
		p.mu.Lock()
	}
	if p.m[k] == nil {
		p.m[k] = &conn{}
	}
	if locking {
		p.mu.Unlock()
	}
}

func (p *plain) parameterLockingCallersOk(k string) {
	p.parameterLockingOk(k, true)
	p.mu.Lock()
	p.parameterLockingOk(k, false)
	p.mu.Unlock()
}

func (r *rw) parameterNotLockingOk(k string, locked bool) {
	if !locked {
		r.mu.Lock()
		defer r.mu.Unlock()
	}
	if r.m[k] == nil {
		r.m[k] = &conn{}
	}
}

func (r *rw) parameterNotLockingCallerOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parameterNotLockingOk(k, true)
}
