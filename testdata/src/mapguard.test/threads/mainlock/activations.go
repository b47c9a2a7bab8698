package main

import "sync"

// A function that main alone runs makes a mutex for its goroutines, and waits for them: there is one such mutex at a time,
// and it keeps them apart on the caller's object, too.

type plant struct {
	beds, rows, pots, jars, pans, cups map[string]int
	parts                              []*plant
}

func growAll() {
	p := &plant{beds: map[string]int{}, rows: map[string]int{}, pots: map[string]int{}, jars: map[string]int{}, pans: map[string]int{}, cups: map[string]int{}}
	names := []string{"oak", "elm"}
	p.sowOk(names)
	p.sowOk(names[:1])
	p.hoeBad(names)
	p.hoeBad(names[:1])
	p.dryBad(names)
	p.potBad()
	p.fillBad(names)
	var wg sync.WaitGroup
	for range names {
		wg.Go(func() { p.pourBad(names) })
	}
	wg.Wait()
	println(len(p.beds), len(p.rows), len(p.pots), len(p.jars), len(p.pans), len(p.cups))
}

func (p *plant) sowOk(names []string) {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for _, n := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			depth := len(n)
			mu.Lock()
			defer mu.Unlock()
			if _, twice := p.beds[n]; !twice {
				p.beds[n] = depth
			}
		}()
	}
	wg.Wait()
	for n, depth := range p.beds {
		if depth == 0 {
			delete(p.beds, n)
		}
	}
}

// The goroutines of one call go on beside those of the next one, which has another mutex.
func (p *plant) hoeBad(names []string) {
	var mu sync.Mutex
	for _, n := range names {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			if _, twice := p.rows[n]; !twice { // want `check-then-act: p.rows`
				p.rows[n] = 1
			}
		}()
	}
}

// Each round has a mutex of its own.
func (p *plant) dryBad(names []string) {
	var wg sync.WaitGroup
	for _, n := range names {
		var mu sync.Mutex
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			p.pans[n]++ // want `: p.pans`
		})
	}
	wg.Wait()
}

// A call of itself, in a goroutine, has another mutex.
func (p *plant) potBad() {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for range p.parts {
		wg.Go(func() {
			p.potBad()
			mu.Lock()
			defer mu.Unlock()
			if _, twice := p.pots["all"]; !twice { // want `check-then-act: p.pots`
				p.pots["all"] = len(p.parts)
			}
		})
	}
	wg.Wait()
}

// Others of its goroutines ask for no mutex.
func (p *plant) fillBad(names []string) {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for _, n := range names {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			p.jars[n] = 1 // want `goroutine-race: p.jars`
		})
		wg.Go(func() {
			println(p.jars[n])
		})
	}
	wg.Wait()
}

// Several goroutines run it at a time, each with a mutex of its own.
func (p *plant) pourBad(names []string) {
	var (
		wg sync.WaitGroup
		mu sync.Mutex
	)
	for _, n := range names {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			if _, twice := p.cups[n]; !twice { // want `check-then-act: p.cups`
				p.cups[n] = 1
			}
		})
	}
	wg.Wait()
}
