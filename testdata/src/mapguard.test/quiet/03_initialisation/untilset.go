package initialisation

import (
	"sync"
	"sync/atomic"
)

// The lock is taken only as long as the flag is unset: whichever way leads to the read, nothing changes the map.

type atlas struct {
	mu     sync.RWMutex
	closed atomic.Bool
	places map[string]int
}

func (a *atlas) addOk(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed.Load() {
		return false
	}
	a.places[name] = len(a.places)
	return true
}

func (a *atlas) moveOk(from, to string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed.Load() {
		return
	}
	a.places[to] = a.places[from]
	delete(a.places, from)
}

func (a *atlas) lenOk() int {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return len(a.places)
}

func (a *atlas) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed.Store(true)
}

func (a *atlas) findOk(name string) int {
	if !a.closed.Load() {
		a.mu.RLock()
		defer a.mu.RUnlock()
	}
	return a.places[name]
}

func (a *atlas) sumOk() (n int) {
	final := a.closed.Load()
	if final {
		work()
	} else {
		a.mu.RLock()
	}
	for _, v := range a.places {
		n += v
	}
	if !final {
		a.mu.RUnlock()
	}
	if n == 0 {
		return n
	}
	if !final {
		a.mu.Lock()
	}
	n += a.places["home"]
	if !final {
		a.mu.Unlock()
	}
	return n
}

func (a *atlas) enter() bool {
	if a.closed.Load() {
		return false
	}
	a.mu.RLock()
	return true
}

func (a *atlas) leave(locked bool) {
	if locked {
		a.mu.RUnlock()
	}
}

func (a *atlas) pairOk(x, y string) int {
	locked := a.enter()
	defer a.leave(locked)
	return a.distance(x, y)
}

func (a *atlas) distance(x, y string) int { return a.places[x] - a.places[y] }

// The lock is let go before the read.
func (a *atlas) briefBad(name string) int {
	if !a.closed.Load() {
		a.mu.RLock()
		work()
		a.mu.RUnlock()
	}
	return a.places[name] // want `unguarded-access: .*a\.places`
}

// Here that is so from the second round on.
func (a *atlas) roundsBad(names []string) (n int) {
	final := a.closed.Load()
	if !final {
		a.mu.RLock()
	}
	for _, name := range names {
		n += a.places[name] // want `unguarded-access: .*a\.places`
		if !final {
			a.mu.RUnlock()
		}
	}
	return n
}

// The lock is taken where none is needed, and not where one is.
func (a *atlas) invertedBad(name string) int {
	if a.closed.Load() {
		a.mu.RLock()
		defer a.mu.RUnlock()
	}
	return a.places[name] // want `unguarded-access: .*a\.places`
}

// Of two flags, one tells nothing of the map.
type gazette struct {
	mu           sync.Mutex
	done, copied atomic.Bool
	names        map[string]bool
}

func (g *gazette) addOk(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.done.Load() {
		g.names[name] = true
	}
}

func (g *gazette) dropOk(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.done.Load() {
		delete(g.names, name)
	}
}

func (g *gazette) finish() {
	g.mu.Lock()
	g.done.Store(true)
	g.mu.Unlock()
}

func (g *gazette) copy() { g.copied.Store(true) }

func (g *gazette) hasOk(name string) bool {
	if !g.done.Load() {
		g.mu.Lock()
		defer g.mu.Unlock()
	}
	return g.names[name]
}

func (g *gazette) otherFlagBad(name string) bool {
	if !g.copied.Load() {
		g.mu.Lock()
		defer g.mu.Unlock()
	}
	return g.names[name] // want `unguarded-access: .*g\.names`
}

// One of the two that call the helper has neither.
type ledger struct {
	mu     sync.Mutex
	shut   atomic.Bool
	totals map[string]int
}

func (l *ledger) bookOk(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shut.Load() {
		return
	}
	l.totals[name] += n
}

func (l *ledger) shutDown() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shut.Store(true)
}

func (l *ledger) totalOk(name string) int {
	if !l.shut.Load() {
		l.mu.Lock()
		defer l.mu.Unlock()
	}
	return l.look(name)
}

func (l *ledger) Peek(name string) int { return l.look(name) }

func (l *ledger) lookBad(name string) int { return l.totals[name] } // want `unguarded-access: .*l\.totals`

func (l *ledger) look(name string) int { return l.lookBad(name) }

var (
	chartMu    sync.Mutex
	chartReady uint32
	chart      = map[string]int{}
)

func SetChart(k string, v int) {
	chartMu.Lock()
	defer chartMu.Unlock()
	if atomic.LoadUint32(&chartReady) == 1 {
		return
	}
	chart[k] = v
}

func EndChart() {
	chartMu.Lock()
	defer chartMu.Unlock()
	atomic.StoreUint32(&chartReady, 1)
}

// ChartOk reads the chart under the lock until it is complete.
func ChartOk(k string) (int, bool) {
	if atomic.LoadUint32(&chartReady) == 0 {
		chartMu.Lock()
		defer chartMu.Unlock()
	}
	v, ok := chart[k]
	return v, ok
}
