package threads

import "sync"

// The loop signals on a group of the one who starts it, who waits for that before it comes to the loop's map.

type gatherer struct {
	rows map[string]int
	in   chan string
	quit chan struct{}
}

func (c *gatherer) begin(running *sync.WaitGroup) {
	running.Add(1)
	go c.collect(running)
}

func (c *gatherer) collect(running *sync.WaitGroup) {
	defer running.Done()
	for {
		select {
		case k := <-c.in:
			c.rows[k]++
		case <-c.quit:
			return
		}
	}
}

type stationOk struct {
	c       *gatherer
	running sync.WaitGroup
}

func newStationOk() *stationOk {
	return &stationOk{c: &gatherer{rows: make(map[string]int), in: make(chan string), quit: make(chan struct{})}}
}

func (s *stationOk) Begin() { s.c.begin(&s.running) }

func (s *stationOk) End() {
	close(s.c.quit)
	s.running.Wait()
	for k := range s.c.rows {
		delete(s.c.rows, k)
	}
}

// Here the one who ends it does not wait.

type hastyCollector struct {
	rows map[string]int
	in   chan string
	quit chan struct{}
}

func (c *hastyCollector) beginBad(running *sync.WaitGroup) {
	running.Add(1)
	go func() {
		defer running.Done()
		for {
			select {
			case k := <-c.in:
				c.rows[k]++ // want `check-then-act: c.rows is read here, then written`
			case <-c.quit:
				return
			}
		}
	}()
}

type hastyStation struct {
	c       *hastyCollector
	running sync.WaitGroup
}

func newHastyStation() *hastyStation {
	return &hastyStation{c: &hastyCollector{rows: make(map[string]int), in: make(chan string), quit: make(chan struct{})}}
}

func (s *hastyStation) Begin() { s.c.beginBad(&s.running) }

func (s *hastyStation) End() {
	close(s.c.quit)
	for k := range s.c.rows {
		delete(s.c.rows, k)
	}
	s.running.Wait()
}

// Of two that are started, it waits for the first one alone.

type lateCollector struct {
	rows map[string]int
	in   chan string
	quit chan struct{}
}

func (c *lateCollector) beginBad(running *sync.WaitGroup) {
	running.Add(1)
	go func() {
		defer running.Done()
		for {
			select {
			case k := <-c.in:
				c.rows[k]++ // want `check-then-act: c.rows is read here, then written`
			case <-c.quit:
				return
			}
		}
	}()
}

type lateStation struct {
	first, second *lateCollector
	running, late sync.WaitGroup
}

func newLateStation() *lateStation {
	made := func() *lateCollector {
		return &lateCollector{rows: make(map[string]int), in: make(chan string), quit: make(chan struct{})}
	}
	return &lateStation{first: made(), second: made()}
}

func (s *lateStation) Begin() {
	s.first.beginBad(&s.running)
	s.second.beginBad(&s.late)
}

func (s *lateStation) End() {
	s.running.Wait()
	for k := range s.second.rows {
		delete(s.second.rows, k)
	}
	s.late.Wait()
}

// It is started through an interface, by one that has several.

type part interface {
	Launch(*sync.WaitGroup)
	Halt()
}

type pump struct {
	jobs map[string]bool
	in   chan string
	halt chan struct{}
}

func (p *pump) Launch(up *sync.WaitGroup) {
	up.Add(1)
	go func() {
		defer up.Done()
		for {
			select {
			case <-p.halt:
				return
			case k := <-p.in:
				if !p.jobs[k] {
					p.jobs[k] = true
				}
			}
		}
	}()
}

func (p *pump) Halt() { close(p.halt) }

func (p *pump) restOk() (rest []string) {
	for k := range p.jobs {
		rest = append(rest, k)
		delete(p.jobs, k)
	}
	return rest
}

type plant struct {
	parts []part
	pump  *pump
	up    sync.WaitGroup
}

func newPlant() *plant {
	p := &pump{jobs: make(map[string]bool), in: make(chan string), halt: make(chan struct{})}
	return &plant{parts: []part{p}, pump: p}
}

func (p *plant) Launch() {
	for _, x := range p.parts {
		x.Launch(&p.up)
	}
}

func (p *plant) Halt() []string {
	for _, x := range p.parts {
		x.Halt()
	}
	p.up.Wait()
	return p.pump.restOk()
}

// The group comes with the object, by its constructor.

type ticker struct {
	group *sync.WaitGroup
	seen  map[int]bool
	in    chan int
}

func newTicker(group *sync.WaitGroup) *ticker {
	return &ticker{group: group, seen: make(map[int]bool), in: make(chan int)}
}

func (t *ticker) run() {
	t.group.Add(1)
	go func() {
		defer t.group.Done()
		for n := range t.in {
			if !t.seen[n] {
				t.seen[n] = true
			}
		}
	}()
}

type towerOk struct {
	t  *ticker
	wg sync.WaitGroup
}

func newTowerOk() *towerOk {
	w := &towerOk{}
	w.t = newTicker(&w.wg)
	return w
}

func (w *towerOk) Start() { w.t.run() }

func (w *towerOk) Put(n int) { w.t.in <- n }

func (w *towerOk) Stop() {
	close(w.t.in)
	w.wg.Wait()
	for n := range w.t.seen {
		delete(w.t.seen, n)
	}
}

// The same, but it waits for another group than its ticker has.

type oddTicker struct {
	group *sync.WaitGroup
	seen  map[int]bool
	in    chan int
}

func newOddTicker(group *sync.WaitGroup) *oddTicker {
	return &oddTicker{group: group, seen: make(map[int]bool), in: make(chan int)}
}

func (t *oddTicker) runBad() {
	t.group.Add(1)
	go func() {
		defer t.group.Done()
		for n := range t.in {
			t.seen[n] = true // want `unguarded-access: t.seen is written without a lock`
		}
	}()
}

type oddTower struct {
	t         *oddTicker
	wg, other sync.WaitGroup
}

func newOddTower() *oddTower {
	w := &oddTower{}
	w.t = newOddTicker(&w.other)
	return w
}

func (w *oddTower) Start() { w.t.runBad() }

func (w *oddTower) Put(n int) { w.t.in <- n }

func (w *oddTower) StopBad() {
	close(w.t.in)
	w.wg.Wait()
	for n := range w.t.seen { // want `check-then-act: w.t.seen is ranged over here, then deleted`
		delete(w.t.seen, n)
	}
}
