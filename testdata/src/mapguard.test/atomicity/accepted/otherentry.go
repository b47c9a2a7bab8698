package accepted

import "sync"

// Others change other entries of the map only.

type cupboard struct {
	mu sync.Mutex
	m  map[string]*tube
}

func runCupboard() {
	s := &cupboard{m: make(map[string]*tube)}
	go s.leftOk()
	go s.rightOk()
	go s.middleBad()
	go s.fillMiddle()
}

func (s *cupboard) leftOk() {
	s.mu.Lock()
	x := s.m["left"]
	s.mu.Unlock()
	if x == nil {
		s.mu.Lock()
		s.m["left"] = &tube{}
		s.mu.Unlock()
	}
}

func (s *cupboard) rightOk() {
	s.mu.Lock()
	x := s.m["right"]
	s.mu.Unlock()
	if x == nil {
		s.mu.Lock()
		s.m["right"] = &tube{}
		s.mu.Unlock()
	}
}

func (s *cupboard) middleBad() {
	s.mu.Lock()
	x := s.m["middle"]
	s.mu.Unlock()
	if x == nil {
		s.mu.Lock()
		s.m["middle"] = &tube{} // want `split-lock: `
		s.mu.Unlock()
	}
}

func (s *cupboard) fillMiddle() {
	s.mu.Lock()
	s.m["middle"] = &tube{}
	s.mu.Unlock()
}

// A local map.
func localCupboardOk() {
	var mu sync.Mutex
	m := make(map[int]*tube)
	go func() {
		mu.Lock()
		x := m[1]
		mu.Unlock()
		if x == nil {
			mu.Lock()
			m[1] = &tube{}
			mu.Unlock()
		}
	}()
	go func() {
		mu.Lock()
		m[2] = &tube{}
		mu.Unlock()
	}()
}

// The length tells of all entries.
func localCountBad() {
	var mu sync.Mutex
	m := make(map[int]*tube)
	go func() {
		mu.Lock()
		n := len(m)
		mu.Unlock()
		if n < 1 {
			mu.Lock()
			m[1] = &tube{} // want `split-lock: `
			mu.Unlock()
		}
	}()
	go func() {
		mu.Lock()
		m[2] = &tube{}
		mu.Unlock()
	}()
}
