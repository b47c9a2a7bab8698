package rlockwrite

import "sync"

// Goroutines have the lock of the one who starts them in common: it does not keep them apart,
// but one of their own does.

type sync1 struct{ n int }

type fleet struct {
	mu    sync.Mutex
	ships map[string]*sync1
}

type order struct {
	mu sync.Mutex
	id string
}

func (f *fleet) EnsureOk(ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var own sync.Mutex
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			own.Lock()
			defer own.Unlock()
			if _, ok := f.ships[id]; !ok {
				f.ships[id] = &sync1{}
			}
		})
	}
	wg.Wait()
}

func (f *fleet) RenewOk(ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var own sync.Mutex
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own.Lock()
			defer own.Unlock()
			f.ships[id] = &sync1{}
		}()
	}
	wg.Wait()
}

func (f *fleet) BareBad(ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			f.ships[id] = &sync1{} // want `rlock-write: f\.ships is written under its starter's hold of f\.mu, which does not keep the goroutines apart`
		})
	}
	wg.Wait()
}

// Each order has a lock of its own.
func (f *fleet) OrdersBad(orders []*order) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var wg sync.WaitGroup
	for _, o := range orders {
		wg.Go(func() {
			o.mu.Lock()
			defer o.mu.Unlock()
			f.ships[o.id] = &sync1{} // want `rlock-write: f\.ships is written`
		})
	}
	wg.Wait()
}

// Each round makes a lock.
func (f *fleet) RoundsBad(ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var wg sync.WaitGroup
	for _, id := range ids {
		var own sync.Mutex
		wg.Go(func() {
			own.Lock()
			defer own.Unlock()
			f.ships[id] = &sync1{} // want `rlock-write: f\.ships is written`
		})
	}
	wg.Wait()
}

// Each goroutine makes a lock.
func (f *fleet) InnerBad(ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			var own sync.Mutex
			own.Lock()
			defer own.Unlock()
			f.ships[id] = &sync1{} // want `rlock-write: f\.ships is written`
		})
	}
	wg.Wait()
}

// One goroutine looks while another one writes.
func (f *fleet) LooksBad(ids []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var own sync.Mutex
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() {
			if f.ships[id] != nil {
				return
			}
			own.Lock()
			defer own.Unlock()
			f.ships[id] = &sync1{} // want `rlock-write: f\.ships is written`
		})
	}
	wg.Wait()
}

func (f *fleet) lenOk() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.ships)
}

// The lock has a read side, too, and the one who starts the goroutines holds the other one.
type stopped struct {
	mu sync.RWMutex
	m  map[string]int
}

func (s *stopped) countOk() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.m)
}

func (s *stopped) addOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k]++
}

func (s *stopped) stopBad() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var wg sync.WaitGroup
	for k := range s.m {
		wg.Go(func() {
			delete(s.m, k) // want `rlock-write: s\.m is deleted under its starter's hold of s\.mu, which does not keep the goroutines apart`
		})
	}
	wg.Wait()
}

// Who starts the goroutines holds the lock, and makes them another one, which keeps them apart.

type harbour struct {
	mu     sync.RWMutex
	ships  map[string]int
	berths map[string]bool
}

func each(names []string, do func(string)) {
	var wg sync.WaitGroup
	for _, n := range names {
		wg.Add(1)
		go func(n string) {
			defer wg.Done()
			do(n)
		}(n)
	}
	wg.Wait()
}

func (h *harbour) CountOk(names []string, ask func(string) int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.ships)
	var own sync.Mutex
	each(names, func(n string) {
		c := ask(n)
		own.Lock()
		defer own.Unlock()
		h.put(n, c)
	})
}

func (h *harbour) put(n string, c int) { h.ships[n] = c }

// CountBad has a lock for each of them.
func (h *harbour) CountBad(names []string, ask func(string) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.berths)
	each(names, func(n string) {
		c := ask(n)
		var own sync.Mutex
		own.Lock()
		defer own.Unlock()
		h.berths[n] = c // want `rlock-write: h\.berths is written under its starter's hold of h\.mu`
	})
}

func (h *harbour) SetOk(n string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.put(n, 1)
}

func (h *harbour) FreeOk(n string) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return !h.berths[n] && h.ships[n] == 0
}
