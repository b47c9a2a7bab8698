package left

import (
	"sync"
	"sync/atomic"
)

// A mill has one miller at a time, whose helper asks for what others change.
type mill struct {
	mu      sync.Mutex
	sacks   map[string]int
	milling atomic.Bool
	ground  map[string]int // of the miller
}

// SackOk brings one.
func (m *mill) SackOk(name string) {
	m.mu.Lock()
	m.sacks[name]++
	m.mu.Unlock()
}

func (m *mill) sackCountOk(name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sacks[name]
}

// MillOk is for one at a time.
func (m *mill) MillOk() {
	if !m.milling.CompareAndSwap(false, true) {
		return
	}
	defer m.milling.Store(false)
	m.mu.Lock()
	for name := range m.sacks {
		if _, ok := m.ground[name]; !ok {
			m.ground[name] = 0
		}
	}
	m.mu.Unlock()
	m.grindOk()
}

func (m *mill) grindOk() {
	for name := range m.ground {
		if m.sackCountOk(name) == 0 {
			delete(m.ground, name)
		}
	}
}

// A press has a second way to its helper.
type press struct {
	mu       sync.Mutex
	sheets   map[string]int
	pressing atomic.Bool
	pressed  map[string]int
}

// SheetOk brings one.
func (p *press) SheetOk(name string) {
	p.mu.Lock()
	p.sheets[name]++
	p.mu.Unlock()
}

func (p *press) sheetCountOk(name string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sheets[name]
}

// PressOk is for one at a time.
func (p *press) PressOk() {
	if !p.pressing.CompareAndSwap(false, true) {
		return
	}
	defer p.pressing.Store(false)
	p.mu.Lock()
	for name := range p.sheets {
		if _, ok := p.pressed[name]; !ok {
			p.pressed[name] = 0
		}
	}
	p.mu.Unlock()
	p.squeezeBad()
}

// SqueezeOk does not ask who else is there.
func (p *press) SqueezeOk() { p.squeezeBad() }

func (p *press) squeezeBad() {
	for name := range p.pressed { // want `check-then-act: p.pressed is ranged over here`
		if p.sheetCountOk(name) == 0 {
			delete(p.pressed, name)
		}
	}
}

// A parcel is packed by goroutines, and then handed on to the one who looks at it by a method that takes the lock.
type parcel struct {
	mu    sync.Mutex
	parts map[int]bool
}

func (p *parcel) addOk(i int) { p.mu.Lock(); p.parts[i] = true; p.mu.Unlock() }

func (p *parcel) fullOk() bool { p.mu.Lock(); defer p.mu.Unlock(); return len(p.parts) > 3 }

// PackOk packs all parcels, and unpacks them in another goroutine.
func PackOk(n int) {
	out, done := make(chan *parcel), make(chan struct{})
	go func() { defer close(done); unpackOk(out) }()
	for range n {
		p, wg := &parcel{parts: map[int]bool{}}, new(sync.WaitGroup)
		for i := range 4 {
			wg.Add(1)
			go func() { defer wg.Done(); p.addOk(i) }()
		}
		wg.Wait()
		out <- p
	}
	close(out)
	<-done
}

func unpackOk(in <-chan *parcel) {
	for p := range in {
		if p.fullOk() {
			for i := range p.parts {
				delete(p.parts, i)
			}
		}
	}
}

// A bin is emptied while others fill it.
type bin struct {
	mu    sync.Mutex
	parts map[int]bool
}

// PutOk puts something in.
func (b *bin) PutOk(i int) { b.mu.Lock(); b.parts[i] = true; b.mu.Unlock() }

// TakeOk takes it out.
func (b *bin) TakeOk(i int) { b.mu.Lock(); delete(b.parts, i); b.mu.Unlock() }

func (b *bin) fullOk() bool { b.mu.Lock(); defer b.mu.Unlock(); return len(b.parts) > 3 }

// EmptyBad asks by a method that takes the lock, and then takes none.
func (b *bin) EmptyBad() {
	if b.fullOk() { // want `check-then-act: b.parts is measured with len here`
		for i := range b.parts {
			delete(b.parts, i)
		}
	}
}
