package splitlock

import "sync"

// A gone is an error of a type of its own: as a value of the interface it is never nil.
type gone struct{ key string }

func (g *gone) Error() string { return g.key + " is gone" }

func noSuch(key string) *gone { return &gone{key} }

type typedSettings struct {
	mu   sync.Mutex
	rows map[string]string
}

func (s *typedSettings) find(key string) (string, error) {
	if v, ok := s.rows[key]; ok {
		return v, nil
	}
	return "", noSuch(key)
}

func (s *typedSettings) get(key string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(key)
}

func (s *typedSettings) set(key, value string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.find(key); err != nil {
		return err
	}
	s.rows[key] = value
	return nil
}

func (s *typedSettings) put(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[key] = value
}

func (s *typedSettings) drop(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.rows, key)
}

// The section of the act looks once more, and says no by an error of its own.
func (s *typedSettings) changeOk(key, value string) error {
	if _, err := s.get(key); err != nil {
		return err
	}
	return s.set(key, value)
}

// Nothing looks again: what is gone by then comes back.
func (s *typedSettings) changeBad(key, value string) (bool, error) {
	if _, err := s.get(key); err != nil {
		return false, err
	}
	s.put(key, value) // want `split-lock: .*: what another goroutine just deleted comes back`
	return true, nil
}
