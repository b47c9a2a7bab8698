package owned

import "sync"

// A function literal that others keep reaches, of what it captures, what it touches: the rest of an
// object that is being made is still the maker's.

var onEvent []func(string) *int

func keepLater(f func(string) *int) { onEvent = append(onEvent, f) }

type station struct {
	others map[string]*int
	mu     sync.Mutex
	m      map[string]int
}

func (s *station) add(k string)      { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = 2 }
func (s *station) drop(k string)     { s.mu.Lock(); defer s.mu.Unlock(); delete(s.m, k) }
func (s *station) has(k string) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.m[k] > 0 }

func newStationOk(names []string) *station {
	s := &station{others: map[string]*int{}, m: map[string]int{}}
	keepLater(func(k string) *int { return s.others[k] })
	s.fillOk(names)
	for _, n := range names {
		s.m[n] = 1
	}
	return s
}

func (s *station) fillOk(names []string) {
	for _, n := range names {
		s.m[n] = 1
	}
}

type besides struct {
	others map[string]*int
	mu     sync.Mutex
	m      map[string]int
}

func (s *besides) add(k string)      { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = 2 }
func (s *besides) drop(k string)     { s.mu.Lock(); defer s.mu.Unlock(); delete(s.m, k) }
func (s *besides) has(k string) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.m[k] > 0 }

// So it is with a goroutine that touches another map.
func newBesidesOk(names []string) *besides {
	s := &besides{others: map[string]*int{}, m: map[string]int{}}
	go func() { println(len(s.others)) }()
	for _, n := range names {
		s.m[n] = 1
	}
	return s
}

type touched struct {
	others map[string]*int
	mu     sync.Mutex
	m      map[string]int
}

func (s *touched) add(k string)      { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = 2 }
func (s *touched) drop(k string)     { s.mu.Lock(); defer s.mu.Unlock(); delete(s.m, k) }
func (s *touched) has(k string) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.m[k] > 0 }

func newTouchedBad(names []string) *touched {
	s := &touched{others: map[string]*int{}, m: map[string]int{}}
	keepLater(func(k string) *int {
		s.add(k)
		return nil
	})
	for _, n := range names {
		s.m[n] = 1 // want `unguarded-access: .*`
	}
	return s
}

type handedOn struct {
	others map[string]*int
	mu     sync.Mutex
	m      map[string]int
}

func (s *handedOn) add(k string)      { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = 2 }
func (s *handedOn) drop(k string)     { s.mu.Lock(); defer s.mu.Unlock(); delete(s.m, k) }
func (s *handedOn) has(k string) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.m[k] > 0 }

var stations []*handedOn

func newHandedOnBad(names []string) *handedOn {
	s := &handedOn{others: map[string]*int{}, m: map[string]int{}}
	keepLater(func(k string) *int {
		stations = append(stations, s)
		return nil
	})
	for _, n := range names {
		s.m[n] = 1 // want `unguarded-access: .*`
	}
	return s
}

type given struct {
	others map[string]*int
	mu     sync.Mutex
	m      map[string]int
}

func (s *given) add(k string)      { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = 2 }
func (s *given) drop(k string)     { s.mu.Lock(); defer s.mu.Unlock(); delete(s.m, k) }
func (s *given) has(k string) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.m[k] > 0 }

var onAsk []func() *given

func keepAsk(f func() *given) { onAsk = append(onAsk, f) }

func newGivenBad(names []string) *given {
	s := &given{others: map[string]*int{}, m: map[string]int{}}
	keepAsk(func() *given { return s })
	for _, n := range names {
		s.m[n] = 1 // want `unguarded-access: .*`
	}
	return s
}

type aliased struct {
	others map[string]*int
	mu     sync.Mutex
	m      map[string]int
}

func (s *aliased) add(k string)      { s.mu.Lock(); defer s.mu.Unlock(); s.m[k] = 2 }
func (s *aliased) drop(k string)     { s.mu.Lock(); defer s.mu.Unlock(); delete(s.m, k) }
func (s *aliased) has(k string) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.m[k] > 0 }

// What is stored in it may be known by another name.
func newAliasedBad(names []string) *aliased {
	m := map[string]int{}
	s := &aliased{others: map[string]*int{}, m: m}
	keepLater(func(k string) *int {
		n := m[k]
		return &n
	})
	for _, n := range names {
		s.m[n] = 1 // want `unguarded-access: .*`
	}
	return s
}
