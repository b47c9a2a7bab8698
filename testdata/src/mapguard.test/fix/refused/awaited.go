package refused

import (
	"net/http"
	"sync"
)

// A Census counts. It is safe for concurrent use.
type Census struct {
	mu     sync.Mutex // protects counts
	counts map[string]int
	names  chan string
	wg     sync.WaitGroup
}

// Add counts one.
func (c *Census) Add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[name]++
}

// Start begins to count what is sent.
func (c *Census) Start() {
	c.wg.Add(1)
	go c.run()
}

func (c *Census) run() {
	defer c.wg.Done()
	for name := range c.names {
		c.knownBad(name)
	}
}

func (c *Census) knownBad(name string) bool {
	return c.counts[name] > 0 // want `unguarded-access: .*`
}

// Stop waits with the lock held: what it waits for must not take it.
func (c *Census) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.names)
	c.wg.Wait()
}

// Visits are counted by a server.
type Visits struct {
	mu     sync.Mutex // protects counts
	counts map[string]int
	open   sync.WaitGroup
}

// Add counts one.
func (v *Visits) Add(name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.counts[name]++
}

// Serve has a server run what counts.
func (v *Visits) Serve() error { return http.ListenAndServe("localhost:0", visitor{v}) }

// Close waits with the lock held, for requests that are served.
func (v *Visits) Close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.open.Wait()
}

type visitor struct{ visits *Visits }

func (h visitor) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.visits.open.Add(1)
	defer h.visits.open.Done()
	h.visits.knownBad(r.URL.Path)
}

func (v *Visits) knownBad(name string) bool {
	return v.counts[name] > 0 // want `unguarded-access: .*`
}

// Polls take the lock, but only once who waits has been told.
type Polls struct {
	mu     sync.Mutex // protects counts
	counts map[string]int
	done   chan bool
}

// Add counts one.
func (p *Polls) Add(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts[name]++
}

// Start counts in a goroutine.
func (p *Polls) Start(name string) { go p.firstBad(name) }

func (p *Polls) firstBad(name string) {
	known := p.counts[name] > 0 // want `check-then-act: .*`
	close(p.done)
	if !known {
		p.mu.Lock()
		p.counts[name] = 1
		p.mu.Unlock()
	}
}

// Stop waits with the lock held.
func (p *Polls) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	<-p.done
}
