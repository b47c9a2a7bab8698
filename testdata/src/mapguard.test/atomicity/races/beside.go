package races

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// A goroutine beside other accesses.

func readBesideBad(k string) int {
	m := make(map[string]int)
	go func() {
		m[k] = 1 // want `goroutine-race: `
	}()
	return m[k]
}

func writeBesideBad(k string) {
	m := map[string]int{"a": 1}
	go func() {
		println(m[k]) // want `goroutine-race: `
	}()
	m[k] = 2
}

func writeAfterStartBad(k string) {
	m := make(map[string]int)
	for i := range 3 {
		go func() {
			println(i, len(m)) // want `goroutine-race: `
		}()
		m[k] = i
	}
}

func twoBad() {
	m := make(map[string]int)
	go func() {
		m["a"] = 1 // want `goroutine-race: `
	}()
	go func() { m["b"] = 1 }()
}

func writerAndReaderBad() {
	m := make(map[string]int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for k := range m { // want `goroutine-race: `
			println(k)
		}
	})
	wg.Go(func() { m["a"] = 1 })
	wg.Wait()
}

// The parameter is the caller's map.
func parameterBad(m map[string]int) {
	go func() {
		m["a"] = 1 // want `goroutine-race: `
	}()
	m["b"] = 2
}

// The wait comes too late, or is another's.
func beforeTheWaitBad(k string) int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	wg.Go(func() {
		m[k] = 1 // want `goroutine-race: `
	})
	n := len(m)
	wg.Wait()
	return n
}

// The wait is for another group than the goroutine's.
func otherWaitBad(k string) int {
	m := make(map[string]int)
	var wg, other sync.WaitGroup
	wg.Go(func() {
		m[k] = 1 // want `goroutine-race: `
	})
	other.Go(func() { println(k) })
	other.Wait()
	defer wg.Wait()
	return m[k]
}

// The one that does not wait for the goroutine after the time is up.
func timeoutBad(ctx context.Context, k string) map[string]int {
	m := make(map[string]int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		n, _ := fetch(k)
		m[k] = n // want `goroutine-race: `
	}()
	select {
	case <-done:
	case <-ctx.Done():
		m[k] = -1
	}
	return m
}

func lockOnOneSideBad(k string) int {
	var mu sync.Mutex
	m := make(map[string]int)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		m[k] = 1 // want `(goroutine-race|unguarded-access): `
	}()
	return m[k]
}

func waitGroupOk(k string) int {
	m := make(map[string]int)
	var wg sync.WaitGroup
	wg.Go(func() { m[k] = 1 })
	wg.Wait()
	return m[k]
}

func closedChannelOk(k string) int {
	m := make(map[string]int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		m[k] = 1
	}()
	<-done
	return m[k]
}

func sentErrorOk(k string) (int, error) {
	m := make(map[string]int)
	errc := make(chan error, 1)
	go func() {
		n, err := fetch(k)
		m[k] = n
		errc <- err
	}()
	if err := <-errc; err != nil {
		return 0, err
	}
	return m[k], nil
}

func errgroupOk(k string) (int, error) {
	m := make(map[string]int)
	var g errgroup.Group
	g.Go(func() error {
		m[k] = 1
		return nil
	})
	if err := g.Wait(); err != nil {
		return 0, err
	}
	return m[k], nil
}

