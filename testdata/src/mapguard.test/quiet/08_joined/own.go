package joined

import (
	"strconv"
	"sync"
)

// A group of the function's own says nothing of a map that its goroutines leave alone.
type answers struct {
	mu    sync.Mutex
	lists map[string][]string
}

func (a *answers) collectBad(owner string) []string {
	if l, known := a.lists[owner]; known { // want `check-then-act: a.lists is read here without a lock`
		return l
	}
	var list []string
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			list = append(list, strconv.Itoa(i))
		})
	}
	wg.Wait()
	a.mu.Lock()
	a.lists[owner] = list
	a.mu.Unlock()
	return list
}

// The same, and the answers come by a channel.
type received struct {
	mu    sync.Mutex
	lists map[string][]string
}

func (r *received) collectBad(owner string) []string {
	if l, known := r.lists[owner]; known { // want `check-then-act: r.lists is read here without a lock`
		return l
	}
	done := make(chan []string)
	go func() { done <- []string{owner} }()
	list := <-done
	r.mu.Lock()
	r.lists[owner] = list
	r.mu.Unlock()
	return list
}

// What fills the map has ended: the goroutines that the function waits for.
type sums struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *sums) totalOk() (n int) {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { s.fill(i) })
	}
	wg.Wait()
	for _, v := range s.m {
		n += v
	}
	return n
}

func (s *sums) fill(i int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[strconv.Itoa(i)] = i
}

// The group goes to what starts the goroutines.
type parts struct {
	mu sync.Mutex
	m  map[string]int
}

func (p *parts) totalOk() (n int) {
	var wg sync.WaitGroup
	p.start(&wg)
	wg.Wait()
	for _, v := range p.m {
		n += v
	}
	return n
}

func (p *parts) start(wg *sync.WaitGroup) {
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.mu.Lock()
			defer p.mu.Unlock()
			p.m[strconv.Itoa(i)] = i
		}()
	}
}

// What runs the literal is not shown; it signals when it has come to the map.
type pooled struct {
	mu sync.Mutex
	m  map[string]int
}

type executor interface{ Execute(func()) }

func (p *pooled) totalOk(x executor) int {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		x.Execute(func() {
			defer wg.Done()
			p.fill(i)
		})
	}
	wg.Wait()
	return p.m["total"]
}

func (p *pooled) fill(i int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.m["total"] += i
}
