package locks

import "sync"

type states struct {
	mu sync.Mutex
	// guarded by mu
	of map[string]string
}

func (s *states) get(k string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[k]
}

// Each way out waits for the goroutines, which keep each other away by a lock of their own.
func (s *states) askAllOk(names []string, ask func(string) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var wg sync.WaitGroup
	var answers sync.Mutex
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a := ask(name)
			answers.Lock()
			defer answers.Unlock()
			s.of[name] = a
		}()
	}
	wg.Wait()
}

type hurriedStates struct {
	mu sync.Mutex
	// guarded by mu
	of map[string]string
}

func (s *hurriedStates) get(k string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[k]
}

// One way out waits for nothing: the lock is let go while the goroutines go on.
func (s *hurriedStates) askAllBad(names []string, enough func() bool, ask func(string) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var wg sync.WaitGroup
	var answers sync.Mutex
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a := ask(name)
			answers.Lock()
			defer answers.Unlock()
			s.of[name] = a // want `unguarded-access: s.of is written without mu`
		}()
		if enough() {
			return
		}
	}
	wg.Wait()
}

func runLeaves(s *states, h *hurriedStates, names []string) {
	go s.get("a")
	go h.get("a")
	s.askAllOk(names, s.get)
	h.askAllBad(names, func() bool { return true }, h.get)
}
