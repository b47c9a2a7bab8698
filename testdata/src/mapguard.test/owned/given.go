package owned

// A batch collects what comes in, and gives what it has to a goroutine, which has it alone from then on.
type batch struct {
	waiting map[string]int
	in      chan string
}

func newBatch() *batch {
	b := &batch{waiting: map[string]int{}, in: make(chan string)}
	go b.run()
	return b
}

func (b *batch) run() {
	flush := func() {
		go b.sendOk(b.waiting)
		b.waiting = make(map[string]int)
	}
	for s := range b.in {
		b.waiting[s]++
		switch len(b.waiting) {
		case 1:
			go b.sendNextOk(b.waiting)
			b.waiting = make(map[string]int)
		case 2:
			w := b.waiting
			b.waiting = make(map[string]int)
			go b.sendBeforeOk(w)
		case 3:
			w := b.waiting
			go func() { b.report(len(w)) }()
			b.waiting = nil
		case 4:
			flush()
		}
	}
}

func (b *batch) report(int) {}

func (b *batch) sendOk(m map[string]int) {
	b.report(len(m))
}

func (b *batch) sendNextOk(m map[string]int) {
	for range m {
	}
}

func (b *batch) sendBeforeOk(m map[string]int) {
	for range m {
	}
}

// Those below keep, or use, what they give away.
type keeper struct{ waiting map[string]int }

func (c *keeper) run(in chan string) {
	for s := range in {
		w := c.waiting
		go c.sendBad(w)
		c.waiting = make(map[string]int)
		w[s]++
	}
}

func (c *keeper) sendBad(m map[string]int) {
	for range m { // want `goroutine-race: c\.waiting is ranged over in a goroutine`
	}
}

type hasty struct{ waiting map[string]int }

func (c *hasty) run(in chan string) {
	for s := range in {
		go c.sendBad(c.waiting)
		c.waiting[s]++
		c.waiting = make(map[string]int)
	}
}

func (c *hasty) sendBad(m map[string]int) {
	for range m { // want `goroutine-race: c\.waiting is ranged over in a goroutine`
	}
}

type unsure struct{ waiting map[string]int }

func (c *unsure) run(in chan string) {
	for s := range in {
		c.waiting[s]++
		go c.sendBad(c.waiting)
		if s != "" {
			c.waiting = make(map[string]int)
		}
	}
}

func (c *unsure) sendBad(m map[string]int) {
	for range m { // want `goroutine-race: c\.waiting is ranged over in a goroutine`
	}
}

type restorer struct{ waiting map[string]int }

func (c *restorer) run(in chan string) {
	for s := range in {
		c.waiting[s]++
		w := c.waiting
		go c.sendBad(w)
		c.waiting = w
	}
}

func (c *restorer) sendBad(m map[string]int) {
	for range m { // want `goroutine-race: c\.waiting is ranged over in a goroutine`
	}
}

// What a literal captures, and uses beside it.
type careless struct{ waiting map[string]int }

func (c *careless) runBad(in chan string) {
	for s := range in {
		w := c.waiting
		go func() {
			for range w { // want `goroutine-race: c\.waiting is ranged over in a goroutine`
			}
		}()
		c.waiting = make(map[string]int)
		w[s]++
	}
}
