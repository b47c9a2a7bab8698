package callbacks

import (
	"strings"
	"sync"
)

// Functions that run what they get.

type Book struct {
	mu sync.RWMutex // protects m
	m  map[string]int
	cb func()
}

func (b *Book) Put(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[k] = 1
}

func withLock[L sync.Locker](l L, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func (b *Book) genericOk(k string) {
	withLock(&b.mu, func() { b.m[k]++ })
}

func (b *Book) locked(f func())  { b.mu.Lock(); defer b.mu.Unlock(); b.inner(f) }
func (b *Book) inner(f func())   { run := func() { f() }; run() }
func (b *Book) outer(f func())   { b.locked(func() { f() }) }
func (b *Book) reading(f func()) { b.mu.RLock(); defer b.mu.RUnlock(); f() }

func (b *Book) levelsOk(k string) { b.outer(func() { b.m[k]++ }) }

func (b *Book) readOk(k string) (n int) {
	b.reading(func() { n = b.m[k] })
	return n
}

func (b *Book) readBad(k string) {
	b.reading(func() { b.m[k] = 2 }) // want `rlock-write: .*b\.m`
}

func (b *Book) plainBad(k string) {
	b.inner(func() { b.m[k] = 2 }) // want `b\.m`
}

// A runner that lets the lock go while it runs f.
func (b *Book) unlocked(f func()) {
	b.mu.Unlock()
	f()
	b.mu.Lock()
}

func (b *Book) letGoBad(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unlocked(func() { b.m[k] = 3 }) // want `b\.m`
}

// A runner that is given a method value.
func (b *Book) bump(k string)         { b.m[k]++ }
func (b *Book) each(f func(string))   { visit := func() { f("a"); f("b") }; visit() }
func (b *Book) bumpAllOk()            { b.mu.Lock(); defer b.mu.Unlock(); b.each(b.bump) }
func (b *Book) expressionOk(k string) { f := (*Book).bump; b.mu.Lock(); defer b.mu.Unlock(); f(b, k) }
func (b *Book) variadic(fs ...func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range fs {
		f()
	}
}
func (b *Book) variadicOk(k string)     { b.variadic(func() { b.m[k]++ }, func() { b.m[k]-- }) }
func (b *Book) wrapped(f func()) func() { return func() { b.mu.Lock(); defer b.mu.Unlock(); f() } }

// A wrapper that is called, kept and returned takes the lock each time.
func (b *Book) wrappedOk(k string) {
	put := b.wrapped(func() { b.m[k]++ })
	put()
}

func (b *Book) wrappedKeptOk(k string) { b.cb = b.wrapped(func() { b.m[k]++ }) }

func (b *Book) WrappedReturnedOk(k string) func() { return b.wrapped(func() { b.m[k]++ }) }

func (b *Book) later(f func()) { b.cb = func() { b.mu.Lock(); defer b.mu.Unlock(); f() } }

func (b *Book) laterOk(k string) { b.later(func() { b.m[k]++ }) }

func (b *Book) keep(f func()) { b.cb = f }

// One that is kept as it is takes no lock; its caller may.
// It would take knowing who runs a function that is kept in a field, and with
// which locks.
func (b *Book) FN_keepBad(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keep(func() {
		if _, ok := b.m[k]; !ok {
			b.m[k] = 1
		}
	})
}

// A runner in a goroutine does not have its starter's locks.
func (b *Book) start(f func()) { go func() { f() }() }

func (b *Book) startBad(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start(func() { b.m[k] = 4 }) // want `b\.m`
}

// The literal is given the object that is locked.
type tx struct{ book *Book }

func (b *Book) update(f func(*tx)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f(&tx{b})
}

func (b *Book) peek(f func(*tx)) { f(&tx{b}) }

func (b *Book) updateOk(k string) { b.update(func(t *tx) { t.book.m[k]++ }) }

func (b *Book) peekBad(k string) {
	b.peek(func(t *tx) { t.book.m[k] = 5 }) // want `t\.book\.m`
}

// Functions that are made for an object under construction.
func (b *Book) adder() func(rune) rune {
	return func(r rune) rune { b.m[string(r)] = 1; return r }
}

func newBookOk(s string) *Book {
	b := &Book{m: make(map[string]int)}
	strings.Map(b.adder(), s)
	return b
}

// The same of a book that others know.
func (b *Book) adderBad() func(rune) rune {
	return func(r rune) rune { b.m[string(r)] = 1; return r } // want `b\.m`
}

func (b *Book) AddAll(s string) { strings.Map(b.adderBad(), s) }

// Options are applied before the object is known.
type setting func(*Book)

func with(k string) setting { return func(b *Book) { b.m[k] = 1 } }

func buildOk(set ...setting) *Book {
	b := &Book{m: make(map[string]int)}
	for _, f := range set {
		f(b)
	}
	return b
}

func useOptionsOk() *Book { return buildOk(with("a"), func(b *Book) { b.m["b"] = 1 }) }

// A runner may show the read side of a lock alone.
type board struct {
	mu sync.RWMutex
	m  map[string]int
}

func reading(l interface {
	RLock()
	RUnlock()
}, do func(),
) {
	l.RLock()
	defer l.RUnlock()
	do()
}

func (b *board) set(k string) { b.mu.Lock(); defer b.mu.Unlock(); b.m[k]++ }

func (b *board) readOk(k string) (n int) {
	reading(&b.mu, func() { n = b.m[k] })
	return n
}

func (b *board) writeBad(k string) {
	reading(&b.mu, func() { b.m[k] = 1 }) // want `rlock-write: `
}
