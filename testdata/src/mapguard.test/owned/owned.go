// Package owned pins who owns an object: what only one thread can reach needs
// no lock. Each right form stands beside one where the object is known to others
// before the access.
package owned

import "sync"

type box struct {
	mu    sync.Mutex
	items map[string]int // guarded by mu
	log   map[string]int
	next  *box
}

var known = make(chan *box)

func (b *box) Put(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items[k]++
}

func newBox() *box { return &box{items: map[string]int{}, log: map[string]int{}} }

// An allocation in a loop is a new object each time.
func eachRoundOk(keys []string) {
	for _, k := range keys {
		b := newBox()
		b.items[k] = 1
		known <- b
	}
}

// One object, known after the first round.
func oneForAllBad(keys []string) {
	b := newBox()
	for _, k := range keys {
		b.items[k] = 1 // want `unguarded-access: .*items.*, low`
		known <- b
	}
}

func sentAfterOk() {
	b := newBox()
	b.items["a"] = 1
	known <- b
}

func sentBeforeBad() {
	b := newBox()
	known <- b
	b.items["a"] = 1 // want `unguarded-access: .*items.*, low`
}

// Stored in an object that is not known, and then found through that one.
func insideOk() *box {
	outer, inner := newBox(), newBox()
	outer.next = inner
	inner.items["a"] = 1
	return outer
}

func insideKnownBad() {
	outer, inner := newBox(), newBox()
	outer.next = inner
	known <- outer
	inner.items["a"] = 1 // want `unguarded-access: .*items.*, low`
}

// What a new object leads to is not new.
func leadsToOthersBad() *box {
	b := newBox()
	b.next = <-known
	b.next.items["a"] = 1 // want `unguarded-access: .*items.*, low`
	return b
}

func leadsToNewOk() *box {
	b := newBox()
	b.next = newBox()
	b.next.items["a"] = 1
	return b
}

// One of two new objects is new.
func eitherOk(big bool) *box {
	b := &box{items: map[string]int{}}
	if big {
		b = &box{items: make(map[string]int, 100)}
	}
	b.items["a"] = 1
	return b
}

func eitherBad(big bool) *box {
	b := newBox()
	if big {
		b = <-known
	}
	b.items["a"] = 1 // want `unguarded-access: .*\.items`
	return b
}

// A helper of constructors.
func (b *box) fill(keys []string) {
	for _, k := range keys {
		b.items[k] = 1
	}
}

func filledOk(keys []string) *box {
	b := newBox()
	b.fill(keys)
	return b
}

// The same kind of helper, called with one that others know.
func (b *box) refillBad(k string) {
	b.items[k] = 1 // want `unguarded-access: .*items`
}

func refilled() {
	b := newBox()
	known <- b
	b.refillBad("a")
}

// A helper that publishes what it gets.
func announce(b *box) { known <- b }

func announcedBad() {
	b := newBox()
	announce(b)
	b.items["a"] = 1 // want `unguarded-access: .*items.*, low`
}

func announcedLaterOk() {
	b := newBox()
	b.items["a"] = 1
	announce(b)
}

// A constructor with an error, and options.
type option func(*box)

func with(k string) option { return func(b *box) { b.items[k] = 1 } }

func openOk(opts ...option) (*box, error) {
	b, err := try()
	if err != nil {
		return nil, err
	}
	for _, o := range opts {
		o(b)
	}
	b.items["a"] = 1
	return b, nil
}

func try() (*box, error) { return newBox(), nil }

// Handed over to one goroutine.
func handOver(keys []string, stop func() bool) {
	for range keys {
		b := newBox()
		if stop() {
			go b.workOk()
		}
	}
}

func (b *box) workOk() {
	b.items["a"] = 1
	b.log["a"] = 1
}

// The starter goes on with it.
func (b *box) workBad() {
	b.items["a"] = 1 // want `unguarded-access: .*items`
}

func keepOn() {
	b := newBox()
	go b.workBad()
	b.Put("a")
}

// A goroutine that never looks at items leaves them to the constructor.
type watcher struct{ b *box }

func (w *watcher) run() { println(w.b.next == nil) }

func watchedOk() *box {
	b := newBox()
	w := &watcher{b}
	go w.run()
	b.items["a"] = 1
	return b
}

type counter struct{ b *box }

func (c *counter) run() { c.b.Put("b") }

func countedBad() *box {
	b := newBox()
	c := &counter{b}
	go c.run()
	b.items["a"] = 1 // want `unguarded-access: .*items.*, low`
	return b
}

// A pool's object is the user's until it is put back.
var pool = sync.Pool{New: func() any { return newBox() }}

func pooledOk() {
	b := pool.Get().(*box)
	b.items["a"] = 1
	pool.Put(b)
}

func pooledBad() {
	b := pool.Get().(*box)
	pool.Put(b)
	b.items["a"] = 1 // want `unguarded-access: .*items.*, low`
}

// Taken out, the map belongs to who has it; put somewhere else first, not.
func (b *box) renew() { b.items = make(map[string]int) }

func (b *box) TakeOk() (n int) {
	b.mu.Lock()
	taken := b.items
	b.renew()
	b.mu.Unlock()
	for range taken {
		n++
	}
	return n
}

func (b *box) TakeMaybeBad(all bool) (n int) {
	b.mu.Lock()
	taken := b.items
	if all {
		b.renew()
	}
	b.mu.Unlock()
	for range taken { // want `unguarded-access: .*items`
		n++
	}
	return n
}

// A copy's field is the copy's own.
type plan struct {
	Args map[string]int
}

type plans struct {
	mu sync.Mutex // protects m
	m  map[string]plan
}

func (p plan) cloneOk() plan {
	args := make(map[string]int, 1)
	p.Args = args
	return p
}

func (s *plans) Get(k string) plan {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = s.m[k].cloneOk()
	return s.m[k].cloneOk()
}

// What was taken out can be given to a helper, too; what is still in its place
// cannot.

type inbox struct {
	mu   sync.Mutex
	mail map[string]int
}

func (b *inbox) Drop(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mail == nil {
		b.mail = make(map[string]int)
	}
	b.mail[k]++
}

func sum(m map[string]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}

func (b *inbox) EmptyOk() int {
	b.mu.Lock()
	taken := b.mail
	b.mail = nil
	b.mu.Unlock()
	return sum(taken)
}

func (b *inbox) SumBad() int {
	b.mu.Lock()
	same := b.mail
	b.mu.Unlock()
	return sum(same) // want `unguarded-access: b\.mail`
}
