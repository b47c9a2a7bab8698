package threads

import "sync"

// What a goroutine does once it has received something is done by that goroutine all the same, where what it has
// received is not the end of all that comes to the map.

type Switchboard struct {
	mu     sync.RWMutex
	lines  map[string]chan int
	calls  chan int
	rewire chan string
	done   chan struct{}
}

func NewSwitchboard() *Switchboard {
	s := &Switchboard{lines: map[string]chan int{}, calls: make(chan int), rewire: make(chan string), done: make(chan struct{})}
	return s
}

func (s *Switchboard) Open() {
	go func() {
		defer close(s.done)
		s.routeOk()
	}()
}

func (s *Switchboard) Close() {
	close(s.calls)
	<-s.done
}

func (s *Switchboard) Busy() (n int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, line := range s.lines {
		n += len(line)
	}
	return n
}

func (s *Switchboard) routeOk() {
	for {
		select {
		case name := <-s.rewire:
			s.plug(name)
		case call, ok := <-s.calls:
			if !ok {
				s.unplug()
				return
			}
			for _, line := range s.lines {
				line <- call
			}
		}
	}
}

func (s *Switchboard) plug(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[name] = make(chan int, 1)
}

func (s *Switchboard) unplug() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, line := range s.lines {
		close(line)
		delete(s.lines, name)
	}
}

// Others plug lines in as well.
type Patchboard struct {
	mu     sync.RWMutex
	lines  map[string]chan int
	calls  chan int
	rewire chan string
	done   chan struct{}
}

func NewPatchboard() *Patchboard {
	return &Patchboard{lines: map[string]chan int{}, calls: make(chan int), rewire: make(chan string), done: make(chan struct{})}
}

func (s *Patchboard) Open() {
	go func() {
		defer close(s.done)
		s.routeBad()
	}()
}

func (s *Patchboard) Close() {
	close(s.calls)
	<-s.done
}

func (s *Patchboard) routeBad() {
	for {
		select {
		case name := <-s.rewire:
			s.Plug(name)
		case call, ok := <-s.calls:
			if !ok {
				return
			}
			for _, line := range s.lines { // want `unguarded-access: s.lines`
				line <- call
			}
		}
	}
}

func (s *Patchboard) Plug(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[name] = make(chan int, 1)
}

// Two goroutines, each of which waits for work of its own.
type twoQueues struct {
	seen  map[string]int
	left  chan string
	right chan string
}

func serveQueuesBad() *twoQueues {
	q := &twoQueues{seen: map[string]int{}, left: make(chan string), right: make(chan string)}
	go q.takeLeft() // want `goroutine-race: twoQueues.seen`
	go q.takeRight()
	return q
}

func (q *twoQueues) takeLeft() {
	for {
		name, ok := <-q.left
		if !ok {
			return
		}
		q.seen[name] = 1
	}
}

func (q *twoQueues) takeRight() {
	for {
		name, ok := <-q.right
		if !ok {
			return
		}
		q.seen[name] = 1
	}
}