func timeoutOk(ctx context.Context, k string) (map[string]int, error) {
	m := make(map[string]int)
	done := make(chan struct{})
	go func() {
		defer close(done)
		m[k] = 1
	}()
	select {
	case <-done:
		return m, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func filledBeforeOk(keys []string) {
	m := make(map[string]int)
	for i, k := range keys {
		m[k] = i
	}
	go func() {
		for k, n := range m {
			println(k, n)
		}
	}()
}

// The starter never looks at it again.
func confinedOk(in <-chan string) {
	m := make(map[string]int)
	go func() {
		for k := range in {
			m[k]++
		}
	}()
}

func handedOnOk(in <-chan string, out chan<- map[string]int) {
	m := make(map[string]int)
	m["start"] = 1
	go func() {
		for k := range in {
			m[k]++
		}
		out <- m
	}()
}

// Another map by the same name.
func shadowedOk(k string) int {
	m := make(map[string]int)
	go func() {
		m := make(map[string]int)
		m[k] = 1
	}()
	return m[k]
}

func reassignedOk(k string) int {
	m := make(map[string]int)
	go func(m map[string]int) { m[k] = 1 }(m)
	m = make(map[string]int)
	return m[k]
}

func bothLockOk(k string) int {
	var mu sync.Mutex
	m := make(map[string]int)
	go func() {
		mu.Lock()
		defer mu.Unlock()
		m[k] = 1
	}()
	mu.Lock()
	defer mu.Unlock()
	return m[k]
}

// Timers.

func afterFuncBad(k string) int {
	m := make(map[string]int)
	time.AfterFunc(time.Second, func() {
		delete(m, k) // want `goroutine-race: `
	})
	return m[k]
}

func afterFuncLoopBad(keys []string) {
	m := make(map[string]int)
	for _, k := range keys {
		m[k] = 1
		time.AfterFunc(time.Minute, func() {
			delete(m, k) // want `goroutine-race: `
		})
	}
}

func contextAfterFuncBad(ctx context.Context, k string) {
	m := make(map[string]int)
	context.AfterFunc(ctx, func() {
		clear(m) // want `goroutine-race: `
	})
	m[k] = 1
}

func afterFuncOk(keys []string) {
	var mu sync.Mutex
	m := make(map[string]int)
	for _, k := range keys {
		mu.Lock()
		m[k] = 1
		mu.Unlock()
		time.AfterFunc(time.Minute, func() {
			mu.Lock()
			defer mu.Unlock()
			delete(m, k)
		})
	}
}

// A type that forgets its entries after a while.
type expiring struct{ m map[string]int }

// FN_AddBad meets itself a minute later. A goroutine is compared with what the
// call that starts it does afterwards, not with the next call.
// It would take evidence that callers call it again within the minute, which a
// timer alone is not.
func (e *expiring) FN_AddBad(k string) {
	e.m[k] = 1
	time.AfterFunc(time.Minute, func() {
		delete(e.m, k)
	})
}

// A field: the goroutine of one method, and the other methods.

type poller struct {
	state map[string]int
	quit  chan struct{}
}

// Start begins to poll.
func (p *poller) Start() { go p.loopBad() }

func (p *poller) loopBad() {
	for {
		select {
		case <-p.quit:
			return
		case <-time.After(time.Second):
			p.state["polls"] = 1 // want `(goroutine-race|unguarded-access): `
		}
	}
}

// State reads what the loop writes.
func (p *poller) State(k string) int {
	return p.state[k] // of the finding above
}

type ticker struct {
	mu    sync.Mutex
	state map[string]int
}

func (t *ticker) start() {
	go func() {
		for range time.Tick(time.Second) {
			t.mu.Lock()
			t.state["ticks"]++
			t.mu.Unlock()
		}
	}()
}

func (t *ticker) getOk(k string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state[k]
}

// One flag decides in every round: either all rounds start a goroutine, or all
// do it themselves.

func eitherOk(keys []string, parallel bool) map[string]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	m := make(map[string]int)
	for _, k := range keys {
		if !parallel {
			m[k] = len(k)
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			m[k] = len(k)
			mu.Unlock()
		}()
	}
	if parallel {
		wg.Wait()
	}
	return m
}

func bothBad(keys []string, big map[string]bool) map[string]int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	m := make(map[string]int)
	for _, k := range keys {
		if !big[k] {
			m[k] = len(k)
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			m[k] = len(k) // want `goroutine-race: `
			mu.Unlock()
		}()
	}
	wg.Wait()
	return m
}

func neverWaitedBad(keys []string, wait bool) map[string]int {
	var wg sync.WaitGroup
	m := make(map[string]int)
	for i, k := range keys {
		if i > 0 {
			continue
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			m[k] = 1 // want `goroutine-race: `
		}()
	}
	if wait {
		wg.Wait()
	}
	m["end"] = 1
	return m
}
