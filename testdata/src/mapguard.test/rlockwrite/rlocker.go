package rlockwrite

import "sync"

// A read lock that a helper gets as a lock is still one.

func under[T any](l sync.Locker, do func() T) T {
	l.Lock()
	defer l.Unlock()
	return do()
}

func with(l sync.Locker, do func()) {
	l.Lock()
	do()
	l.Unlock()
}

func (p *pool) setUnderBad(k string) bool {
	return under(p.mu.RLocker(), func() bool {
		p.n[k] = 1 // want `rlock-write: p\.n`
		return true
	})
}

func (p *pool) setWithBad(k string) {
	with(p.mu.RLocker(), func() {
		p.n[k] = 1 // want `rlock-write: p\.n`
	})
}

func (p *pool) setUnderOk(k string) bool {
	return under(&p.mu, func() bool {
		p.n[k] = 1
		return true
	})
}

func (p *pool) getUnderOk(k string) int {
	return under(p.mu.RLocker(), func() int { return p.n[k] })
}
