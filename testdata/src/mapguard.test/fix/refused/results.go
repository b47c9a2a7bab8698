package refused

import (
	"os"
	"sync"
)

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

type lateSizes struct{ byFile map[string]int64 }

func newLateSizes(names []string) {
	s := &lateSizes{byFile: make(map[string]int64)}
	go s.start(names) // want `goroutine-race: .*`
	go s.put("x")
}

func (s *lateSizes) put(n string) { s.byFile[n] = 1 }

func (s *lateSizes) load(names []string) (map[string]int64, error) {
	for _, n := range names {
		st, err := os.Stat(n)
		if err == nil {
			s.byFile[n] = st.Size()
		}
	}
	return s.byFile, nil
}

// What is put in before the walk must be met.
func (s *lateSizes) start(names []string) {
	found, err := s.load(names)
	println(err)
	s.put("late")
	for n := range found {
		os.Remove(n)
	}
}

// Maps have names of their own, which do not tell one object.
type nextSizes struct {
	byFile map[string]int64
	next   *nextSizes
}

func newNextSizes() {
	s := &nextSizes{byFile: make(map[string]int64), next: &nextSizes{byFile: make(map[string]int64)}}
	go s.put("x") // want `goroutine-race: .*`
	go s.moved()
}

func (s *nextSizes) put(n string) { s.byFile[n] = 1 }

func (s *nextSizes) moved() {
	all := s.byFile
	s = s.next
	for n := range all {
		println(n)
	}
}

type pairSizes struct {
	byFile map[string]int64
	next   *pairSizes
}

func newPairSizes() {
	s := &pairSizes{byFile: make(map[string]int64), next: &pairSizes{byFile: make(map[string]int64)}}
	go s.put("x") // want `goroutine-race: .*`
	go s.both()
}

func (s *pairSizes) put(n string) { s.byFile[n] = 1 }

func (s *pairSizes) both() {
	all, others := s.byFile, s.next.byFile
	for n := range all {
		println(others[n])
	}
}

// A field is assigned, and its map has a name at a place that no section can reach.
type laterSizes struct{ byFile map[string]int64 }

func newLaterSizes() {
	s := &laterSizes{byFile: make(map[string]int64)}
	go s.renew() // want `goroutine-race: .*`
	go s.walk(make(chan string))
}

func (s *laterSizes) renew() { s.byFile = make(map[string]int64) }

func (s *laterSizes) walk(names chan string) {
	all := s.byFile
	for n := range names {
		println(all[n])
	}
}

type sizeFlag bool

// What a comparison gives has the type of the map's values, a variable for it has not.
type flagSizes struct {
	mu sync.Mutex
	// big is guarded by mu.
	big map[string]sizeFlag
	// left is guarded by mu.
	left map[string]int64
	// right is guarded by mu.
	right map[string]sizeFlag
}

func (s *flagSizes) get(n string) (sizeFlag, int64, sizeFlag) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.big[n], s.left[n], s.right[n]
}

func sizeOf(n string) uint {
	st, _ := os.Stat(n)
	return uint(st.Size())
}

func (s *flagSizes) put(n string) {
	s.big[n] = sizeOf(n) > 3 // want `.*`
}

func (s *flagSizes) shift(n string) {
	s.left[n] = 1 << sizeOf(n) // want `.*`
}

func (s *flagSizes) not(n string) {
	s.right[n] = !(sizeOf(n) > 3 && sizeOf(n+n) < 4) // want `.*`
}

func (s *flagSizes) sum(n string) {
	s.left[n] = -(1<<sizeOf(n) + 2) // want `.*`
}
