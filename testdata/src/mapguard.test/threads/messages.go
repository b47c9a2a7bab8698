package threads

import "errors"

// One goroutine owns the map and answers requests, each of which brings a channel for
// the answer. To send one and wait is to call what works the answer out, in a critical
// section of its own; two messages are two sections.

var errNoSeat = errors.New("no seat")

type seatRequest struct {
	kind  string
	seat  int
	who   string
	reply chan bool
}

type hall struct {
	requests chan seatRequest
	seats    map[int]string
}

func openHall() *hall {
	h := &hall{requests: make(chan seatRequest), seats: make(map[int]string)}
	go h.serve()
	return h
}

func (h *hall) serve() {
	for r := range h.requests {
		switch r.kind {
		case "free":
			r.reply <- h.free(r.seat)
		case "take":
			r.reply <- h.take(r.seat, r.who)
		case "book":
			r.reply <- h.book(r.seat, r.who)
		}
	}
}

func (h *hall) ask(kind string, seat int, who string) bool {
	r := seatRequest{kind, seat, who, make(chan bool)}
	h.requests <- r
	return <-r.reply
}

func (h *hall) free(seat int) bool {
	_, taken := h.seats[seat]
	return !taken
}

func (h *hall) take(seat int, who string) bool {
	h.seats[seat] = who
	return true
}

func (h *hall) book(seat int, who string) bool {
	if _, taken := h.seats[seat]; taken {
		return false
	}
	h.seats[seat] = who
	return true
}

// Between the two messages another one can take the seat.
func (h *hall) Reserve(seat int, who string) error {
	if !h.ask("free", seat, "") {
		return errNoSeat
	}
	h.ask("take", seat, who) // want `split-lock: h.seats is read at line 68 and written here in two requests sent to h.requests: .*high`
	return nil
}

func (h *hall) BookOk(seat int, who string) error {
	if !h.ask("book", seat, who) {
		return errNoSeat
	}
	return nil
}

// The second message looks again.
func (h *hall) ReserveOk(seat int, who string) error {
	if !h.ask("free", seat, "") {
		return errNoSeat
	}
	if !h.ask("book", seat, who) {
		return errNoSeat
	}
	return nil
}

// A channel for each kind of request, and pointers to requests.

type getName struct {
	id    int
	reply chan string
}

type setName struct {
	id   int
	name string
	done chan bool
}

type names struct {
	gets chan *getName
	sets chan *setName
	byID map[int]string
}

func newNames() *names {
	n := &names{gets: make(chan *getName), sets: make(chan *setName), byID: make(map[int]string)}
	go func() { n.run() }()
	return n
}

func (n *names) run() {
	for {
		select {
		case g := <-n.gets:
			g.reply <- n.get(g.id)
		case s := <-n.sets:
			s.done <- n.set(s.id, s.name)
		}
	}
}

func (n *names) get(id int) string { return n.byID[id] }

func (n *names) set(id int, name string) bool {
	n.byID[id] = name
	return true
}

func (n *names) Get(id int) string {
	g := &getName{id: id, reply: make(chan string)}
	n.gets <- g
	return <-g.reply
}

func (n *names) Set(id int, name string) {
	s := &setName{id: id, name: name, done: make(chan bool)}
	n.sets <- s
	<-s.done
}

func (n *names) Claim(id int, name string) bool {
	if n.Get(id) != "" {
		return false
	}
	n.Set(id, name) // want `split-lock: n.byID is .*high`
	return true
}

// What is set does not come from what was found.
func (n *names) RenameOk(id int, name string) string {
	old := n.Get(id)
	n.Set(id, name)
	return old
}
