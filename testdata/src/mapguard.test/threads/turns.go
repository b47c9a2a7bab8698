package threads

// A goroutine runs what it is sent, one function after the other: the channel to
// it is a lock.

type counts struct {
	jobs chan func()
	stop chan struct{}
	rows map[string]int
}

func newCounts() *counts {
	c := &counts{jobs: make(chan func(), 8), stop: make(chan struct{}), rows: make(map[string]int)}
	go c.work()
	return c
}

func (c *counts) work() {
	for {
		select {
		case job := <-c.jobs:
			job()
		case <-c.stop:
			c.flushOk()
			return
		}
	}
}

func (c *counts) flushOk() {
	for k, n := range c.rows {
		if n == 0 {
			delete(c.rows, k)
		}
	}
}

// wait has job run and waits for its end.
func (c *counts) wait(job func()) {
	ran := make(chan struct{})
	c.jobs <- func() {
		defer close(ran)
		job()
	}
	<-ran
}

func (c *counts) FirstOk(k string) bool {
	first := false
	c.wait(func() {
		if _, ok := c.rows[k]; !ok {
			c.rows[k] = 1
			first = true
		}
	})
	return first
}

// Nothing waits for this one, but it runs in turn.
func (c *counts) DropOk(k string) {
	c.jobs <- func() {
		if c.rows[k] > 0 {
			delete(c.rows, k)
		}
	}
}

// The goroutine may be told to stop before.
func (c *counts) TryOk(k string) {
	select {
	case c.jobs <- func() {
		if c.rows[k] == 0 {
			c.rows[k] = 1
		}
	}:
	case <-c.stop:
	}
}

// Another function can run between the two.
func (c *counts) TwiceBad(k string) bool {
	var found bool
	c.wait(func() { _, found = c.rows[k] })
	if found {
		return false
	}
	c.wait(func() { c.rows[k] = 1 }) // want `c.rows is read at line \d+ and written here in two functions sent to c.jobs`
	return true
}

func (c *counts) LenBad() int {
	return len(c.rows) // want `c.rows is measured with len without a lock.*.*, low`
}

// What is sent starts a goroutine: that one does not run in turn.
func (c *counts) LaterBad(k string) {
	c.jobs <- func() {
		go func() {
			c.rows[k]++ // want `c.rows is read here, then written at line 99, both without a lock.*, high`
		}()
	}
}

// Two goroutines run what they are sent: the channel is no lock.

type workers struct {
	jobs chan func()
	rows map[string]int
}

func newWorkers() *workers {
	p := &workers{jobs: make(chan func()), rows: make(map[string]int)}
	for range 2 {
		go p.work()
	}
	return p
}

func (p *workers) work() {
	for job := range p.jobs {
		job()
	}
}

// Silent: nothing tells which locks are held when the function runs. It would take
// the receiver's calls as calls of what is sent.
func (p *workers) FN_AddBad(k string) {
	p.jobs <- func() {
		if _, ok := p.rows[k]; !ok {
			p.rows[k] = 1
		}
	}
}

// The goroutine gives what it gets to others.

type spreads struct {
	jobs chan func()
	rows map[string]int
}

func newSpread() *spreads {
	s := &spreads{jobs: make(chan func()), rows: make(map[string]int)}
	go func() {
		for job := range s.jobs {
			go job()
		}
	}()
	return s
}

// Silent for the same reason.
func (s *spreads) FN_AddBad(k string) {
	s.jobs <- func() {
		if _, ok := s.rows[k]; !ok {
			s.rows[k] = 1
		}
	}
}

// The sender goes on when the function has begun, not when it has ended.

type begun struct {
	jobs chan func()
	rows map[string]int
}

func newBegun() *begun {
	h := &begun{jobs: make(chan func()), rows: make(map[string]int)}
	go h.work()
	return h
}

func (h *begun) work() {
	for job := range h.jobs {
		job()
	}
}

func (h *begun) begin(job func()) {
	begun := make(chan struct{})
	h.jobs <- func() {
		close(begun)
		job()
	}
	<-begun
}

func (h *begun) AddOk(k string) {
	h.begin(func() {
		if _, ok := h.rows[k]; !ok {
			h.rows[k] = 1
		}
	})
}
