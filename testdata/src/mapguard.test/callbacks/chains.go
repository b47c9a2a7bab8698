package callbacks

import "sync"

// The look and the act are parameters of a function that links them.
type stock struct {
	mu    sync.RWMutex
	items map[string]*item
	count map[string]int
}

type item struct{ n int }

func (s *stock) find(k string) (*item, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	x, ok := s.items[k]
	return x, ok
}

func (s *stock) add(k string, x *item) { s.mu.Lock(); defer s.mu.Unlock(); s.items[k] = x }

func (s *stock) drop(k string) { s.mu.Lock(); defer s.mu.Unlock(); delete(s.items, k) }

func ensure(find func(string) (*item, bool), add func(string, *item), k string) *item {
	if x, ok := find(k); ok {
		return x
	}
	x := &item{}
	add(k, x)
	return x
}

func (s *stock) methodsBad(k string) *item {
	return ensure(s.find, s.add, k) // want `split-lock: .*high`
}

func (s *stock) literalsBad(k string) *item {
	return ensure(func(k string) (*item, bool) {
		return s.find(k)
	}, func(k string, x *item) { s.add(k, x) }, k) // want `split-lock: .*high`
}

func (s *stock) heldOk(k string) *item {
	s.mu.Lock()
	defer s.mu.Unlock()
	find := func(k string) (*item, bool) { x, ok := s.items[k]; return x, ok }
	return ensure(find, func(k string, x *item) { s.items[k] = x }, k)
}

// Two stocks: what is missing here is added there.
func moveOk(from, to *stock, k string) *item { return ensure(from.find, to.add, k) }

// It looks again where it acts.
func (s *stock) addNew(k string, x *item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.items[k] == nil {
		s.items[k] = x
	}
}

func each(find func(string) (*item, bool), do func(string, *item), k string) {
	if _, ok := find(k); !ok {
		do(k, &item{})
	}
}

func (s *stock) againOk(k string) { each(s.find, s.addNew, k) }

func update(get func(string) int, set func(string, int), k string, d int) { set(k, get(k)+d) }

func (s *stock) get(k string) int { s.mu.RLock(); defer s.mu.RUnlock(); return s.count[k] }

func (s *stock) set(k string, n int) { s.mu.Lock(); defer s.mu.Unlock(); s.count[k] = n }

func (s *stock) countBad(k string) { update(s.get, s.set, k, 1) } // want `split-lock: .*high`

// Nothing of the one goes into the other.
func both(get func(string) int, set func(string, int), k string) int { set(k, 1); return get(k) }

func (s *stock) apartOk(k string) int { return both(s.get, s.set, k) }
