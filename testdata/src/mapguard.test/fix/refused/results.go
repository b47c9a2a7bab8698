package refused

import "os"

// Functions fill a map and give it back, in ways in which what they give cannot become a copy.
type deferredSizes struct{ byFile map[string]int64 }

func newDeferredSizes(names []string) {
	s := &deferredSizes{byFile: make(map[string]int64)}
	go s.start(names) // want `goroutine-race: .*`
	go s.put("x")
}

func (s *deferredSizes) put(n string) { s.byFile[n] = 1 }

// What is deferred changes the map when it would be copied already.
func (s *deferredSizes) load(names []string) (map[string]int64, error) {
	defer s.put("all")
	for _, n := range names {
		st, err := os.Stat(n)
		if err != nil {
			continue
		}
		s.byFile[n] = st.Size()
	}
	return s.byFile, nil
}

func (s *deferredSizes) start(names []string) {
	found, err := s.load(names)
	println(err)
	for n := range found {
		os.Remove(n)
	}
}

type twoSizes struct{ byFile map[string]int64 }

func newTwoSizes(names []string) {
	s := &twoSizes{byFile: make(map[string]int64)}
	go s.start(names)
	go s.put("x")
}

func (s *twoSizes) put(n string) { s.byFile[n] = 1 }

// It gives the map back at two places.
func (s *twoSizes) load(names []string) (map[string]int64, error) {
	for _, n := range names {
		st, err := os.Stat(n)
		if err != nil {
			return s.byFile, err
		}
		s.byFile[n] = st.Size() // want `unguarded-access: .*`
	}
	return s.byFile, nil
}

func (s *twoSizes) start(names []string) {
	found, err := s.load(names)
	println(err)
	for n := range found {
		os.Remove(n)
	}
}

type innerSizes struct{ byFile map[string]int64 }

func newInnerSizes(names []string) {
	s := &innerSizes{byFile: make(map[string]int64)}
	go s.start(names)
	go s.put("x")
}

func (s *innerSizes) put(n string) { s.byFile[n] = 1 }

// It does not end with the return.
func (s *innerSizes) load(names []string) (map[string]int64, error) {
	for _, n := range names {
		st, err := os.Stat(n)
		if err == nil {
			s.byFile[n] = st.Size() // want `unguarded-access: .*`
		}
	}
	if len(names) > 0 {
		return s.byFile, nil
	} else {
		return nil, os.ErrInvalid
	}
}

func (s *innerSizes) start(names []string) {
	found, err := s.load(names)
	println(err)
	for n := range found {
		os.Remove(n)
	}
}

type namedSizes struct{ byFile map[string]int64 }

func newNamedSizes(names []string) {
	s := &namedSizes{byFile: make(map[string]int64)}
	go s.start(names)
	go s.put("x")
}

func (s *namedSizes) put(n string) { s.byFile[n] = 1 }

// What it gives back has a name of its own.
func (s *namedSizes) load(names []string) (map[string]int64, error) {
	all := s.byFile
	for _, n := range names {
		st, err := os.Stat(n)
		if err == nil {
			s.byFile[n] = st.Size() // want `unguarded-access: .*`
		}
	}
	return all, nil
}

func (s *namedSizes) start(names []string) {
	found, err := s.load(names)
	println(err)
	for n := range found {
		os.Remove(n)
	}
}
