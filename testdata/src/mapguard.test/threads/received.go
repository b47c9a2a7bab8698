package threads

// Each receive gives a worker another object, which it touches before it hands it to a goroutine.
type parcel struct{ notes map[string]int }

type sorter struct {
	in   chan *parcel
	raw  chan map[string]int
	stop chan struct{}
}

func newSorter() *sorter {
	s := &sorter{in: make(chan *parcel), raw: make(chan map[string]int), stop: make(chan struct{})}
	go s.sort()
	go s.sortRaw()
	return s
}

func (s *sorter) next() (*parcel, bool) {
	select {
	case p := <-s.in:
		return p, true
	case <-s.stop:
		return nil, false
	}
}

func (s *sorter) sort() {
	for {
		p, ok := s.next()
		if !ok {
			return
		}
		p.notes["sorted"]++
		go s.sendOk(p)
	}
}

func (s *sorter) sendOk(p *parcel) {
	p.notes["sent"]++
}

func (s *sorter) sortRaw() {
	for {
		select {
		case m := <-s.raw:
			m["sorted"] = len(m)
			go s.sendRawOk(m)
		case <-s.stop:
			return
		}
	}
}

func (s *sorter) sendRawOk(m map[string]int) {
	m["sent"]++
}

// What is used after it has been handed on.
type hurrier struct{ in chan *box }

type box struct{ notes map[string]int }

func newHurrier() *hurrier {
	h := &hurrier{in: make(chan *box)}
	go h.sortBad()
	return h
}

func (h *hurrier) sortBad() {
	for p := range h.in {
		go h.sendBad(p)
		p.notes["sorted"]++ // want `unguarded-access: .*notes is read`
	}
}

func (h *hurrier) sendBad(p *box) {
	p.notes["sent"]++ // want `: p\.notes is (read|written)`
}

// A round gives what it has filled to a goroutine, and goes on with a new one.
type filler struct{ in chan string }

type stack struct{ counts map[string]int }

func newFiller() *filler {
	f := &filler{in: make(chan string)}
	go f.fillOk()
	return f
}

func (f *filler) fillOk() {
	cur := &stack{counts: map[string]int{}}
	for k := range f.in {
		cur.counts[k]++
		if len(cur.counts) > 4 {
			full := cur
			cur = &stack{counts: map[string]int{}}
			go full.shipOk()
		}
	}
}

func (h *stack) shipOk() {
	for k := range h.counts {
		delete(h.counts, k)
	}
}

// This one goes on with the same.
type refiller struct{ in chan string }

type pile struct{ counts map[string]int }

func newRefiller() *refiller {
	f := &refiller{in: make(chan string)}
	go f.fillBad()
	return f
}

func (f *refiller) fillBad() {
	cur := &pile{counts: map[string]int{}}
	for k := range f.in {
		cur.counts[k]++ // want `unguarded-access: .*counts is read`
		if len(cur.counts) > 4 {
			full := cur
			if k != "" {
				cur = &pile{counts: map[string]int{}}
			}
			go full.shipBad()
		}
	}
}

func (p *pile) shipBad() {
	for k := range p.counts { // want `: p\.counts is ranged over`
		delete(p.counts, k)
	}
}
