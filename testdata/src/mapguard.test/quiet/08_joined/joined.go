// Package joined pins that after the other goroutines have ended, no lock is
// needed.
package joined

import "sync"

type conn struct{ id int }

type pool struct {
	mu sync.Mutex
	m  map[string]*conn // guarded by mu
}

func (p *pool) add(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m[k] = &conn{}
}

func (p *pool) waitGroupOk(keys []string) *conn {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.add(k)
		}()
	}
	wg.Wait()
	return p.m["a"]
}

func (p *pool) beforeTheWaitBad(keys []string) *conn {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { p.add(k) })
	}
	c := p.m["a"] // want `unguarded-access: .*p\.m`
	wg.Wait()
	return c
}

func (p *pool) channelOk(k string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.add(k)
	}()
	<-done
	if p.m[k] != nil {
		delete(p.m, k)
	}
}

// A local map filled by goroutines under a local mutex, read after the wait.
func localOk(keys []string) map[string]int {
	var (
		mu sync.Mutex
		wg sync.WaitGroup
	)
	out := make(map[string]int)
	for i, k := range keys {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			out[k] = i
		})
	}
	wg.Wait()
	if _, ok := out["a"]; !ok {
		out["a"] = 1
	}
	return out
}

// One goroutine after the other.
func oneAtATimeOk(keys []string) map[string]int {
	out := make(map[string]int)
	for i, k := range keys {
		done := make(chan struct{})
		go func() {
			out[k] = i
			close(done)
		}()
		<-done
	}
	return out
}

type server struct {
	quit, stopped chan struct{}
	m             map[string]*conn
}

func (s *server) start(in <-chan string) {
	go func() {
		defer close(s.stopped)
		for {
			select {
			case k := <-in:
				s.m[k] = &conn{}
			case <-s.quit:
				return
			}
		}
	}()
}

// StopOk waits for the loop to end.
func (s *server) StopOk() {
	close(s.quit)
	<-s.stopped
	for k := range s.m {
		delete(s.m, k)
	}
}
