package messages

import "sync"

type slot struct{ ch chan int }

// One goroutine alone makes the pair: another one makes another step in between.
type rack struct {
	mu    sync.Mutex
	slots map[string]*slot
	in    chan string
}

// NewRack makes a rack with its goroutine.
func NewRack() *rack {
	r := &rack{slots: make(map[string]*slot), in: make(chan string)}
	go r.loopBad()
	return r
}

func (r *rack) loopBad() {
	for k := range r.in {
		r.mu.Lock()
		s, ok := r.slots[k]
		r.mu.Unlock()
		if ok {
			s.ch <- 1
			r.mu.Lock()
			r.slots[k] = &slot{s.ch} // reported
			r.mu.Unlock()
		}
		r.settle(k)
	}
}

func (r *rack) settle(k string) { r.clear(k) }

// clear is a step of the same goroutine.
func (r *rack) clear(k string) {
	r.mu.Lock()
	delete(r.slots, k+".old")
	r.mu.Unlock()
}

func (r *rack) Drop(k string) {
	r.mu.Lock()
	delete(r.slots, k)
	r.mu.Unlock()
}

// Two goroutines make it.
type shelf struct {
	mu    sync.Mutex
	slots map[string]*slot
	in    chan string
}

// NewShelf makes a shelf with its goroutines.
func NewShelf() *shelf {
	s := &shelf{slots: make(map[string]*slot), in: make(chan string)}
	go s.loopBad()
	go s.loopBad()
	return s
}

func (s *shelf) loopBad() {
	for k := range s.in {
		s.mu.Lock()
		old, ok := s.slots[k]
		s.mu.Unlock()
		if ok {
			old.ch <- 1
			s.mu.Lock()
			s.slots[k] = &slot{old.ch} // reported
			s.mu.Unlock()
		}
	}
}

func (s *shelf) Drop(k string) {
	s.mu.Lock()
	delete(s.slots, k)
	s.mu.Unlock()
}

// What is put in where it was found, while another goroutine takes it out, comes back.
type board struct {
	notes sync.Map
	in    chan string
}

// NewBoard makes a board with its goroutine.
func NewBoard() *board {
	b := &board{in: make(chan string)}
	go b.loopBad()
	return b
}

func (b *board) loopBad() {
	for k := range b.in {
		v, ok := b.notes.Load(k)
		if !ok {
			continue
		}
		b.notes.Store(k, v.(int)+1) // reported
	}
}

func (b *board) Pin(k string) { b.notes.LoadOrStore(k, 1) }

func (b *board) Drop(k string) { b.notes.Delete(k) }

// One goroutine alone takes out what it has found, and says so.
type bin struct {
	mu    sync.Mutex
	slots map[string]*slot
	in    chan string
	out   chan bool
}

// NewBin makes a bin with its goroutine.
func NewBin() *bin {
	b := &bin{slots: make(map[string]*slot), in: make(chan string), out: make(chan bool)}
	go b.loop()
	return b
}

func (b *bin) loop() {
	for k := range b.in {
		b.out <- b.takeBad(k)
	}
}

func (b *bin) takeBad(k string) bool {
	b.mu.Lock()
	s, ok := b.slots[k]
	b.mu.Unlock()
	if !ok {
		return false
	}
	close(s.ch)
	b.mu.Lock()
	delete(b.slots, k) // reported
	b.mu.Unlock()
	return true
}

func (b *bin) Put(k string) {
	b.mu.Lock()
	b.slots[k] = &slot{make(chan int)}
	b.mu.Unlock()
}
