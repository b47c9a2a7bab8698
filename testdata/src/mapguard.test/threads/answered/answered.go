// Package answered has goroutines that answer when they end.
package answered

import "sync"

// Each meter is told to end, and answers on the channel that it gets with that.

type meter struct {
	tell func(string)
	ends chan chan struct{}
	more chan string
}

func (m *meter) work() {
	for {
		select {
		case s := <-m.more:
			m.tell(s)
		case over := <-m.ends:
			close(over)
			return
		}
	}
}

func (m *meter) halt() {
	over := make(chan struct{})
	m.ends <- over
	<-over
}

type station struct {
	mu     sync.Mutex
	seen   map[string]int // guarded by mu
	meters map[string]*meter
}

// NewStation makes a station.
func NewStation(names []string) *station {
	s := &station{seen: make(map[string]int), meters: make(map[string]*meter)}
	for _, name := range names {
		s.meters[name] = &meter{tell: s.note, ends: make(chan chan struct{}), more: make(chan string)}
	}
	return s
}

func (s *station) Begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.meters {
		go m.work()
	}
}

func (s *station) note(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[name] == 0 {
		s.seen[name] = 1
	}
}

func (s *station) EndOk() {
	s.mu.Lock()
	all := s.meters
	s.meters = nil
	s.mu.Unlock()
	for _, m := range all {
		m.halt()
	}
	for name := range s.seen {
		delete(s.seen, name)
	}
}

func (s *station) ResetOk() {
	for _, m := range s.meters {
		m.halt()
	}
	s.seen = nil
}

func (s *station) CopiedOk() {
	all := make(map[string]*meter)
	s.mu.Lock()
	for name, m := range s.meters {
		all[name] = m
	}
	s.mu.Unlock()
	for _, m := range all {
		m.halt()
	}
	clear(s.seen)
}

// One has ended, the others go on.
func (s *station) DropBad(name string) {
	s.mu.Lock()
	m := s.meters[name]
	delete(s.meters, name)
	s.mu.Unlock()
	m.halt()
	delete(s.seen, name) // want `s\.seen is deleted without mu`
}

// The loop may end early.
func (s *station) SomeBad(n int) {
	for _, m := range s.meters {
		if n--; n < 0 {
			break
		}
		m.halt()
	}
	clear(s.seen) // want `s\.seen is changed as a whole without mu`
}

// Some are left out.
func (s *station) OthersBad(keep string) {
	for name, m := range s.meters {
		if name == keep {
			continue
		}
		m.halt()
	}
	clear(s.seen) // want `s\.seen is changed as a whole without mu`
}

// So they are of a copy.
func (s *station) PartBad(keep string) {
	all := make(map[string]*meter)
	for name, m := range s.meters {
		if name != keep {
			all[name] = m
		}
	}
	for _, m := range all {
		m.halt()
	}
	clear(s.seen) // want `s\.seen is changed as a whole without mu`
}

// It is told, and no one waits.
func (s *station) ToldBad() {
	for _, m := range s.meters {
		m.ends <- make(chan struct{}, 1)
	}
	clear(s.seen) // want `s\.seen is changed as a whole without mu`
}

// The answer comes first, the last work later.
type gauge struct {
	tell func(string)
	ends chan chan struct{}
	more chan string
}

func (g *gauge) work() {
	for {
		select {
		case s := <-g.more:
			g.tell(s)
		case over := <-g.ends:
			over <- struct{}{}
			g.tell("end")
			return
		}
	}
}

func (g *gauge) halt() {
	over := make(chan struct{})
	g.ends <- over
	<-over
}

type gauges struct {
	mu   sync.Mutex
	seen map[string]int
	list []*gauge
}

// NewGauges makes gauges.
func NewGauges(n int) *gauges {
	s := &gauges{seen: make(map[string]int)}
	for range n {
		s.list = append(s.list, &gauge{tell: s.note, ends: make(chan chan struct{}), more: make(chan string)})
	}
	return s
}

func (s *gauges) Begin() {
	for _, g := range s.list {
		go g.work()
	}
}

func (s *gauges) note(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[name]++
}

func (s *gauges) EndBad() {
	for _, g := range s.list {
		g.halt()
	}
	clear(s.seen) // want `s\.seen is changed as a whole without mu`
}

// There are two for each object, and one of them answers.
type clock struct {
	tell func(string)
	ends chan chan<- int
	more chan string
}

func (c *clock) work() {
	for {
		select {
		case s := <-c.more:
			c.tell(s)
		case over := <-c.ends:
			over <- 1
			return
		}
	}
}

func (c *clock) halt() {
	over := make(chan int)
	c.ends <- over
	<-over
}

type clocks struct {
	mu   sync.Mutex
	seen map[string]int
	list []*clock
}

// NewClocks makes clocks.
func NewClocks(n int) *clocks {
	s := &clocks{seen: make(map[string]int)}
	for range n {
		s.list = append(s.list, &clock{tell: s.note, ends: make(chan chan<- int), more: make(chan string)})
	}
	return s
}

func (s *clocks) Begin() {
	for _, c := range s.list {
		for range 2 {
			go c.work()
		}
	}
}

func (s *clocks) note(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[name]++
}

func (s *clocks) EndBad() {
	for _, c := range s.list {
		c.halt()
	}
	clear(s.seen) // want `s\.seen is changed as a whole without mu`
}

// One for each, in a list; the goroutine does what it does after a signal with what is its own.
type timer struct {
	tell func(string)
	ends chan chan<- int
	more chan string
}

func (t *timer) start() {
	go func() {
		defer close(t.more)
		t.work()
	}()
}

func (t *timer) work() {
	for {
		select {
		case s := <-t.more:
			t.tell(s)
		case over, ok := <-t.ends:
			if ok {
				over <- 1
			}
			return
		}
	}
}

func (t *timer) halt(late <-chan int) bool {
	over := make(chan int)
	select {
	case t.ends <- over:
	case <-late:
		return false
	}
	<-over
	return true
}

type timers struct {
	mu   sync.Mutex
	seen map[string]int
	list []*timer
}

// NewTimers makes timers.
func NewTimers(n int) *timers {
	s := &timers{seen: make(map[string]int)}
	for range n {
		t := &timer{tell: s.note, ends: make(chan chan<- int), more: make(chan string)}
		t.start()
		s.list = append(s.list, t)
	}
	return s
}

func (s *timers) note(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[name]++
}

func (s *timers) EndOk() {
	for _, t := range s.list {
		over := make(chan int)
		t.ends <- over
		<-over
	}
	clear(s.seen)
}

// Who gives up has not waited.
func (s *timers) EndLateBad(late <-chan int) {
	for _, t := range s.list {
		t.halt(late)
	}
	clear(s.seen) // want `s\.seen is changed as a whole without mu`
}
