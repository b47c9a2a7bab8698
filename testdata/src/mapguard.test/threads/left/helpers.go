package left

import (
	"sync"
	"sync/atomic"
)

// A shop is closed by a helper that says whether it has done so.
type shop struct {
	mu   sync.Mutex
	shut bool
	till map[string]int
}

// PayOk pays while the shop is open.
func (s *shop) PayOk(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.shut {
		s.till[name] += n
	}
}

// RefundOk does, too.
func (s *shop) RefundOk(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.shut {
		delete(s.till, name)
	}
}

func (s *shop) endDayOk() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut {
		return false
	}
	s.shut = true
	return true
}

// CloseShopOk is the one that the helper has said yes to.
func (s *shop) CloseShopOk() {
	if !s.endDayOk() {
		return
	}
	for name := range s.till {
		delete(s.till, name)
	}
}

// A stall sets its flag whatever it was, and asks afterwards what that was.
type stall struct {
	mu   sync.Mutex
	shut bool
	till map[string]int
}

// PayStallOk pays.
func (s *stall) PayStallOk(name string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut {
		return
	}
	s.till[name] += n
}

// RefundStallOk pays back.
func (s *stall) RefundStallOk(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shut {
		return
	}
	delete(s.till, name)
}

// CloseStallOk is the first one.
func (s *stall) CloseStallOk() {
	s.mu.Lock()
	was := s.shut
	s.shut = true
	s.mu.Unlock()
	if was {
		return
	}
	for name := range s.till {
		delete(s.till, name)
	}
}

// A cart says yes to all.
type cart struct {
	mu   sync.Mutex
	shut bool
	till map[string]int
}

// PayCartOk pays.
func (c *cart) PayCartOk(name string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.shut {
		c.till[name] += n
	}
}

// RefundCartOk pays back.
func (c *cart) RefundCartOk(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.shut {
		delete(c.till, name)
	}
}

func (c *cart) endDayOk() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shut = true
	return true
}

// CloseCartBad is not the only one.
func (c *cart) CloseCartBad() {
	if !c.endDayOk() {
		return
	}
	for name := range c.till { // want `check-then-act: c.till is ranged over here`
		delete(c.till, name)
	}
}

// A wagon is held by its users; a helper says who is the last one.
type wagon struct {
	nr    int
	yard  *yard
	users int
	mu    sync.Mutex
	load  map[int]string
}

type yard struct {
	mu     sync.Mutex
	wagons map[int]*wagon
}

// WagonOk hands one out.
func (y *yard) WagonOk(nr int) *wagon {
	y.mu.Lock()
	defer y.mu.Unlock()
	w, ok := y.wagons[nr]
	if !ok {
		w = &wagon{nr: nr, yard: y, load: map[int]string{}}
		y.wagons[nr] = w
	}
	w.users++
	return w
}

// LoadOk loads.
func (w *wagon) LoadOk(i int, what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.load[i] = what
}

// ShareOk counts one more, for another one.
func (w *wagon) ShareOk() *wagon {
	w.yard.mu.Lock()
	w.users++
	w.yard.mu.Unlock()
	return w
}

func (w *wagon) dropOk() bool {
	w.yard.mu.Lock()
	defer w.yard.mu.Unlock()
	w.users--
	if w.users > 0 {
		return false
	}
	delete(w.yard.wagons, w.nr)
	return true
}

// UnloadOk unloads what no one uses.
func (w *wagon) UnloadOk() {
	if w.dropOk() {
		for i := range w.load {
			delete(w.load, i)
		}
	}
}

// A truck is taken out by another section.
type truck struct {
	nr    int
	yard  *lot
	users int
	mu    sync.Mutex
	load  map[int]string
}

type lot struct {
	mu     sync.Mutex
	trucks map[int]*truck
}

// TruckOk hands one out.
func (l *lot) TruckOk(nr int) *truck {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, ok := l.trucks[nr]
	if !ok {
		t = &truck{nr: nr, yard: l, load: map[int]string{}}
		l.trucks[nr] = t
	}
	t.users++
	return t
}

// LoadTruckOk loads.
func (t *truck) LoadTruckOk(i int, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.load[i] = what
}

// UnloadOneOk unloads.
func (t *truck) UnloadOneOk(i int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.load, i)
}

func (t *truck) dropOk() bool {
	t.yard.mu.Lock()
	defer t.yard.mu.Unlock()
	t.users--
	return t.users == 0
}

// UnloadTruckBad may unload what has just been handed out again.
func (t *truck) UnloadTruckBad() {
	if !t.dropOk() {
		return
	}
	t.yard.mu.Lock()
	delete(t.yard.trucks, t.nr)
	t.yard.mu.Unlock()
	for i := range t.load { // want `check-then-act: t.load is ranged over here`
		delete(t.load, i)
	}
}

// A race is over when the last runner is in; each one counts down as it leaves.
type heat struct {
	mu    sync.Mutex
	times map[int]int
	out   atomic.Int32
	over  chan int
}

func (h *heat) runOk(i int, run func() int) {
	defer h.inOk()
	n := run()
	h.mu.Lock()
	h.times[i] = n
	h.mu.Unlock()
}

func (h *heat) inOk() {
	if h.out.Add(-1) > 0 {
		return
	}
	for i, n := range h.times {
		if n == 0 {
			delete(h.times, i)
		}
	}
	h.over <- len(h.times)
}

// HeatOk starts all.
func HeatOk(runners []func() int) <-chan int {
	h := &heat{times: map[int]int{}, over: make(chan int, 1)}
	h.out.Store(int32(len(runners)))
	for i, r := range runners {
		go h.runOk(i, r)
	}
	return h.over
}
