package threads

import (
	"sync"
	"time"
)

// The loop and Stop share the map: Stop comes to it once the loop has ended, by way of a
// helper that waits and closes a channel, on which it waits for some time only.

type stoppedOk struct {
	seen map[string]int
	in   chan string
	stop chan struct{}
	wg   sync.WaitGroup
}

func (s *stoppedOk) Start() {
	s.seen = make(map[string]int)
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		for {
			select {
			case k := <-s.in:
				s.count(k)
			case <-s.stop:
				return
			}
		}
	}()
}

func (s *stoppedOk) count(k string) {
	if _, ok := s.seen[k]; !ok {
		s.seen[k] = len(k)
	}
}

func (s *stoppedOk) Stop() {
	close(s.stop)
	ended := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Second):
		return
	}
	s.count("last")
}

// After the time it goes on all the same.

type hastyBad struct {
	seen map[string]int
	in   chan string
	stop chan struct{}
	wg   sync.WaitGroup
}

func (s *hastyBad) Start() {
	s.seen = make(map[string]int)
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		for {
			select {
			case k := <-s.in:
				s.count(k)
			case <-s.stop:
				return
			}
		}
	}()
}

func (s *hastyBad) count(k string) {
	if _, ok := s.seen[k]; !ok { // want `check-then-act`
		s.seen[k] = len(k)
	}
}

func (s *hastyBad) Stop() {
	close(s.stop)
	ended := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Second):
	}
	s.count("last")
}

// It waits for another group than the loop's.

type otherGroupBad struct {
	seen     map[string]int
	in       chan string
	stop     chan struct{}
	wg, more sync.WaitGroup
}

func (s *otherGroupBad) Start() {
	s.seen = make(map[string]int)
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		for {
			select {
			case k := <-s.in:
				s.count(k)
			case <-s.stop:
				return
			}
		}
	}()
}

func (s *otherGroupBad) count(k string) {
	if _, ok := s.seen[k]; !ok { // want `check-then-act`
		s.seen[k] = len(k)
	}
}

func (s *otherGroupBad) Stop() {
	close(s.stop)
	s.more.Wait()
	s.count("last")
}

// The case of the select that is a wish to stop is no wait for the loop.

type toldBad struct {
	seen map[string]int
	in   chan string
	stop chan struct{}
}

func (s *toldBad) Start() {
	s.seen = make(map[string]int)
	go func() {
		for k := range s.in {
			s.count(k)
		}
	}()
}

func (s *toldBad) count(k string) {
	if _, ok := s.seen[k]; !ok { // want `check-then-act`
		s.seen[k] = len(k)
	}
}

func (s *toldBad) Stop() { close(s.stop) }

func (s *toldBad) Last() {
	select {
	case <-s.stop:
	case <-time.After(time.Second):
		return
	}
	s.count("last")
}

// The loop makes its channel when it begins, and closes it at its end; where there is
// none, it has not begun.

type begunOk struct {
	mu    sync.Mutex
	ended chan struct{}
	seen  map[string]int
	in    chan string
}

func (b *begunOk) Start() {
	go b.run()
}

func (b *begunOk) run() {
	b.mu.Lock()
	b.ended = make(chan struct{})
	b.mu.Unlock()
	defer close(b.ended)
	for k := range b.in {
		b.seen[k]++
	}
}

func (b *begunOk) Stop() int {
	b.mu.Lock()
	ended := b.ended
	b.mu.Unlock()
	if ended != nil {
		<-ended
	}
	n := 0
	for range b.seen {
		n++
	}
	return n
}

// It waits where there is no need, and not where there is.

type reversedBad struct {
	mu    sync.Mutex
	ended chan struct{}
	seen  map[string]int
	in    chan string
}

func (b *reversedBad) Start() {
	go b.run()
}

func (b *reversedBad) run() {
	b.mu.Lock()
	b.ended = make(chan struct{})
	b.mu.Unlock()
	defer close(b.ended)
	for k := range b.in {
		b.seen[k]++ // want `unguarded-access`
	}
}

func (b *reversedBad) Stop() int {
	b.mu.Lock()
	ended := b.ended
	b.mu.Unlock()
	if ended == nil {
		<-ended
	}
	n := 0
	for range b.seen {
		n++
	}
	return n
}
