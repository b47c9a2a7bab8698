package syncmap

import "sync"

// A typedMap is a sync.Map with types; a plainMap has fewer methods.
type typedMap[K comparable, V any] struct{ m sync.Map }

func (t *typedMap[K, V]) Load(k K) (v V, ok bool) {
	x, ok := t.m.Load(k)
	if !ok {
		return v, false
	}
	return x.(V), true
}

func (t *typedMap[K, V]) Store(k K, v V) { t.m.Store(k, v) }

func (t *typedMap[K, V]) Delete(k K) { t.m.Delete(k) }

func (t *typedMap[K, V]) LoadOrStore(k K, v V) (V, bool) {
	x, loaded := t.m.LoadOrStore(k, v)
	return x.(V), loaded
}

func (t *typedMap[K, V]) LoadAndDelete(k K) (v V, ok bool) {
	x, ok := t.m.LoadAndDelete(k)
	if !ok {
		return v, false
	}
	return x.(V), true
}

type plainMap struct{ m sync.Map }

func (t *plainMap) Load(k string) (v *room, ok bool) {
	x, ok := t.m.Load(k)
	if !ok {
		return v, false
	}
	return x.(*room), true
}

func (t *plainMap) Store(k string, v *room) { t.m.Store(k, v) }

type room struct {
	name   string
	guests int
}

type house struct {
	rooms typedMap[string, *room]
	halls plainMap
}

func (h *house) serve() {
	for range 4 {
		go h.roomBad("a", 1)
		go h.emptyBad("a")
		go h.hallBad("a")
		go h.guestBad("a", 2)
	}
}

func (h *house) roomBad(name string, guests int) (*room, error) {
	r, ok := h.rooms.Load(name)
	if ok {
		return r, nil
	}
	r = &room{name: name, guests: guests}
	h.rooms.Store(name, r) // want `sync-map: .*LoadOrStore`
	return r, nil
}

func (h *house) guestBad(name string, guests int) int {
	r, ok := h.rooms.Load(name)
	if !ok {
		r = &room{name: name}
		h.rooms.Store(name, r) // want `sync-map: .*LoadOrStore`
	}
	return r.guests + guests
}

func (h *house) emptyBad(name string) *room {
	r, ok := h.rooms.Load(name)
	if !ok {
		return nil
	}
	h.rooms.Delete(name) // want `sync-map: .*rooms`
	return r
}

// There is no such method.
func (h *house) hallBad(name string) *room {
	r, ok := h.halls.Load(name)
	if ok {
		return r
	}
	r = &room{name: name}
	h.halls.Store(name, r) // want `sync-map: .*halls`
	return r
}
