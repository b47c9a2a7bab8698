// Package doubles implements a fake store to test with. It keeps all in memory.
package doubles

import "sync"

type Store struct {
	mu   sync.Mutex
	rows map[string]string
}

func (s *Store) Put(k, v string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[k] = v
}

func (s *Store) GetOrPutOk(k, v string) string {
	s.mu.Lock()
	old, ok := s.rows[k]
	s.mu.Unlock()
	if ok {
		return old
	}
	s.Put(k, v)
	return v
}

func (s *Store) RowsOk() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows
}
