package mapescape

import "sync"

// An object that its function makes, and that goroutines which have ended by then have filled.
type gathered struct {
	mu  sync.Mutex
	out map[string]int
}

func (g *gathered) add(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.out[k]++
}

func (g *gathered) len() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.out)
}

func fill(g interface{ add(string) }, keys []string) {
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Add(1)
		go func() {
			defer wg.Done()
			g.add(k)
		}()
	}
	wg.Wait()
}

func GatherOk(keys []string) map[string]int {
	g := &gathered{out: make(map[string]int)}
	fill(g, keys)
	return g.out
}

var current *gathered

// Others get the object as well.
func GatherBad(keys []string) map[string]int {
	g := &gathered{out: make(map[string]int)}
	current = g
	fill(g, keys)
	return g.out // want `map-escape: g(athered)?\.out`
}
