package threads

import (
	"sync"
	"sync/atomic"
)

// Who closes it stops it first, and waits for its goroutine: unless another one stops it already,
// or it does not run.
type Gauge struct {
	wg      sync.WaitGroup
	stopped atomic.Bool
	ticks   chan string
	counts  map[string]int
}

func NewGauge() *Gauge {
	g := &Gauge{ticks: make(chan string), counts: make(map[string]int)}
	g.stopped.Store(true)
	return g
}

func (g *Gauge) Start() {
	if !g.stopped.CompareAndSwap(true, false) {
		return
	}
	g.wg.Add(1)
	go g.loop()
}

func (g *Gauge) loop() {
	defer g.wg.Done()
	for k := range g.ticks {
		g.countOk(k)
	}
}

func (g *Gauge) countOk(k string) { g.counts[k]++ }

func (g *Gauge) Stop() {
	if !g.stopped.CompareAndSwap(false, true) {
		return
	}
	close(g.ticks)
	g.wg.Wait()
}

func (g *Gauge) Close() int {
	g.Stop()
	g.countOk("closed")
	return len(g.counts)
}

// This one does not wait where it has something to do.
type Dial struct {
	wg      sync.WaitGroup
	running bool
	quick   bool
	ticks   chan string
	counts  map[string]int
}

func (d *Dial) Start() {
	d.running = true
	d.wg.Add(1)
	go d.loop()
}

func (d *Dial) loop() {
	defer d.wg.Done()
	for k := range d.ticks {
		d.countBad(k)
	}
}

func (d *Dial) countBad(k string) { d.counts[k]++ } // want `check-then-act: .*d\.counts`

func (d *Dial) Stop() {
	close(d.ticks)
	if d.quick {
		return
	}
	d.wg.Wait()
}

func (d *Dial) Close() {
	d.Stop()
	d.countBad("closed")
}

// A setting that is there for good does not say that nothing runs.
type Tacho struct {
	wg     sync.WaitGroup
	stays  bool
	ticks  chan string
	counts map[string]int
}

func (m *Tacho) Start() {
	m.wg.Add(1)
	go m.loop()
}

func (m *Tacho) loop() {
	defer m.wg.Done()
	for k := range m.ticks {
		m.countBad(k)
	}
}

func (m *Tacho) countBad(k string) { m.counts[k]++ } // want `check-then-act: .*m\.counts`

func (m *Tacho) Stop() {
	if m.stays {
		return
	}
	close(m.ticks)
	m.wg.Wait()
}

func (m *Tacho) Close() {
	m.Stop()
	m.countBad("closed")
}
