package threads

import "sync"

// What a start-up method does before it starts the goroutines of its object sets the object up, though it has had
// others do a part of that, and has waited for them.

type vault struct {
	mu     sync.Mutex
	sealed map[int]int
	wg     sync.WaitGroup
}

func (v *vault) Init(refs []int) {
	var wg sync.WaitGroup
	for _, r := range refs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			v.probe(r)
		}()
	}
	wg.Wait()
	for _, r := range refs {
		v.sealed[r] = 1 // want `unguarded-access: .*, low`
	}
}

func (v *vault) probe(int) {}

func (v *vault) Seal(r int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.sealed[r] = 2
}

// Here they go on.

type crypt struct {
	mu     sync.Mutex
	sealed map[int]int
	wg     sync.WaitGroup
}

func (c *crypt) Init(refs []int) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		c.Seal(0)
	}()
	for _, r := range refs {
		c.sealed[r] = 1 // want `unguarded-access: c.sealed`
	}
}

func (c *crypt) Seal(r int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sealed[r] = 2
}

// A helper that others call with the lock needs none before the goroutine begins.

type ledgerPool struct {
	mu    sync.RWMutex
	state map[string]int
	heads chan map[string]int
	quit  chan struct{}
}

func (p *ledgerPool) Init(head map[string]int) error {
	p.reset(head) // want `unguarded-access: .*, low`
	go p.loop()
	return nil
}

func (p *ledgerPool) loop() {
	for {
		select {
		case h := <-p.heads:
			p.mu.Lock()
			p.reset(h)
			p.mu.Unlock()
		case <-p.quit:
			return
		}
	}
}

func (p *ledgerPool) reset(head map[string]int) { p.state = head }

func (p *ledgerPool) State(a string) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.state[a]
}

// When the goroutine runs already, it needs it.

type ledgerLate struct {
	mu    sync.RWMutex
	state map[string]int
	heads chan map[string]int
	quit  chan struct{}
}

func (p *ledgerLate) Init(head map[string]int) error {
	go p.loop()
	p.reset(head) // want `unguarded-access: ledgerLate.reset needs mu`
	return nil
}

func (p *ledgerLate) loop() {
	for {
		select {
		case h := <-p.heads:
			p.mu.Lock()
			p.reset(h)
			p.mu.Unlock()
		case <-p.quit:
			return
		}
	}
}

func (p *ledgerLate) reset(head map[string]int) { p.state = head }

func (p *ledgerLate) State(a string) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.state[a]
}

// A method that serves its object fills it before it starts the object's goroutine, with what it gets.

type granary struct {
	mu    sync.Mutex
	goods map[string]int
	exits chan string
}

func (d *granary) Run(saved []string, serve func(*granary) error) error {
	for _, id := range saved {
		d.goods[id] = 1 // want `unguarded-access: .*, low`
	}
	go d.monitor()
	return serve(d)
}

func (d *granary) monitor() {
	for id := range d.exits {
		d.mu.Lock()
		delete(d.goods, id)
		d.mu.Unlock()
	}
}

func (d *granary) Add(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.goods[id] = 2
}
