// Package races pins goroutines that touch a map beside each other, or beside
// the one that has started them, without a lock.
package races

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

func fetch(k string) (int, error) { return len(k), nil }

// Started in a loop: they meet each other.

func loopBad(keys []string) map[string]int {
	m := make(map[string]int)
	for i, k := range keys {
		go func() {
			m[k] = i // want `goroutine-race: `
		}()
	}
	return m
}

func waitGroupBad(keys []string) map[string]int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Add(1)
		go func(k string) {
			defer wg.Done()
			n, _ := fetch(k)
			m[k] = n // want `goroutine-race: `
		}(k)
	}
	wg.Wait()
	return m
}

func waitGroupGoBad(keys []string) map[string]int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			m[k] = len(k) // want `goroutine-race: `
		})
	}
	wg.Wait()
	return m
}

func errgroupBad(keys []string) (map[string]int, error) {
	m := make(map[string]int)
	var g errgroup.Group
	for _, k := range keys {
		g.Go(func() error {
			n, err := fetch(k)
			if err != nil {
				return err
			}
			m[k] = n // want `goroutine-race: `
			return nil
		})
	}
	return m, g.Wait()
}

func countBad(words []string) map[string]int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	for _, w := range words {
		wg.Go(func() {
			m[w]++ // want `(goroutine-race|check-then-act): `
		})
	}
	wg.Wait()
	return m
}

func deleteBad(m map[string]int) {
	for k := range m {
		go func() {
			delete(m, k) // want `goroutine-race: `
		}()
	}
}

func workersBad(in <-chan string) map[string]int {
	seen := make(map[string]int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for k := range in {
				seen[k] = len(k) // want `goroutine-race: `
			}
		})
	}
	wg.Wait()
	return seen
}

// The goroutine's function is named, or a method, or a literal in a variable.

func fill(m map[string]int, k string) { m[k] = len(k) }

func argumentBad(keys []string) {
	m := make(map[string]int)
	for _, k := range keys {
		go fill(m, k) // want `goroutine-race: `
	}
}

type crawl struct{ seen map[string]bool }

func (c *crawl) visit(k string) { c.seen[k] = true }

func methodBad(keys []string) *crawl {
	c := &crawl{seen: make(map[string]bool)}
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() { c.visit(k) }) // want `goroutine-race: `
	}
	wg.Wait()
	return c
}

func variableBad(keys []string) {
	m := make(map[string]int)
	work := func(k string) {
		m[k] = 1 // want `goroutine-race: `
	}
	for _, k := range keys {
		go work(k)
	}
}

// The literal starts itself again, by the variable that it captures: what is in
// there is not known.
// It would take following a captured variable to the literal that is stored in
// it after the literal was made.
func FN_recursiveBad(root string, children func(string) []string) {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(k string) {
		if seen[k] {
			return
		}
		seen[k] = true
		for _, c := range children(k) {
			go visit(c)
		}
	}
	visit(root)
}

// The semaphore lets several in.
func semaphoreBad(keys []string) {
	m := make(map[string]int)
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			m[k] = 1 // want `goroutine-race: `
		}()
	}
}

// Each has a lock of its own: it keeps no other goroutine out.
func ownLockBad(keys []string) {
	m := make(map[string]int)
	for _, k := range keys {
		go func() {
			var mu sync.Mutex
			mu.Lock()
			defer mu.Unlock()
			m[k] = 1 // want `goroutine-race: `
		}()
	}
}

// One writes under the read lock.
func readLockBad(keys []string) {
	var mu sync.RWMutex
	m := make(map[string]int)
	for _, k := range keys {
		go func() {
			mu.RLock()
			defer mu.RUnlock()
			m[k] = 1 // want `(goroutine-race|rlock-write): `
		}()
	}
}

// The check is under the lock, and the act is, too, and yet.
func splitBad(keys []string) map[string]*int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	m := make(map[string]*int)
	for _, k := range keys {
		wg.Go(func() {
			mu.Lock()
			_, ok := m[k]
			mu.Unlock()
			if ok {
				return
			}
			n, _ := fetch(k)
			mu.Lock()
			m[k] = &n // want `split-lock: `
			mu.Unlock()
		})
	}
	wg.Wait()
	return m
}

// A struct's map, a map in a slice, a result that is named.

type result struct{ byKey map[string]int }

func fieldBad(keys []string) result {
	r := result{byKey: make(map[string]int)}
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			r.byKey[k] = 1 // want `goroutine-race: `
		})
	}
	wg.Wait()
	return r
}

func namedResultBad(keys []string) (m map[string]int, err error) {
	m = make(map[string]int)
	var g errgroup.Group
	for _, k := range keys {
		g.Go(func() error {
			m[k] = len(k) // want `goroutine-race: `
			return nil
		})
	}
	err = g.Wait()
	return m, err
}

// The right forms.

func lockedOk(ctx context.Context, keys []string) (map[string]int, error) {
	var mu sync.Mutex
	m := make(map[string]int)
	var g errgroup.Group
	for _, k := range keys {
		g.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			n, err := fetch(k)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			m[k] = n
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	m["total"] = len(m)
	return m, nil
}

// The struct beside the map has the lock.
func lockedFieldOk(keys []string) map[string]int {
	var out struct {
		sync.Mutex
		m map[string]int
	}
	out.m = make(map[string]int)
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			out.Lock()
			defer out.Unlock()
			out.m[k]++
		})
	}
	wg.Wait()
	return out.m
}

func eachItsOwnOk(keys []string) []map[string]int {
	out := make([]map[string]int, len(keys))
	var wg sync.WaitGroup
	for i, k := range keys {
		m := make(map[string]int)
		out[i] = m
		wg.Go(func() { m[k] = i })
	}
	wg.Wait()
	return out
}

func insideOk(keys [][]string, out chan<- map[string]int) {
	for _, part := range keys {
		go func() {
			m := make(map[string]int)
			for _, k := range part {
				m[k]++
			}
			out <- m
		}()
	}
}

// The map of each index.
func eachIndexOk(parts [][]string) []map[string]int {
	out := make([]map[string]int, len(parts))
	for i := range out {
		out[i] = make(map[string]int)
	}
	var wg sync.WaitGroup
	for i, part := range parts {
		wg.Go(func() {
			for _, k := range part {
				out[i][k]++
			}
		})
	}
	wg.Wait()
	return out
}

// Results come back through a channel; one goroutine has the map.
func channelOk(keys []string) map[string]int {
	type pair struct {
		k string
		n int
	}
	ch := make(chan pair)
	for _, k := range keys {
		go func() { ch <- pair{k, len(k)} }()
	}
	m := make(map[string]int)
	for range keys {
		p := <-ch
		m[p.k] = p.n
	}
	return m
}

// They only read; what they count is atomic.
func readersOk(m map[string]int, keys []string) int64 {
	var n atomic.Int64
	var wg sync.WaitGroup
	for _, k := range keys {
		wg.Go(func() {
			if _, ok := m[k]; ok {
				n.Add(1)
			}
		})
	}
	wg.Wait()
	return n.Load()
}

// One after the other.
func oneAtATimeOk(keys []string) map[string]int {
	m := make(map[string]int)
	for _, k := range keys {
		var wg sync.WaitGroup
		wg.Go(func() { m[k] = 1 })
		wg.Wait()
	}
	return m
}

// One of them, and the loop ends.
func startedOnceOk(keys []string, done chan struct{}) {
	m := make(map[string]int)
	for _, k := range keys {
		if k == "" {
			continue
		}
		go func() {
			defer close(done)
			m[k] = 1
		}()
		break
	}
}
