package threads

// A Hub makes a new board when its settings change: what it does with the new one is not
// done with the one that the old goroutine has.
type Hub struct {
	board *board
	in    chan int
	done  chan struct{}
}

type board struct {
	pins map[int]string
	in   chan int
	done chan struct{}
}

// NewHub starts a hub.
func NewHub() *Hub {
	h := &Hub{in: make(chan int), done: make(chan struct{})}
	go h.run()
	return h
}

func (h *Hub) run() {
	h.renew()
	for range h.in {
		close(h.board.done)
		h.renew()
	}
}

func (h *Hub) renew() {
	h.board = &board{in: make(chan int), done: make(chan struct{})}
	h.board.startOk(3)
}

func (b *board) startOk(n int) {
	b.pins = make(map[int]string)
	for i := range n {
		b.pinOk(i)
	}
	go b.runOk()
}

func (b *board) runOk() {
	for {
		select {
		case i := <-b.in:
			b.pinOk(i)
		case <-b.done:
			return
		}
	}
}

func (b *board) pinOk(i int) { b.pins[i] = "" }

// A Rack goes on with the one that it has.
type Rack struct {
	shelf *plank
	in    chan int
}

type plank struct {
	pins map[int]string
	in   chan int
}

// NewRack starts a rack.
func NewRack() *Rack {
	r := &Rack{in: make(chan int)}
	go r.run()
	return r
}

func (r *Rack) run() {
	r.shelf = &plank{pins: make(map[int]string), in: make(chan int)}
	r.shelf.start()
	for i := range r.in {
		r.shelf.pinBad(i)
	}
}

func (p *plank) start() { go p.run() }

func (p *plank) run() {
	for i := range p.in {
		p.pinBad(i)
	}
}

func (p *plank) pinBad(i int) { p.pins[i] = "" } // want `pins`
