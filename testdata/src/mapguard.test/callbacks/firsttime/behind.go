package firsttime

import (
	"net/http"
	"sync"
	"time"

	"mapguard.test/callbacks/firsttime/gate"
)

// A mart has one gate, behind which come its helpers, and a goroutine.
type mart struct {
	first  *gate.Opened
	stock  map[string]int
	orders map[int]string
}

func newMart() *mart { return &mart{first: new(gate.Opened), orders: make(map[int]string)} }

func (m *mart) open() {
	m.first.First(func() {
		m.stock = make(map[string]int)
		m.put("tea", 3)
	})
}

func (m *mart) put(name string, n int) {
	m.stock[name] = n
	m.orders[n] = name
}

func (m *mart) stockOk(w http.ResponseWriter, r *http.Request) {
	m.open()
	found := make(chan int)
	go func() { found <- m.stock[r.URL.Path] }()
	w.WriteHeader(<-found + m.sumOk())
}

func (m *mart) sumOk() (sum int) {
	for n := range m.orders {
		sum += n
	}
	return sum
}

// A kiosk lets one look in who has not passed its gate.
type kiosk struct {
	first  gate.Opened
	papers map[string]int
}

func (k *kiosk) fillBad(w http.ResponseWriter, r *http.Request) {
	k.first.First(func() { k.papers["daily"] = 1 }) // want `goroutine-race: k.papers is written in a goroutine under k.first.mu`
	w.WriteHeader(200)
}

func (k *kiosk) peek(w http.ResponseWriter, r *http.Request) {
	if k.papers[r.URL.Path] == 0 {
		w.WriteHeader(404)
	}
}

// A fair has two gates to one map.
type fair struct {
	east, west gate.Opened
	tents      map[string]int
}

func (f *fair) eastBad(w http.ResponseWriter, r *http.Request) {
	f.east.First(func() { f.tents["east"] = 1 }) // want `goroutine-race: f.tents is written in a goroutine under f.east.mu`
	w.WriteHeader(f.tents[r.URL.Path])
}

func (f *fair) enterWest(w http.ResponseWriter, r *http.Request) {
	f.west.First(func() { f.tents["west"] = 1 })
	w.WriteHeader(200)
}

// A yard has its gate replaced by another one.
type yard struct {
	first gate.Opened
	carts map[string]int
}

func (y *yard) cartsBad(w http.ResponseWriter, r *http.Request) {
	y.first.First(func() {
		y.carts = make(map[string]int)
		y.carts["blue"] = 1
	})
	if y.carts[r.URL.Path] == 0 { // want `goroutine-race: y.carts is read in a goroutine without a lock`
		w.WriteHeader(404)
	}
}

func (y *yard) renew(w http.ResponseWriter, r *http.Request) { y.first = gate.Opened{} }

// A park has its gate rewound by a timer.
type park struct {
	first gate.Gate
	trees map[string]int
}

func (p *park) treesBad(w http.ResponseWriter, r *http.Request) {
	p.first.First(func() {
		p.trees = make(map[string]int)
		p.trees["oak"] = 1
		time.AfterFunc(time.Hour, p.first.Rewind)
	})
	if p.trees[r.URL.Path] == 0 { // want `goroutine-race: p.trees is read in a goroutine without a lock`
		w.WriteHeader(404)
	}
}

// A guest has a gate, and shares the book with others.
type guest struct {
	name  string
	first gate.Opened
	book  *book
}

type book struct{ names map[string]bool }

func (g *guest) stay() {
	for !g.signBad() {
		time.Sleep(time.Second)
	}
}

func (g *guest) signBad() bool {
	g.first.First(func() { g.book.names[g.name] = true }) // want `goroutine-race: book.names is written in a goroutine under guest.first.mu`
	return g.book.names[g.name]
}

// Receive lets guests in.
func Receive(names chan string) {
	b := &book{names: make(map[string]bool)}
	for name := range names {
		g := &guest{name: name, book: b}
		go g.stay()
	}
}

// A stall passes its own gate, and walks over what another one has.
type stall struct {
	first gate.Opened
	wares map[string]int
}

var mainStall = &stall{wares: make(map[string]int)}

func (s *stall) compareBad(o *stall) (n int) {
	s.first.First(func() { s.wares["hat"] = 1 }) // want `goroutine-race: stall.wares is written in a goroutine under stall.first.mu`
	for range o.wares {                          // want `goroutine-race: mainStall.wares is ranged over in a goroutine without a lock`
		n++
	}
	return n
}

func (s *stall) compare(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(s.compareBad(mainStall))
}

func (s *stall) compareMain(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(mainStall.compareBad(s))
}

// A filler has a gate, and fills what it gets.
type filler struct{ first gate.Opened }

func (f *filler) fillBad(m map[string]int) {
	f.first.First(func() { m["full"] = 1 }) // want `goroutine-race: crates is written in a goroutine`
}

var crates = make(map[string]int)

func cratesBad(w http.ResponseWriter, r *http.Request) {
	f := new(filler)
	f.fillBad(crates)
	w.WriteHeader(crates[r.URL.Path]) // want `unguarded-access: crates is read without a lock`
}

var visits = make(map[string]int)

// Each request has a gate of its own.
func visitBad(w http.ResponseWriter, r *http.Request) {
	var first gate.Opened
	for range r.Header {
		first.First(func() { visits[r.URL.Path] = 1 }) // want `goroutine-race: visits is written in a goroutine`
	}
	w.WriteHeader(visits[r.URL.Path]) // want `unguarded-access: visits is read without a lock`
}

// A Quay is its own gate, which others set back.
type Quay struct {
	mu    sync.Mutex
	done  bool
	ships map[string]int
}

func (q *Quay) first(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.done {
		f()
		q.done = true
	}
}

// Reset has the ships counted anew.
func (q *Quay) Reset() {
	q.mu.Lock()
	q.done = false
	q.mu.Unlock()
}

func (q *Quay) shipsBad(w http.ResponseWriter, r *http.Request) {
	q.first(func() {
		q.ships = make(map[string]int)
		q.ships["brig"] = 1
	})
	if q.ships[r.URL.Path] == 0 { // want `unguarded-access: q.ships is read without mu`
		w.WriteHeader(404)
	}
}

// Open starts a server.
func Open(q *Quay, k *kiosk, f *fair, y *yard, p *park) {
	m := newMart()
	http.HandleFunc("/stock", m.stockOk)
	http.HandleFunc("/fill", k.fillBad)
	http.HandleFunc("/peek", k.peek)
	http.HandleFunc("/east", f.eastBad)
	http.HandleFunc("/west", f.enterWest)
	http.HandleFunc("/carts", y.cartsBad)
	http.HandleFunc("/renew", y.renew)
	http.HandleFunc("/trees", p.treesBad)
	http.HandleFunc("/visit", visitBad)
	s := &stall{wares: make(map[string]int)}
	http.HandleFunc("/compare", s.compare)
	http.HandleFunc("/compare/main", s.compareMain)
	http.HandleFunc("/crates", cratesBad)
	http.HandleFunc("/ships", q.shipsBad)
	http.ListenAndServe("", nil)
}
