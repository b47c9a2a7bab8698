package threads

import "sync"

// One loop owns the state of an object. Exported methods of a type whose values
// stay inside are not called from elsewhere.

type ledger struct{ open map[int]string }

func (l *ledger) Take(id int, s string) {
	if _, ok := l.open[id]; !ok {
		l.open[id] = s
	}
}

func (l *ledger) Drop(id int) { delete(l.open, id) }

type Session struct {
	l    *ledger
	in   chan int
	quit chan struct{}
}

func (s *Session) loopOk() {
	for {
		select {
		case id := <-s.in:
			s.l.Take(id, "x")
			s.l.Drop(id - 1)
		case <-s.quit:
			return
		}
	}
}

func Open() *Session {
	s := &Session{l: &ledger{open: make(map[int]string)}, in: make(chan int), quit: make(chan struct{})}
	go s.loopOk()
	return s
}

func (s *Session) Send(id int) { s.in <- id }

// The same, and the state is handed out as an interface.

type Closer interface{ Forget(id int) }

type leaves struct{ open map[int]string }

func (l *leaves) takeBad(id int) {
	l.open[id] = "x" // want `l\.open is written`
}

func (l *leaves) Forget(id int) {
	delete(l.open, id) // of the finding above
}

type Leaky struct {
	l  *leaves
	in chan int
}

func (s *Leaky) loop() {
	for id := range s.in {
		s.l.takeBad(id)
	}
}

func (s *Leaky) Closer() Closer { return s.l }

func OpenLeaky() *Leaky {
	s := &Leaky{l: &leaves{open: make(map[int]string)}, in: make(chan int)}
	go s.loop()
	return s
}

// The same, and a method value goes where others call it.

type timers struct{ due map[int]bool }

func (t *timers) setBad(i int) {
	t.due[i] = true // want `t\.due is written`
}

func (t *timers) expire(i int) {
	delete(t.due, i) // of the finding above
}

type Timed struct {
	t      *timers
	in     chan int
	Expire func(int)
}

func (s *Timed) loop() {
	for i := range s.in {
		s.t.setBad(i)
	}
}

func OpenTimed() *Timed {
	s := &Timed{t: &timers{due: make(map[int]bool)}, in: make(chan int)}
	s.Expire = s.t.expire
	go s.loop()
	return s
}

// The loop is the only one that inserts: two sections do it no harm.

type feed struct {
	mu   sync.Mutex
	live map[int]*int
}

func NewFeed(in chan int) *feed {
	f := &feed{live: make(map[int]*int)}
	go func() {
		for i := range in {
			if !f.has(i) {
				f.addOk(i)
			}
		}
	}()
	return f
}

func (f *feed) has(i int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.live[i]
	return ok
}

func (f *feed) addOk(i int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live[i] = new(int)
}

func (f *feed) Remove(i int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.live, i)
}

// Callers insert, too.

type Feed struct {
	mu   sync.Mutex
	live map[int]*int
}

func OpenFeed(in chan int) *Feed {
	f := &Feed{live: make(map[int]*int)}
	go func() {
		for i := range in {
			if !f.has(i) {
				f.Put(i) // want `split-lock: .*Feed\.live.*, low`
			}
		}
	}()
	return f
}

func (f *Feed) has(i int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.live[i]
	return ok
}

func (f *Feed) Put(i int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.live[i] = new(int)
}

// As many answers as goroutines.

func AllAnswersOk() int {
	m, done := make(map[string]int), make(chan bool)
	go func() { m["a"] = 1; done <- true }()
	go func() { done <- true }()
	for range 2 {
		<-done
	}
	return len(m)
}

func AnswersInTurnOk() int {
	m, done := make(map[string]int), make(chan bool)
	go func() { m["a"] = 1; done <- true }()
	<-done
	go func() { m["b"] = 1; done <- true }()
	<-done
	return len(m)
}

func FewerAnswersBad() int {
	m, done := make(map[string]int), make(chan bool, 2)
	go func() { m["a"] = 1; done <- true }() // want `goroutine-race: `
	go func() { done <- true }()
	<-done
	return len(m)
}

func FewerRoundsBad() int {
	m, done := make(map[string]int), make(chan bool, 3)
	go func() { m["a"] = 1; done <- true }() // want `goroutine-race: `
	go func() { done <- true }()
	go func() { done <- true }()
	for i := 0; i < 2; i++ {
		<-done
	}
	return len(m)
}
