package mapescape

import "sync"

// gathered is filled by goroutines, under its lock.
type gathered struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (g *gathered) add(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[k]++
}

type tally struct{ counts map[string]int }

// All goroutines that fill it have ended.
func tallyOk(names []string) *tally {
	g := gathered{m: map[string]int{}}
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Go(func() { g.add(n) })
	}
	wg.Wait()
	return &tally{counts: g.m}
}

// Some still do.
func tallyBad(names []string) *tally {
	g := &gathered{m: map[string]int{}}
	for _, n := range names {
		go g.add(n)
	}
	return &tally{counts: g.m} // want `map-escape: .*gathered\.m`
}
