package goroutinerace

import "sync"

// Goroutines that take turns by a lock of their starter's are kept apart from it by that lock alone, not by the one
// that it holds all the time.

type sheet struct {
	mu   sync.Mutex // protects rows
	rows map[string]int
}

func (t *sheet) fillBad(names []string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	var wg sync.WaitGroup
	var turn sync.Mutex
	for _, n := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			turn.Lock()
			t.rows[n] = len(n) // want `rlock-write: t\.rows is written under its starter's hold of t\.mu`
			turn.Unlock()
		}()
	}
	k := len(t.rows)
	t.rows["all"] = k
	wg.Wait()
	return k
}

type line struct{ name string }

type lines struct {
	mu    sync.Mutex // protects open
	open  map[string]*line
	added []*line
}

func (p *lines) openBad(names []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var wg sync.WaitGroup
	var turn sync.Mutex
	for _, n := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			turn.Lock()
			_, ok := p.open[n]
			turn.Unlock()
			if ok {
				return
			}
			l := &line{n}
			turn.Lock()
			p.open[n] = l // want `rlock-write: p\.open is written under its starter's hold of p\.mu`
			p.added = append(p.added, l)
			turn.Unlock()
		}()
	}
	wg.Wait()
}
