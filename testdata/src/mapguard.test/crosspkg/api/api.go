// Package api stands between store and its users.
package api

import "mapguard.test/crosspkg/store"

// A Server wraps a table.
type Server struct{ T *store.Table }

// Find hands on the check.
func (s *Server) Find(k string) *store.Item { // want Find:`reads arg0\.T\.items under arg0\.T\.mu`
	return s.T.Get(k)
}

// Add hands on the act.
func (s *Server) Add(k string, v *store.Item) { // want Add:`writes arg0\.T\.items under arg0\.T\.mu`
	s.T.Put(k, v)
}

func (s *Server) twoCallsBad(k string) *store.Item {
	v := s.T.Get(k)
	if v == nil {
		v = &store.Item{}
		s.T.Put(k, v) // want `split-lock: .*items`
	}
	return v
}

func (s *Server) looksAgainOk(k string) *store.Item {
	if v := s.T.Get(k); v != nil {
		return v
	}
	return s.T.GetOrPut(k)
}

func (s *Server) wrappersOk(k string) {
	s.T.Lock()
	defer s.T.Unlock()
	if s.T.FindLocked(k) == nil {
		s.T.InsertLocked(k, &store.Item{})
	}
}

func (s *Server) wrappersBad(k string) {
	s.T.Lock()
	v := s.T.FindLocked(k)
	s.T.Unlock()
	if v == nil {
		s.T.Lock()
		s.T.InsertLocked(k, &store.Item{}) // want `split-lock: .*items`
		s.T.Unlock()
	}
}

func (s *Server) lenThenPutBad(k string) {
	if s.T.Len() < 10 {
		s.T.Put(k, &store.Item{}) // want `split-lock: .*items`
	}
}

func (s *Server) runnerOk(k string) {
	s.T.With(func() {
		if s.T.FindLocked(k) == nil {
			s.T.InsertLocked(k, &store.Item{})
		}
	})
}

func (s *Server) runnerBad(k string) {
	if s.T.Get(k) == nil {
		s.T.With(func() {
			s.T.InsertLocked(k, &store.Item{}) // want `split-lock: .*items`
		})
	}
}

// As its name says, the imported function takes none.
func lockedHelperWithoutLockBad(t *store.Table, k string) {
	t.InsertLocked(k, &store.Item{}) // want `unguarded-access: .*items`
}
