package threads

// What an event loop is given, it calls by an interface, in turn with the functions that it is sent.

type Router interface {
	AttachOk(*Broker)
	RouteOk(string)
}

type Broker struct {
	router Router
	evals  chan func()
	msgs   chan string
	names  chan string
	topics map[string]int
}

func NewBroker(r Router) *Broker {
	h := &Broker{router: r, evals: make(chan func()), msgs: make(chan string), names: make(chan string), topics: map[string]int{}}
	r.AttachOk(h)
	go h.loopOk()
	return h
}

func (h *Broker) loopOk() {
	for {
		select {
		case m := <-h.msgs:
			h.passOk(m)
		case f := <-h.evals:
			f()
		case n := <-h.names:
			h.topics[n]++
		}
	}
}

func (h *Broker) passOk(m string) { h.router.RouteOk(m) }

func (h *Broker) JoinOk(n string) bool {
	answer := make(chan bool, 1)
	h.evals <- func() {
		_, ok := h.topics[n]
		h.topics[n]++
		answer <- ok
	}
	return <-answer
}

type Gossip struct{ hub *Broker }

func (g *Gossip) AttachOk(h *Broker) {
	g.hub = h
	go func() { h.evals <- g.beatOk }()
}

func (g *Gossip) beatOk() {
	for t, n := range g.hub.topics {
		if n == 0 {
			delete(g.hub.topics, t)
		}
	}
}

func (g *Gossip) RouteOk(string) {
	for t := range g.hub.topics {
		_ = t
	}
}

// Here callers come to what the loop calls, too.

type Sender interface {
	BindOk(*Relay)
	SendBad(string)
}

type Relay struct {
	sender Sender
	evals  chan func()
	msgs   chan string
	names  chan string
	peers  map[string]int
}

func NewRelay(s Sender) *Relay {
	r := &Relay{sender: s, evals: make(chan func()), msgs: make(chan string), names: make(chan string), peers: map[string]int{}}
	s.BindOk(r)
	go r.loopOk()
	return r
}

func (r *Relay) loopOk() {
	for {
		select {
		case m := <-r.msgs:
			r.sender.SendBad(m)
		case f := <-r.evals:
			f()
		case n := <-r.names:
			r.peers[n]++
		}
	}
}

func (r *Relay) AddOk(n string) {
	r.evals <- func() { r.peers[n]++ }
}

func (r *Relay) AnnounceOk(m string) { r.sender.SendBad(m) }

type Direct struct{ relay *Relay }

func (d *Direct) BindOk(r *Relay) {
	d.relay = r
	go func() { r.evals <- d.beatOk }()
}

func (d *Direct) beatOk() { delete(d.relay.peers, "") }

func (d *Direct) SendBad(string) {
	for t := range d.relay.peers { // want `unguarded-access: d\.relay\.peers`
		_ = t
	}
}
