package races

import (
	"sync"
	"time"
)

// Joined, relayed and confined in the ways of servers and worker pools.

// The collector has the map until it says that it is done.
func collectorOk(keys []string) map[string]int {
	type pair struct {
		k string
		n int
	}
	jobs, results, done := make(chan string), make(chan pair), make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := range jobs {
				results <- pair{k, len(k)}
			}
		}()
	}
	out := make(map[string]int)
	go func() {
		defer close(done)
		for r := range results {
			out[r.k] = r.n
		}
	}()
	for _, k := range keys {
		jobs <- k
	}
	close(jobs)
	wg.Wait()
	close(results)
	<-done
	return out
}

// Two after each other, each waited for.
func twiceOk(a, b string) map[string]int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); m[a] = 1 }()
	wg.Wait()
	wg.Add(1)
	go func() { defer wg.Done(); m[b] = 1 }()
	wg.Wait()
	return m
}

// The second begins when the first has ended.
func relayOk(k string) int {
	m := make(map[string]int)
	first, second := make(chan struct{}), make(chan struct{})
	go func() { m[k] = 1; close(first) }()
	go func() { <-first; m[k]++; close(second) }()
	<-second
	return m[k]
}

// As many are received as were started.
func countedOk(keys []string) map[string]int {
	var mu sync.Mutex
	m := make(map[string]int)
	done := make(chan bool)
	for _, k := range keys {
		go func() {
			mu.Lock()
			m[k]++
			mu.Unlock()
			done <- true
		}()
	}
	for range keys {
		<-done
	}
	m["total"] = len(m)
	return m
}

// Helpers start and wait.

type group struct{ wg sync.WaitGroup }

func (g *group) run(f func()) { g.wg.Add(1); go func() { defer g.wg.Done(); f() }() }

func (g *group) wait() { g.wg.Wait() }

// The helper waits.
func helpersOk(k string) int {
	m := make(map[string]int)
	var g group
	g.run(func() { m[k] = 1 })
	g.wait()
	return m[k]
}

// The helper calls f from a literal of its own, which the goroutine runs.
func helpersBad(keys []string) map[string]int {
	m := make(map[string]int)
	var g group
	for _, k := range keys {
		g.run(func() {
			m[k] = 1 // want `goroutine-race: .*the other goroutines that this loop starts`
		})
	}
	g.wait()
	return m
}

// A channel brings the map itself.
func broughtOk(k string) map[string]int {
	ch := make(chan map[string]int)
	go func() {
		m := make(map[string]int)
		m[k] = 1
		ch <- m
	}()
	m := <-ch
	m["x"] = 2
	return m
}

// It is filled in the background, and ready when it says so.

type index struct {
	ready chan struct{}
	m     map[string]int
}

func newIndex(keys []string) *index {
	x := &index{ready: make(chan struct{}), m: make(map[string]int)}
	go func() {
		defer close(x.ready)
		for i, k := range keys {
			x.m[k] = i
		}
	}()
	return x
}

func (x *index) getOk(k string) int {
	<-x.ready
	return x.m[k]
}

// A loop owns the map until it has been stopped.

type loop struct {
	m          map[string]int
	stop, done chan struct{}
}

func (l *loop) start() {
	l.done = make(chan struct{})
	go l.runOk()
}

func (l *loop) runOk() {
	defer close(l.done)
	for {
		select {
		case <-l.stop:
			return
		case <-time.After(time.Second):
			l.m["ticks"]++
		}
	}
}

func (l *loop) stopOk() map[string]int {
	close(l.stop)
	<-l.done
	return l.m
}

// One loop runs what the others send it.

type actor struct {
	ops chan func()
	m   map[string]int
}

func newActor() *actor {
	a := &actor{ops: make(chan func()), m: make(map[string]int)}
	go func() {
		for f := range a.ops {
			f()
		}
	}()
	return a
}

func (a *actor) incOk(k string) {
	a.ops <- func() {
		if _, ok := a.m[k]; !ok {
			a.m[k] = 0
		}
		a.m[k]++
	}
}

func (a *actor) getOk(k string) int {
	r := make(chan int)
	a.ops <- func() { r <- a.m[k] }
	return <-r
}

// The one who reads the map is not the one who reads the lines.
func linesOk(read func() (string, error)) map[string]int {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for {
			l, err := read()
			if err != nil {
				return
			}
			lines <- l
		}
	}()
	m := make(map[string]int)
	for l := range lines {
		m[l]++
	}
	return m
}

// Two loops, each with a map of its own, in one object.

type pair struct {
	a, b   map[string]int
	ca, cb chan string
}

func (p *pair) startOk() {
	go func() {
		for k := range p.ca {
			p.a[k]++
		}
	}()
	go func() {
		for k := range p.cb {
			p.b[k]++
		}
	}()
}

// Each connection has a session of its own.

type session struct {
	vars map[string]string
	in   chan [2]string
}

func (s *session) serve() {
	for kv := range s.in {
		if s.vars[kv[0]] == "" {
			s.vars[kv[0]] = kv[1]
		}
	}
}

func acceptOk(conns <-chan chan [2]string) {
	for c := range conns {
		s := &session{vars: make(map[string]string), in: c}
		go s.serve()
	}
}
