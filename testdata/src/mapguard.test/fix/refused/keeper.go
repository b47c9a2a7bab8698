package refused

import "sync"

// Keeper leaves its lock to its callers, too.
type Keeper struct {
	mu sync.Mutex
	m  map[string]int
}

// Lock takes the lock.
func (k *Keeper) Lock() { k.mu.Lock() }

// Unlock releases it.
func (k *Keeper) Unlock() { k.mu.Unlock() }

// Add counts one up.
func (k *Keeper) Add(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.m[name]++
}

// Has looks one up.
func (k *Keeper) Has(name string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, ok := k.m[name]
	return ok
}

// GetBad takes no lock.
func (k *Keeper) GetBad(name string) int {
	return k.m[name] // want `unguarded-access: .*`
}

// Lender gives its lock away.
type Lender struct {
	mu sync.Mutex
	m  map[string]int
}

// Locker gives back the lock.
func (l *Lender) Locker() sync.Locker { return &l.mu }

// Add counts one up.
func (l *Lender) Add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m[name]++
}

// Has looks one up.
func (l *Lender) Has(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, ok := l.m[name]
	return ok
}

// GetBad takes no lock.
func (l *Lender) GetBad(name string) int {
	return l.m[name] // want `unguarded-access: .*`
}

// Waiter has a condition with its lock, by which it takes it.
type Waiter struct {
	mu   sync.Mutex
	cond *sync.Cond
	m    map[string]int
}

// NewWaiter returns a waiter.
func NewWaiter() *Waiter {
	w := &Waiter{m: make(map[string]int)}
	w.cond = sync.NewCond(&w.mu)
	return w
}

// Wait waits until there is something.
func (w *Waiter) Wait() int {
	w.cond.L.Lock()
	defer w.cond.L.Unlock()
	for w.SizeBad() == 0 {
		w.cond.Wait()
	}
	return w.SizeBad()
}

// Add counts one up.
func (w *Waiter) Add(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.m[name]++
	w.cond.Signal()
}

// Has looks one up.
func (w *Waiter) Has(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.m[name]
	return ok
}

// SizeBad takes no lock.
func (w *Waiter) SizeBad() int {
	return len(w.m) // want `unguarded-access: .*`
}
