package crew

import "sync"

// In each of these the channel may be closed while something runs.

// A Once keeps a channel that was closed.
type Once struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Once) Add(f func()) {
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
	go c.work(f)
}

func (c *Once) work(f func()) {
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Once) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// A Gap lets go of its lock before it counts.
type Gap struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Gap) Add(f func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.mu.Unlock()
	c.mu.Lock()
	c.busy++
	c.mu.Unlock()
	go c.work(f)
}

func (c *Gap) work(f func()) {
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Gap) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// A Soon counts down first.
type Soon struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Soon) Add(f func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	go c.work(f)
}

func (c *Soon) work(f func()) {
	c.mu.Lock()
	c.busy--
	c.mu.Unlock()
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Soon) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// A Tidy tidies up when it has counted down.
type Tidy struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Tidy) Add(f, tidy func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	go c.work(f, tidy)
}

func (c *Tidy) work(f, tidy func()) {
	defer tidy()
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Tidy) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// A Twin has a second one done beside the first.
type Twin struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Twin) Add(f, twin func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	go c.work(f, twin)
}

func (c *Twin) work(f, twin func()) {
	go twin()
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Twin) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// A Rush does not count what is urgent.
type Rush struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Rush) Add(f func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	if c.busy > 4 {
		go f()
	}
	go c.work(f)
}

func (c *Rush) work(f func()) {
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Rush) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// A Quits can be left.
type Quits struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Quits) Add(f func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	go c.work(f)
}

func (c *Quits) work(f func()) {
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Quits) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// Quit lets those go on who wait.
func (c *Quits) Quit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
	}
	defer close(c.over)
}

// A Helped has its channel closed by others.
type Helped struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Helped) Add(f func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	go c.work(f)
}

func (c *Helped) work(f func()) {
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Helped) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// Quit lets those go on who wait.
func (c *Helped) Quit() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over != nil {
		shut(c.over)
		c.over = nil
	}
}

func shut(ch chan struct{}) { close(ch) }

// A Forgets can forget what it has counted.
type Forgets struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Forgets) Add(f func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	go c.work(f)
}

func (c *Forgets) work(f func()) {
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Forgets) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// Forget gives up what still runs.
func (c *Forgets) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy = 0
}

// A Blanks can be as new.
type Blanks struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Blanks) Add(f func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	go c.work(f)
}

func (c *Blanks) work(f func()) {
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Blanks) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// Renew makes it as new.
func (c *Blanks) Renew() { *c = Blanks{} }

// A Lent gets its channel from others.
type Lent struct {
	mu   sync.Mutex
	busy int
	over chan struct{}
}

// Add has f done beside.
func (c *Lent) Add(f func()) {
	c.mu.Lock()
	if c.busy == 0 {
		c.over = nil
	}
	c.busy++
	c.mu.Unlock()
	go c.work(f)
}

func (c *Lent) work(f func()) {
	f()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.busy--; c.busy == 0 && c.over != nil {
		close(c.over)
	}
}

// Over gives a channel that is closed when all is done.
func (c *Lent) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over == nil {
		c.over = make(chan struct{})
		if c.busy == 0 {
			close(c.over)
		}
	}
	return c.over
}

// Lend makes one that says on a channel when it is done.
func Lend(over chan struct{}) *Lent { return &Lent{over: over} }
