package marks

import "sync"

// Who has found the mark unset keeps out who wants to set it, as long as the section of the mutex lasts. So the one who has
// set it comes to the map without the mutex, if all others ask first.

// shelf is restocked without its mutex; the others wait for the end of that.
type shelf struct {
	mu      sync.Mutex
	stock   bool
	stocked *sync.Cond
	goods   map[string]int
}

func newShelf() *shelf {
	s := &shelf{goods: make(map[string]int)}
	s.stocked = sync.NewCond(&s.mu)
	return s
}

// RestockOk has the shelf to itself while the mark is set.
func (s *shelf) RestockOk(list []string) {
	s.mu.Lock()
	for s.stock {
		s.stocked.Wait()
	}
	s.stock = true
	s.mu.Unlock()
	for i, name := range list {
		if _, ok := s.goods[name]; !ok {
			s.goods[name] = i
		}
	}
	s.mu.Lock()
	s.stock = false
	s.settleOk("last")
	s.mu.Unlock()
	s.stocked.Broadcast()
}

// settleOk runs where the mark is taken back, or was found unset.
func (s *shelf) settleOk(name string) {
	if _, ok := s.goods[name]; !ok {
		s.goods[name] = 0
	}
}

// PlaceOk waits until the mark is not set.
func (s *shelf) PlaceOk(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.stock {
		s.stocked.Wait()
	}
	if _, ok := s.goods[name]; ok {
		return false
	}
	s.goods[name] = 1
	s.settleOk("first")
	return true
}

// SellOk refuses.
func (s *shelf) SellOk(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stock {
		return false
	}
	n, ok := s.goods[name]
	delete(s.goods, name)
	return ok && n > 0
}

// readShelf has a lock for readers.
type readShelf struct {
	mu    sync.RWMutex
	stock bool
	goods map[string]int
}

func (s *readShelf) RestockReadOk(list []string) {
	s.mu.Lock()
	if s.stock {
		s.mu.Unlock()
		return
	}
	s.stock = true
	s.mu.Unlock()
	for i, name := range list {
		if _, ok := s.goods[name]; !ok {
			s.goods[name] = i
		}
	}
	s.mu.Lock()
	s.stock = false
	s.mu.Unlock()
}

func (s *readShelf) SeeOk(name string) (int, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.stock {
		return 0, false
	}
	return s.goods[name], true
}

// peekedShelf has a method that does not ask.
type peekedShelf struct {
	mu    sync.Mutex
	stock bool
	goods map[string]int
}

func (s *peekedShelf) RestockPeekedBad(list []string) {
	s.mu.Lock()
	if s.stock {
		s.mu.Unlock()
		return
	}
	s.stock = true
	s.mu.Unlock()
	for i, name := range list {
		s.goods[name] = i // want `unguarded-access: `
	}
	s.mu.Lock()
	s.stock = false
	s.mu.Unlock()
}

func (s *peekedShelf) PeekBad(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.goods[name] // want `unguarded-access: `
}

// twiceShelf asks in one section, and comes to the map in the next one.
type twiceShelf struct {
	mu    sync.Mutex
	stock bool
	goods map[string]int
}

func (s *twiceShelf) RestockTwiceBad(list []string) {
	s.mu.Lock()
	if s.stock {
		s.mu.Unlock()
		return
	}
	s.stock = true
	s.mu.Unlock()
	for i, name := range list {
		if _, ok := s.goods[name]; !ok { // want `check-then-act: `
			s.goods[name] = i
		}
	}
	s.mu.Lock()
	s.stock = false
	s.mu.Unlock()
}

func (s *twiceShelf) Add(name string) {
	s.mu.Lock()
	if s.stock {
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	s.mu.Lock()
	s.goods[name] = 1
	s.mu.Unlock()
}

// roomShelf waits for room behind the question: others set the mark meanwhile.
type roomShelf struct {
	mu    sync.Mutex
	stock bool
	room  *sync.Cond
	free  int
	goods map[string]int
}

func (s *roomShelf) RestockRoomBad(list []string) {
	s.mu.Lock()
	if s.stock {
		s.mu.Unlock()
		return
	}
	s.stock = true
	s.mu.Unlock()
	for i, name := range list {
		if _, ok := s.goods[name]; !ok { // want `check-then-act: `
			s.goods[name] = i
		}
	}
	s.mu.Lock()
	s.stock = false
	s.mu.Unlock()
}

func (s *roomShelf) AddThere(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stock {
		return
	}
	for s.free == 0 {
		s.room.Wait()
	}
	s.free--
	s.goods[name] = 1
}

// handedShelf gives the mark to a goroutine, and comes to the map behind that.
type handedShelf struct {
	mu    sync.Mutex
	stock bool
	goods map[string]int
}

func (s *handedShelf) StartBad(list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stock {
		return
	}
	s.stock = true
	go func() {
		for i, name := range list {
			if _, ok := s.goods[name]; !ok { // want `check-then-act: `
				s.goods[name] = i
			}
		}
		s.mu.Lock()
		s.stock = false
		s.mu.Unlock()
	}()
	s.goods["last"] = 1
}

// twoShelves asks for the mark of another object.
type twoShelves struct {
	mu    sync.Mutex
	stock bool
	next  *twoShelves
	goods map[string]int
}

func (s *twoShelves) RestockOneBad(list []string) {
	s.mu.Lock()
	if s.stock {
		s.mu.Unlock()
		return
	}
	s.stock = true
	s.mu.Unlock()
	for i, name := range list {
		if _, ok := s.goods[name]; !ok { // want `check-then-act: `
			s.goods[name] = i
		}
	}
	s.mu.Lock()
	s.stock = false
	s.mu.Unlock()
}

func (s *twoShelves) AddElsewhere(other *twoShelves, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other.stock {
		return
	}
	s.goods[name] = 1
}
