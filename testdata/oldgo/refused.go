package oldgo

import "time"

// The type of the map's values has no name.
func (h *hub) innerBad(ch chan int) {
	for _, v := range h.inner { // want `unguarded-access: .*`
		ch <- v.n
	}
}

// What a copy holds is shared.
func (h *hub) partsBad(ch chan int) {
	for _, v := range h.parts { // want `unguarded-access: .*`
		ch <- len(v)
	}
}

// The type's name means something else here.
func (h *hub) shadowBad(ch chan int) {
	type note int
	for range h.notes { // want `unguarded-access: .*`
		ch <- int(note(1))
	}
}

// So does that of the built-in function.
func (h *hub) makeBad(ch chan int) {
	make := func() int { return 1 }
	for range h.notes { // want `unguarded-access: .*`
		ch <- make()
	}
}

// And that of the package.
func (h *hub) packageBad(ch chan time.Time) {
	time := time.Now()
	for range h.times { // want `unguarded-access: .*`
		ch <- time
	}
}

// PartsBad returns maps in a map.
func (s *Store) PartsBad() map[string]map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.parts // want `map-escape: .*`
}

// FoundBad tells whether there are values, too.
func (s *Store) FoundBad() (map[string]int, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m, true // want `map-escape: .*`
}
