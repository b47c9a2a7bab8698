// Package hands starts as many goroutines as its callers say: one that is alone has its object's map to itself.
package hands

type mason struct {
	stones chan string
	laid   map[string]int
}

func NewMason() *mason {
	m := &mason{stones: make(chan string), laid: make(map[string]int)}
	m.begin(1)
	return m
}

func (m *mason) begin(hands int) {
	for range hands {
		go m.layOk()
	}
}

func (m *mason) layOk() {
	for s := range m.stones {
		if _, ok := m.laid[s]; !ok {
			m.laid[s] = 0
		}
		m.laid[s]++
	}
}

// It is passed on, and waited for.
type tiler struct {
	tiles chan string
	set   map[string]int
}

func (t *tiler) All() int {
	t.shift(1)
	return len(t.set)
}

func (t *tiler) shift(hands int) { t.work(hands) }

func (t *tiler) work(hands int) {
	done := make(chan bool)
	for i := 0; i < hands; i++ {
		go func() {
			t.tileOk()
			done <- true
		}()
	}
	for range hands {
		<-done
	}
}

func (t *tiler) tileOk() {
	for s := range t.tiles {
		t.set[s]++
	}
}

// One of the callers has two.
type painter struct {
	rooms chan string
	done  map[string]int
}

func NewPainter(large bool) *painter {
	p := &painter{rooms: make(chan string), done: make(map[string]int)}
	if large {
		p.begin(2)
	} else {
		p.begin(1)
	}
	return p
}

func (p *painter) begin(hands int) {
	for range hands {
		go p.paintBad()
	}
}

func (p *painter) paintBad() {
	for r := range p.rooms {
		if _, ok := p.done[r]; !ok { // want `p.done`
			p.done[r] = 0
		}
	}
}

// Others can call it, with any number.
type Roofer struct {
	slates chan string
	up     map[string]int
}

func NewRoofer() *Roofer {
	r := &Roofer{slates: make(chan string), up: make(map[string]int)}
	r.Begin(1)
	return r
}

func (r *Roofer) Begin(hands int) {
	for range hands {
		go r.slateBad()
	}
}

func (r *Roofer) slateBad() {
	for s := range r.slates {
		if _, ok := r.up[s]; !ok { // want `r.up`
			r.up[s] = 0
		}
	}
}

// Nothing counts how many there are.
type porter struct {
	bags    chan string
	carried map[string]int
}

func NewPorter() *porter {
	p := &porter{bags: make(chan string), carried: make(map[string]int)}
	p.begin(1)
	return p
}

func (p *porter) begin(hands int) {
	for hands > 0 {
		go p.carryBad()
		if len(p.bags) == 0 {
			hands--
		}
	}
}

func (p *porter) carryBad() {
	for b := range p.bags {
		if _, ok := p.carried[b]; !ok { // want `p.carried`
			p.carried[b] = 0
		}
	}
}

// A loop has one after the other begin, all for one object.
type docker struct {
	bags    chan string
	carried map[string]int
}

func NewDockers() {
	d := &docker{bags: make(chan string), carried: make(map[string]int)}
	for range 4 {
		dock(d, 1)
	}
}

func dock(d *docker, hands int) {
	for range hands {
		go d.workBad()
	}
}

func (d *docker) workBad() {
	for b := range d.bags {
		if _, ok := d.carried[b]; !ok { // want `d.carried`
			d.carried[b] = 0
		}
	}
}

// It begins with one, and gets more when there is much to do.
type loader struct {
	bags    chan string
	carried map[string]int
}

func NewLoader() *loader {
	l := &loader{bags: make(chan string), carried: make(map[string]int)}
	l.begin(1)
	return l
}

func (l *loader) Load(bag string) {
	if len(l.bags) == cap(l.bags) {
		l.begin(1)
	}
	l.bags <- bag
}

func (l *loader) begin(hands int) {
	for range hands {
		go l.workBad()
	}
}

func (l *loader) workBad() {
	for b := range l.bags {
		if _, ok := l.carried[b]; !ok { // want `l.carried`
			l.carried[b] = 0
		}
	}
}

// It has another one begin itself.
type hauler struct {
	bags    chan string
	carried map[string]int
}

func NewHauler() *hauler {
	h := &hauler{bags: make(chan string), carried: make(map[string]int)}
	h.begin(1)
	return h
}

func (h *hauler) begin(hands int) {
	for range hands {
		go h.workBad()
	}
	if len(h.bags) > 0 {
		h.begin(1)
	}
}

func (h *hauler) workBad() {
	for b := range h.bags {
		if _, ok := h.carried[b]; !ok { // want `h.carried`
			h.carried[b] = 0
		}
	}
}

// Each has one, and they may have one map.
type sorter struct {
	bags    chan string
	carried map[string]int
}

func NewSorter(carried map[string]int) *sorter {
	s := &sorter{bags: make(chan string), carried: carried}
	s.begin(1)
	return s
}

func (s *sorter) begin(hands int) {
	for range hands {
		go s.workBad()
	}
}

func (s *sorter) workBad() {
	for b := range s.bags {
		if _, ok := s.carried[b]; !ok { // want `s.carried`
			s.carried[b] = 0
		}
	}
}

// So they have where it is the package's.
var sold = make(map[string]int)

type seller struct{ orders chan string }

func NewSeller() *seller {
	s := &seller{orders: make(chan string)}
	s.begin(1)
	return s
}

func (s *seller) begin(hands int) {
	for range hands {
		go s.sellBad()
	}
}

func (s *seller) sellBad() {
	for o := range s.orders {
		if _, ok := sold[o]; !ok { // want `sold`
			sold[o] = 0
		}
	}
}
