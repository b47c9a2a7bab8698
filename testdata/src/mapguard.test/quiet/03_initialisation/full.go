package initialisation

import "sync"

// A map that is only filled up to a size, under the lock: who has found it full, under the lock, needs none from then on.

const maxSlots = 4

type slots struct {
	mu   sync.Mutex
	byID map[string]int
}

func newSlots() *slots { return &slots{byID: make(map[string]int)} }

func (s *slots) TakeOk(id string) int {
	s.mu.Lock()
	if len(s.byID) >= maxSlots {
		s.mu.Unlock()
		return s.smallestOk()
	}
	defer s.mu.Unlock()
	s.byID[id] = len(id)
	return len(id)
}

func (s *slots) smallestOk() (least int) {
	for _, n := range s.byID {
		if n < least {
			least = n
		}
	}
	return least + len(s.byID)
}

// The limit is a field that keeps its value; the other way round, and in a helper that its callers lock.

type queueSlots struct {
	mu   sync.RWMutex
	room int
	ids  map[string]bool
}

func newQueueSlots(room int) *queueSlots {
	return &queueSlots{room: room, ids: make(map[string]bool)}
}

func (q *queueSlots) AddOk(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.room > len(q.ids) {
		q.put(id)
	}
}

func (q *queueSlots) put(id string) { q.ids[id] = true }

func (q *queueSlots) HasOk(id string) bool {
	q.mu.RLock()
	full := len(q.ids)
	if !(full < q.room) {
		q.mu.RUnlock()
		return q.ids[id]
	}
	defer q.mu.RUnlock()
	return q.ids[id]
}

// Whatever is filled where it is empty, in one section, is as it stays once it is not.

var (
	seatsMu sync.Mutex
	seats   = map[string]int{}
)

func seatsOk(k string) int {
	seatsMu.Lock()
	if len(seats) != 0 {
		seatsMu.Unlock()
		return seats[k]
	}
	defer seatsMu.Unlock()
	for i, s := range []string{"a", "b"} {
		seats[s] = i
	}
	return seats[k]
}

// An entry goes: there is room again.

type freedSlots struct {
	mu   sync.Mutex
	byID map[string]int
}

func (s *freedSlots) TakeBad(id string) int {
	s.mu.Lock()
	if len(s.byID) >= maxSlots {
		s.mu.Unlock()
		return s.byID[id] // want `unguarded`
	}
	defer s.mu.Unlock()
	s.byID[id] = len(id)
	return len(id)
}

func (s *freedSlots) Drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byID, id)
}

// The reader is content with less than what ends the filling.

type halfSlots struct {
	mu   sync.Mutex
	byID map[string]int
}

func (s *halfSlots) TakeBad(id string) int {
	s.mu.Lock()
	if len(s.byID) >= maxSlots-1 {
		s.mu.Unlock()
		return s.byID[id] // want `unguarded`
	}
	defer s.mu.Unlock()
	s.byID[id] = len(id)
	return len(id)
}

func (s *halfSlots) Last(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.byID) < maxSlots {
		s.byID[id] = len(id)
	}
}

// The look that allows the change is made in another section.

type splitSlots struct {
	mu   sync.Mutex
	byID map[string]int
}

func (s *splitSlots) TakeBad(id string) int {
	s.mu.Lock()
	if len(s.byID) >= maxSlots {
		s.mu.Unlock()
		return s.byID[id] // want `unguarded`
	}
	s.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID[id] = len(id) // want `split-lock`
	return len(id)
}

// The limit grows.

type widerSlots struct {
	mu   sync.Mutex
	room int
	byID map[string]int
}

func (s *widerSlots) TakeBad(id string) int {
	s.mu.Lock()
	if len(s.byID) >= s.room {
		s.mu.Unlock()
		return s.byID[id] // want `unguarded`
	}
	defer s.mu.Unlock()
	s.byID[id] = len(id)
	return len(id)
}

func (s *widerSlots) Widen() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room++
}

// The size is looked at without the lock.

type glancedSlots struct {
	mu   sync.Mutex
	byID map[string]int
}

func (s *glancedSlots) GetBad(id string) int {
	if len(s.byID) >= maxSlots {
		return s.byID[id] // want `unguarded`
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.byID) < maxSlots {
		s.byID[id] = len(id)
	}
	return len(id)
}

// The map is replaced by an empty one.

type renewedSlots struct {
	mu   sync.Mutex
	byID map[string]int
}

func (s *renewedSlots) TakeBad(id string) int {
	s.mu.Lock()
	if len(s.byID) >= maxSlots {
		s.mu.Unlock()
		return s.byID[id] // want `unguarded`
	}
	defer s.mu.Unlock()
	s.byID[id] = len(id)
	return len(id)
}

func (s *renewedSlots) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID = make(map[string]int)
}

// One way to the reader has not found it full.

type openSlots struct {
	mu   sync.Mutex
	byID map[string]int
}

func (s *openSlots) Take(id string) int {
	s.mu.Lock()
	if len(s.byID) >= maxSlots {
		s.mu.Unlock()
		return s.least()
	}
	s.byID[id] = len(id)
	s.mu.Unlock()
	return s.leastBad()
}

func (s *openSlots) least() int { return s.leastBad() }

func (s *openSlots) leastBad() (least int) {
	for _, n := range s.byID { // want `unguarded`
		least = min(least, n)
	}
	return least
}

// A copy of the object has the same map, and more room.

type copiedSlots struct {
	mu   *sync.Mutex
	room int
	byID map[string]int
}

func newCopiedSlots(room int) *copiedSlots {
	return &copiedSlots{mu: new(sync.Mutex), room: room, byID: make(map[string]int)}
}

func (s *copiedSlots) Wider() *copiedSlots {
	w := *s
	w.room = 2 * s.room
	return &w
}

func (s *copiedSlots) TakeBad(id string) int {
	s.mu.Lock()
	if len(s.byID) >= s.room {
		s.mu.Unlock()
		return s.byID[id] // want `unguarded`
	}
	defer s.mu.Unlock()
	s.byID[id] = len(id)
	return len(id)
}

// A helper waits between the look and the change, and lets the lock go meanwhile: others fill the map.

type awaitedSlots struct {
	mu   sync.Mutex
	idle *sync.Cond
	free int
	byID map[string]int
}

func newAwaitedSlots() *awaitedSlots {
	s := &awaitedSlots{byID: make(map[string]int)}
	s.idle = sync.NewCond(&s.mu)
	return s
}

func (s *awaitedSlots) TakeBad(id string) int {
	s.mu.Lock()
	if len(s.byID) >= maxSlots {
		s.mu.Unlock()
		return s.byID[id] // want `unguarded`
	}
	s.await()
	s.byID[id] = len(id)
	s.mu.Unlock()
	return len(id)
}

func (s *awaitedSlots) await() {
	for s.free == 0 {
		s.idle.Wait()
	}
}
