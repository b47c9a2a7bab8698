package callbacks

import (
	"context"
	"sync"
)

// A runner waits for each goroutine that runs what it gets. What those start besides may go on.

type sheet struct {
	names []string
	hits  chan string
}

// within gives up before what it runs has ended.
func within(ctx context.Context, work func() int) int {
	result := make(chan int, 1)
	go func() { result <- work() }()
	select {
	case n := <-result:
		return n
	case <-ctx.Done():
		return -1
	}
}

func (s *sheet) tell(ctx context.Context, found func(string, int)) {
	over := make(chan bool, len(s.names))
	for _, name := range s.names {
		go func() {
			if n := within(ctx, func() int { return len(name) }); n >= 0 {
				found(name, n)
			}
			over <- true
		}()
	}
	for range s.names {
		<-over
	}
}

func asideOk(ctx context.Context, s *sheet) int {
	sizes, mu := make(map[string]int), sync.Mutex{}
	s.tell(ctx, func(name string, n int) {
		mu.Lock()
		sizes[name] = n
		mu.Unlock()
	})
	delete(sizes, "")
	return len(sizes)
}

// Here the one that may go on runs it.
func (s *sheet) tellInside(ctx context.Context, found func(string) int) {
	over := make(chan bool, len(s.names))
	for _, name := range s.names {
		go func() {
			within(ctx, func() int { return found(name) })
			over <- true
		}()
	}
	for range s.names {
		<-over
	}
}

func asideInsideBad(ctx context.Context, s *sheet) int {
	sizes, mu := make(map[string]int), sync.Mutex{}
	s.tellInside(ctx, func(name string) int {
		mu.Lock()
		defer mu.Unlock()
		sizes[name]++ // want `goroutine-race: sizes`
		return len(sizes)
	})
	delete(sizes, "")
	return len(sizes)
}

// As it is, without a literal in between.
func (s *sheet) tellThrough(ctx context.Context, found func() int) {
	over := make(chan bool, len(s.names))
	for range s.names {
		go func() {
			within(ctx, found)
			over <- true
		}()
	}
	for range s.names {
		<-over
	}
}

func asideThroughBad(ctx context.Context, s *sheet) int {
	sizes, mu := make(map[string]int), sync.Mutex{}
	s.tellThrough(ctx, func() int {
		mu.Lock()
		defer mu.Unlock()
		sizes["all"]++ // want `goroutine-race: sizes`
		return len(sizes)
	})
	delete(sizes, "")
	return len(sizes)
}

// The goroutine says that it has ended before it has.
func (s *sheet) tellEarly(ctx context.Context, found func(string, int)) {
	over := make(chan bool, len(s.names))
	for _, name := range s.names {
		go func() {
			n := within(ctx, func() int { return len(name) })
			go func() { found(name, n) }()
			over <- true
		}()
	}
	for range s.names {
		<-over
	}
}

func asideEarlyBad(ctx context.Context, s *sheet) int {
	sizes, mu := make(map[string]int), sync.Mutex{}
	s.tellEarly(ctx, func(name string, n int) {
		mu.Lock()
		defer mu.Unlock()
		sizes[name] = n // want `goroutine-race: sizes`
	})
	delete(sizes, "")
	return len(sizes)
}

// One is left running where there are none to wait for.
func (s *sheet) tellUnheard(ctx context.Context, found func(string, int)) {
	for _, name := range s.names {
		go func() {
			n := within(ctx, func() int { return len(name) })
			found(name, n)
			s.hits <- name
		}()
	}
}

func asideUnheardBad(ctx context.Context, s *sheet) int {
	sizes, mu := make(map[string]int), sync.Mutex{}
	s.tellUnheard(ctx, func(name string, n int) {
		mu.Lock()
		defer mu.Unlock()
		sizes[name] = n // want `goroutine-race: sizes`
	})
	delete(sizes, "")
	return len(sizes)
}
