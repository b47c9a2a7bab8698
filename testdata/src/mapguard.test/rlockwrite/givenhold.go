package rlockwrite

import "sync"

// As with the Office: a read lock will do where the lock of the one object around is held. Here a helper puts the object there.

type Stall struct {
	mu   sync.RWMutex
	open map[string]bool
}

type Market struct {
	mu     sync.Mutex
	stalls map[string]*Stall
}

func (m *Market) place(k string, s *Stall) { m.set(k, s) }

func (m *Market) set(k string, s *Stall) { m.stalls[k] = s }

func (m *Market) Begin(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &Stall{open: make(map[string]bool)}
	go s.Fill("a")
	m.place(k, s)
}

func (m *Market) Again(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stalls[k] == nil {
		m.set(k, &Stall{open: make(map[string]bool)})
	}
}

func (s *Stall) Fill(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[k] = true
}

func (s *Stall) NextOk(k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	delete(s.open, k)
}

func (m *Market) Serve(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.stalls {
		s.NextOk(k)
	}
}

// One stall is put into two markets, by two calls.

type TwiceStall struct {
	mu   sync.RWMutex
	open map[string]bool
}

type TwiceMarket struct {
	mu     sync.Mutex
	stalls map[string]*TwiceStall
}

func (m *TwiceMarket) set(k string, s *TwiceStall) { m.stalls[k] = s }

func NewTwiceMarkets(k string) (a, b *TwiceMarket) {
	a, b = &TwiceMarket{stalls: make(map[string]*TwiceStall)}, &TwiceMarket{stalls: make(map[string]*TwiceStall)}
	s := &TwiceStall{open: make(map[string]bool)}
	a.set(k, s)
	b.set(k, s)
	return a, b
}

func (s *TwiceStall) Fill(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[k] = true
}

func (s *TwiceStall) NextBad(k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	delete(s.open, k) // want `rlock-write`
}

func (m *TwiceMarket) Serve(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.stalls {
		s.NextBad(k)
		s.Fill(k)
	}
}

// One is put into all markets by one call.

type EachStall struct {
	mu   sync.RWMutex
	open map[string]bool
}

type EachMarket struct {
	mu     sync.Mutex
	stalls map[string]*EachStall
}

func setEach(all []*EachMarket, k string, s *EachStall) {
	for _, m := range all {
		m.mu.Lock()
		m.stalls[k] = s
		m.mu.Unlock()
	}
}

func BeginEach(all []*EachMarket, k string) {
	setEach(all, k, &EachStall{open: make(map[string]bool)})
}

func (s *EachStall) Fill(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[k] = true
}

func (s *EachStall) NextBad(k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	delete(s.open, k) // want `rlock-write`
}

func (m *EachMarket) Serve(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.stalls {
		s.NextBad(k)
		s.Fill(k)
	}
}

// Others can give a stall.

type OpenStall struct {
	mu   sync.RWMutex
	open map[string]bool
}

type OpenMarket struct {
	mu     sync.Mutex
	stalls map[string]*OpenStall
}

func (m *OpenMarket) Set(k string, s *OpenStall) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stalls[k] = s
}

func (m *OpenMarket) Begin(k string) { m.Set(k, &OpenStall{open: make(map[string]bool)}) }

func (s *OpenStall) Fill(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[k] = true
}

func (s *OpenStall) NextBad(k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	delete(s.open, k) // want `rlock-write`
}

func (m *OpenMarket) Serve(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.stalls {
		s.NextBad(k)
		s.Fill(k)
	}
}

// What puts it there is called by its value, each time with the same stall.

type HeldStall struct {
	mu   sync.RWMutex
	open map[string]bool
}

type HeldMarket struct {
	mu     sync.Mutex
	stalls map[string]*HeldStall
}

func (m *HeldMarket) set(k string, s *HeldStall) { m.stalls[k] = s }

func BeginHeld(all []*HeldMarket, k string) {
	s := &HeldStall{open: make(map[string]bool)}
	var sets []func(string, *HeldStall)
	for _, m := range all {
		sets = append(sets, m.set)
	}
	for _, set := range sets {
		set(k, s)
	}
}

func (s *HeldStall) Fill(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[k] = true
}

func (s *HeldStall) NextBad(k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	delete(s.open, k) // want `rlock-write`
}

func (m *HeldMarket) Serve(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.stalls {
		s.NextBad(k)
		s.Fill(k)
	}
}

// A loop gives one stall to several markets.

type LoopStall struct {
	mu   sync.RWMutex
	open map[string]bool
}

type LoopMarket struct {
	mu     sync.Mutex
	stalls map[string]*LoopStall
}

func (m *LoopMarket) set(k string, s *LoopStall) { m.stalls[k] = s }

func BeginLoop(all []*LoopMarket, k string) {
	s := &LoopStall{open: make(map[string]bool)}
	for _, m := range all {
		m.mu.Lock()
		m.set(k, s)
		m.mu.Unlock()
	}
}

func (s *LoopStall) Fill(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[k] = true
}

func (s *LoopStall) NextBad(k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	delete(s.open, k) // want `rlock-write`
}

func (m *LoopMarket) Serve(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.stalls {
		s.NextBad(k)
		s.Fill(k)
	}
}

// It is put into one market after the other.

type ChainStall struct {
	mu   sync.RWMutex
	open map[string]bool
}

type ChainMarket struct {
	mu     sync.Mutex
	stalls map[string]*ChainStall
	next   *ChainMarket
}

func (m *ChainMarket) set(k string, s *ChainStall) {
	m.mu.Lock()
	m.stalls[k] = s
	m.mu.Unlock()
	if m.next != nil {
		m.next.set(k, s)
	}
}

func (m *ChainMarket) Begin(k string) { m.set(k, &ChainStall{open: make(map[string]bool)}) }

func (s *ChainStall) Fill(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[k] = true
}

func (s *ChainStall) NextBad(k string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	delete(s.open, k) // want `rlock-write`
}

func (m *ChainMarket) Serve(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.stalls {
		s.NextBad(k)
		s.Fill(k)
	}
}
