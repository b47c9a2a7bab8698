package threads

import (
	"context"
	"sync"
	"time"
)

// A method that other packages run in a goroutine of the object's own, until it is told to
// stop, is there once for an object.

type watch struct {
	since time.Time
	seen  int
}

type watchman struct {
	mu      sync.RWMutex
	watches map[string]*watch
	round   func() []string
	ring    chan struct{}
}

func (w *watchman) Run(ctx context.Context) error {
	t := time.NewTicker(time.Minute)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-t.C:
		case <-w.ring:
		}
		w.walkOk()
	}
}

func (w *watchman) walkOk() {
	for _, name := range w.round() {
		w.mu.RLock()
		_, ok := w.watches[name]
		w.mu.RUnlock()
		if ok {
			continue
		}
		v := &watch{since: time.Now()}
		w.mu.Lock()
		w.watches[name] = v
		w.mu.Unlock()
	}
}

func (w *watchman) Since(name string) time.Time {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.watches[name].since
}

func (w *watchman) Ring() { w.ring <- struct{}{} }

// Here others do the same.

type watchmen struct {
	mu      sync.RWMutex
	watches map[string]*watch
	round   func() []string
}

func (w *watchmen) Run(stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Minute):
			w.walkBad()
		}
	}
}

func (w *watchmen) walkBad() {
	for _, name := range w.round() {
		w.mu.RLock()
		_, ok := w.watches[name]
		w.mu.RUnlock()
		if ok {
			continue
		}
		v := &watch{since: time.Now()}
		w.mu.Lock()
		w.watches[name] = v // want `split-lock: `
		w.mu.Unlock()
	}
}

func (w *watchmen) Ring() { w.walkBad() }

// One that gets what it serves is there once for each of those.

type gate struct {
	mu     sync.RWMutex
	passed map[string]*watch
}

type visitors interface{ Next() (string, bool) }

func (g *gate) Serve(from visitors) {
	for {
		name, ok := g.next(from)
		if !ok {
			return
		}
		g.passBad(name)
		<-time.After(time.Second)
	}
}

func (g *gate) next(from visitors) (string, bool) { return from.Next() }

func (g *gate) passBad(name string) {
	g.mu.RLock()
	_, ok := g.passed[name]
	g.mu.RUnlock()
	if ok {
		return
	}
	v := &watch{since: time.Now()}
	g.mu.Lock()
	g.passed[name] = v // want `split-lock: `
	g.mu.Unlock()
}

func (g *gate) Passed(name string) time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.passed[name].seen++
	return g.passed[name].since
}

// What such a method does before it starts goroutines comes before all that they do. It goes on until it is told to stop,
// though it leaves the work to them.

type porter struct {
	mu    sync.RWMutex
	keys  map[string]*watch
	calls chan string
}

func (p *porter) Run(ctx context.Context, hands int, first func() []string) error {
	for _, r := range first() {
		p.keys[r] = &watch{since: time.Now()}
	}
	for range hands {
		go p.answer(ctx)
	}
	<-ctx.Done()
	return ctx.Err()
}

func (p *porter) answer(ctx context.Context) {
	for p.handOut() {
	}
}

func (p *porter) handOut() bool {
	room, ok := <-p.calls
	if !ok {
		return false
	}
	p.mu.RLock()
	w := p.keys[room]
	p.mu.RUnlock()
	if w != nil {
		p.handOver(room)
	}
	return true
}

func (p *porter) handOver(room string) {
	p.mu.Lock()
	p.keys[room] = &watch{since: time.Now()}
	p.mu.Unlock()
}

func (p *porter) Call(room string) { p.calls <- room }

// It is no less so where the package runs one that it has made.

type ferry struct {
	mu    sync.Mutex
	seats map[int]string
	stops chan int
}

func (f *ferry) Loop(stop chan struct{}) {
	f.seats = make(map[int]string)
	f.seats[0] = "captainOk"
	go func() {
		for n := range f.stops {
			f.boardOk(n)
		}
	}()
	<-stop
}

func (f *ferry) boardOk(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seats[n] = "guest"
	delete(f.seats, n-8)
}

func CrossOk(stop chan struct{}) {
	f := &ferry{stops: make(chan int)}
	f.Loop(stop)
}

// Here the work has begun by then.

type baker struct {
	mu     sync.Mutex
	loaves map[string]int
	orders chan string
}

func (b *baker) Loop(ctx context.Context, first func() []string) {
	go b.bake()
	for _, n := range first() {
		b.loaves[n] = 1 // want `unguarded-access: `
	}
	<-ctx.Done()
}

func (b *baker) bake() {
	for n := range b.orders {
		b.mu.Lock()
		b.loaves[n]++
		delete(b.loaves, n+"old")
		b.mu.Unlock()
	}
}

// Here others come to the map as well.

type clerk struct {
	mu    sync.Mutex
	files map[string]int
	desk  chan string
}

func (c *clerk) Run(ctx context.Context, first func() []string) {
	for _, n := range first() {
		c.files[n] = 1 // want `unguarded-access: .*, low`
	}
	go c.file()
	<-ctx.Done()
}

func (c *clerk) file() {
	for n := range c.desk {
		c.mu.Lock()
		c.files[n]++
		c.mu.Unlock()
	}
}

func (c *clerk) Drop(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.files, name)
}

// This one returns when its goroutines have begun: callers can call it again.

type usher struct {
	mu   sync.Mutex
	rows map[string]int
	late chan string
}

func (u *usher) Run(first func() []string) {
	for _, n := range first() {
		u.rows[n] = 1 // want `unguarded-access: .*, low`
	}
	go u.seat()
}

func (u *usher) seat() {
	n := <-u.late
	u.mu.Lock()
	defer u.mu.Unlock()
	u.rows[n]++
	delete(u.rows, n+"old")
}

// This one has a goroutine from its making on.

type guide struct {
	mu    sync.Mutex
	tours map[string]int
	asked chan string
}

func NewGuide() *guide {
	g := &guide{tours: make(map[string]int), asked: make(chan string)}
	go g.lead()
	return g
}

func (g *guide) Run(ctx context.Context, first func() []string) {
	for _, n := range first() {
		g.tours[n] = 1 // want `unguarded-access: `
	}
	go g.lead()
	<-ctx.Done()
}

func (g *guide) lead() {
	for n := range g.asked {
		g.mu.Lock()
		g.tours[n]++
		delete(g.tours, n+"old")
		g.mu.Unlock()
	}
}

// And this one gets a function that it leaves to the work: each call has its own.

type cook struct {
	mu     sync.Mutex
	dishes map[string]int
}

func (c *cook) Serve(ctx context.Context, next func() (string, bool)) {
	name, _ := next()
	c.dishes[name] = 1 // want `unguarded-access: .*, low`
	go func() {
		for {
			n, ok := next()
			if !ok {
				return
			}
			c.mu.Lock()
			c.dishes[n]++
			delete(c.dishes, n+"old")
			c.mu.Unlock()
		}
	}()
	<-ctx.Done()
}

// This one waits for what its goroutine finds: callers can have several under way.

type finder struct {
	mu    sync.Mutex
	paths map[int]string
}

func (f *finder) Run(ctx context.Context, n int) string {
	f.paths[n] = "unknown" // want `unguarded-access: `
	found := make(chan string, 1)
	go func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.paths[n] = "known"
		delete(f.paths, -n)
		found <- f.paths[n]
	}()
	select {
	case <-ctx.Done():
		return ""
	case s := <-found:
		return s
	}
}
