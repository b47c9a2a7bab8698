package refused

import (
	"sync"
	"time"
)

// Posts are waited for with the lock held, by a channel that a function gets which keeps it.
type Posts struct {
	mu    sync.Mutex // protects sizes
	sizes map[string]int
	known chan bool
}

// Add adds one.
func (p *Posts) Add(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sizes[name]++
}

// Fill waits with the lock held for a goroutine that comes to the channel by the field.
func (p *Posts) Fill(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := make(chan bool)
	p.look(known)
	p.sizes[name]++
	<-known
}

func (p *Posts) look(known chan bool) { p.known = known }

// TellBad reads the map, and ends the wait.
func (p *Posts) TellBad(name string) {
	p.known <- p.sizes[name] > 0 // want `unguarded-access: .*`
}

// Mails are waited for by a literal that is kept, which others run who have read the map.
type Mails struct {
	mu    sync.Mutex // protects sizes
	sizes map[string]int
	told  func()
}

// Add adds one.
func (m *Mails) Add(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sizes[name]++
}

// Await waits with the lock held.
func (m *Mails) Await(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	told := make(chan bool)
	m.told = func() { close(told) }
	<-told
	m.sizes[name]++
}

// TellBad reads the map, and ends the wait.
func (m *Mails) TellBad(name string) bool {
	known := m.sizes[name] > 0 // want `unguarded-access: .*`
	m.told()
	return known
}

// Wires are waited for by what another goroutine sends, too.
type Wires struct {
	mu    sync.Mutex // protects sizes
	sizes map[string]int
	ready chan bool
}

// Add adds one.
func (w *Wires) Add(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sizes[name]++
}

// Await waits with the lock held, for one who waits for another one.
func (w *Wires) Await(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	done := make(chan bool)
	go func() {
		<-w.ready
		close(done)
	}()
	<-done
	w.sizes[name]++
}

// ReadyBad reads the map, and ends the wait.
func (w *Wires) ReadyBad(name string) bool {
	known := w.sizes[name] > 0 // want `unguarded-access: .*`
	w.ready <- known
	return known
}

// Calls are waited for by a group in which a goroutine reads the map.
type Calls struct {
	mu    sync.Mutex // protects sizes
	sizes map[string]int
}

// Add adds one.
func (c *Calls) Add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sizes[name]++
}

// Ring waits with the lock held, for a while at most.
func (c *Calls) Ring(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := make(chan bool, 1)
	go func() { known <- c.knownBad(name) }()
	select {
	case <-known:
	case <-time.After(time.Second):
	}
	c.sizes[name]++
}

// Known is for others.
func (c *Calls) Known(name string) bool {
	return c.knownBad(name)
}

func (c *Calls) knownBad(name string) bool {
	return len(name) > 0 && c.sizes[name] > 0 // want `unguarded-access: .*`
}

// Teams are waited for by a group to which a field leads as well.
type Teams struct {
	mu    sync.Mutex // protects sizes
	sizes map[string]int
	group *sync.WaitGroup
}

// Add adds one.
func (t *Teams) Add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sizes[name]++
}

// Await waits with the lock held.
func (t *Teams) Await(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	group := new(sync.WaitGroup)
	group.Add(1)
	t.group = group
	group.Wait()
	t.sizes[name]++
}

// DoneBad reads the map, and ends the wait.
func (t *Teams) DoneBad(name string) bool {
	known := t.sizes[name] > 0 // want `unguarded-access: .*`
	t.group.Done()
	return known
}

// Bells are waited for where a function is called that gets the channel, one of another goroutine among them.
type Bells struct {
	mu    sync.Mutex // protects sizes
	sizes map[string]int
	rung  chan bool
}

// Add adds one.
func (b *Bells) Add(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sizes[name]++
	own := make(chan bool, 1)
	own <- true
	await(own)
}

// Await waits with the lock held.
func (b *Bells) Await() {
	b.mu.Lock()
	defer b.mu.Unlock()
	await(b.rung)
	clear(b.sizes)
}

func await(rung chan bool) { <-rung }

// RingBad reads the map, and ends the wait.
func (b *Bells) RingBad(name string) bool {
	known := b.sizes[name] > 0 // want `unguarded-access: .*`
	b.rung <- known
	return known
}
