package owned

import "sync"

// A ward is known to its own gate, and to nothing else before it is in the map of the hall.
type ward struct {
	gate   *gate
	mu     sync.Mutex
	guests map[string]int
}

type gate struct{ ward *ward }

type hall struct{ wards sync.Map }

func (w *ward) enterOk(guest string) {
	w.mu.Lock()
	w.guests[guest]++
	w.mu.Unlock()
}

func (w *ward) guestOk(guest string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.guests[guest]
}

func (w *ward) leaveOk(guest string) {
	w.mu.Lock()
	delete(w.guests, guest)
	w.mu.Unlock()
}

func (h *hall) atOk(name string) *ward {
	if w, ok := h.wards.Load(name); ok {
		return w.(*ward)
	}
	w := &ward{guests: map[string]int{}}
	w.gate = &gate{ward: w}
	got, _ := h.wards.LoadOrStore(name, w)
	return got.(*ward)
}

func (h *hall) eachOk(names []string) {
	for _, name := range names {
		w := &ward{guests: map[string]int{}}
		w.gate = &gate{w}
		h.wards.Store(name, w)
	}
}

// Here it is in the map when it gets a guest.
func (h *hall) againBad(name string) *ward {
	w := &ward{guests: map[string]int{}}
	w.gate = &gate{ward: w}
	if got, loaded := h.wards.LoadOrStore(name, w); loaded {
		return got.(*ward)
	}
	w.enterOk("host")
	w.guests["porter"] = 1 // want `unguarded-access: ward.guests is written without mu.*, low`
	return w
}

func serveHall(h *hall, name string) {
	go h.atOk(name).enterOk("first")
}

// A yard is known by its door.
type yard struct {
	door *door
	mu   sync.Mutex
	pets map[string]int
}

type door struct{ yard *yard }

func (y *yard) comeOk(pet string) {
	y.mu.Lock()
	y.pets[pet]++
	y.mu.Unlock()
}

func (y *yard) petOk(pet string) int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.pets[pet]
}

func (y *yard) goneOk(pet string) {
	y.mu.Lock()
	delete(y.pets, pet)
	y.mu.Unlock()
}

// The door that others know leads to the yard.
func (h *hall) besideBad(name string) *yard {
	y := &yard{pets: map[string]int{}}
	y.door = &door{yard: y}
	if _, loaded := h.wards.LoadOrStore(name, y.door); loaded {
		return nil
	}
	y.comeOk("cow")
	y.pets["dog"] = 1 // want `unguarded-access: yard.pets is written without mu.*, low`
	return y
}

func serveYard(h *hall, name string) {
	go h.besideBad(name).comeOk("cat")
}
