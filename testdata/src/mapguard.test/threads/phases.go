package threads

import "sync"

// What comes before the go statement, here or in a caller, is over when the
// goroutine begins.

type agent struct {
	peers map[string]int
	in    chan string
}

func (a *agent) Run(names []string) {
	for _, n := range names {
		a.noteOk(n)
	}
	a.begin()
}

func (a *agent) begin() { go a.loop() }

func (a *agent) noteOk(n string) { a.peers[n]++ }

func (a *agent) loop() {
	for n := range a.in {
		a.noteOk(n)
	}
}

// What comes after it is not.

type hasty struct {
	peers map[string]int
	in    chan string
}

func (h *hasty) Run(names []string) {
	h.begin()
	for _, n := range names {
		h.noteBad(n)
	}
}

func (h *hasty) begin() { go h.loop() }

func (h *hasty) noteBad(n string) {
	h.peers[n]++ // want `check-then-act: .*h\.peers`
}

func (h *hasty) loop() {
	for n := range h.in {
		h.noteBad(n)
	}
}

// A wait ends the goroutines that belong to it, and no others.

type crew struct {
	wg  sync.WaitGroup
	mu  sync.Mutex
	out map[string]int // guarded by mu
}

func (c *crew) work(k string) {
	defer c.finish()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out[k] = 1
}

func (c *crew) finish() { c.wg.Done() }

func (c *crew) settle() { c.wg.Wait() }

func SumOk(keys []string) (n int) {
	c := &crew{out: make(map[string]int)}
	for _, k := range keys {
		c.wg.Add(1)
		go c.work(k)
	}
	c.settle()
	for _, v := range c.out {
		n += v
	}
	return n
}

type mixed struct {
	mu  sync.Mutex
	out map[string]int // guarded by mu
	in  chan string
}

func (m *mixed) listen() {
	for k := range m.in {
		m.mu.Lock()
		m.out[k] = 1
		m.mu.Unlock()
	}
}

func (m *mixed) Sum() (n int) {
	go m.listen()
	warm := make(chan struct{})
	go func() { close(warm) }()
	<-warm
	for _, v := range m.out { // want `unguarded-access: m\.out is ranged over without mu`
		n += v
	}
	return n
}

// A WaitGroup that the goroutine gets as an argument, and one that another gets.

func fill(wg *sync.WaitGroup, m map[string]int, k string) {
	defer wg.Done()
	m[k] = 1
}

func fillOk(wg *sync.WaitGroup, m map[string]int, k string) {
	defer wg.Done()
	m[k] = 1
}

func OneOk(k string) int {
	var wg sync.WaitGroup
	m := make(map[string]int)
	wg.Add(1)
	go fillOk(&wg, m, k)
	wg.Wait()
	return len(m)
}

func OtherBad(k string) int {
	var wg, other sync.WaitGroup
	m, rest := make(map[string]int), make(map[string]int)
	wg.Add(1)
	other.Add(1)
	go fill(&wg, m, k) // want `goroutine-race: `
	go fillOk(&other, rest, k)
	other.Wait()
	n := len(m)
	wg.Wait()
	return n + len(rest)
}
