package refused

import (
	"net/http"
	"sync"
)

// What is advised, by hand, is said above the line: it is right as it stands.

// A Desk hands out tickets by name.
type Desk struct {
	mu      sync.Mutex // protects tickets
	tickets map[string]*ticket
	calls   chan string
}

type ticket struct{ turn chan struct{} }

// of needs the lock.
func (d *Desk) of(name string) *ticket {
	t := d.tickets[name]
	if t == nil {
		t = &ticket{turn: make(chan struct{})}
		d.tickets[name] = t
	}
	return t
}

// SitBad waits for a name before the callee is called.
func (d *Desk) SitBad(name string) {
	// hand `hold mu for this call alone, with the wait \(line 32\) outside it$`
	for !d.of(name).is(<-d.calls) { // want `unguarded-access: Desk.of needs mu .*`
	}
}

func (t *ticket) is(call string) bool { return call == "next" }

// callAll and callOne hold it, as the callee asks.
func (d *Desk) callAll(names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, n := range names {
		close(d.of(n).turn)
	}
}

func (d *Desk) callOne(name string) {
	d.mu.Lock()
	close(d.of(name).turn)
	d.mu.Unlock()
}

// Serve calls some.
func Serve(d *Desk) {
	http.HandleFunc("/sit", func(_ http.ResponseWriter, r *http.Request) { d.SitBad(r.URL.Path) })
	http.HandleFunc("/call", func(_ http.ResponseWriter, r *http.Request) { d.callOne(r.URL.Path) })
	http.HandleFunc("/all", func(_ http.ResponseWriter, r *http.Request) { d.callAll(r.URL.Query()["n"]) })
}

// A Bookcase has books by name.
type Bookcase struct {
	mu    sync.Mutex // protects books
	books map[string]int
}

// SumBad is called with and without the lock: to take it in it would wait for ever.
func (s *Bookcase) SumBad() (n int) {
	// hand `hold mu where Bookcase.SumBad is called without it$`
	for _, b := range s.books { // want `unguarded-access: .*`
		n += b
	}
	return n
}

func (s *Bookcase) addAndSum(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[name]++
	return s.SumBad()
}

// putIfNewBad adds in a helper with a section of its own: one around both would take the lock twice.
func (s *Bookcase) putIfNewBad(name string) bool {
	s.mu.Lock()
	_, ok := s.books[name]
	s.mu.Unlock()
	if ok {
		return false
	}
	// hand `by hand: look again in the section of Bookcase.put$`
	s.put(name) // want `split-lock: .*`
	return true
}

func (s *Bookcase) put(name string) {
	if name == "" {
		return
	}
	s.mu.Lock()
	s.books[name] = len(name)
	s.mu.Unlock()
}

// ServeBooks does.
func ServeBooks(s *Bookcase) {
	http.HandleFunc("/sum", func(_ http.ResponseWriter, r *http.Request) { s.SumBad() })
	http.HandleFunc("/add", func(_ http.ResponseWriter, r *http.Request) { s.addAndSum(r.URL.Path) })
	http.HandleFunc("/put", func(_ http.ResponseWriter, r *http.Request) { s.putIfNewBad(r.URL.Path) })
}

// A dated value is as good as its date.
type dated struct{ until int }

type passbook struct {
	all   sync.Map
	until chan int
}

// renewBad replaces what is there, too: LoadOrStore would keep the old one.
func (g *passbook) renewBad(name string, now int) *dated {
	if v, ok := g.all.Load(name); ok && v.(*dated).until > now {
		return v.(*dated)
	}
	d := &dated{<-g.until}
	// hand `by hand: look again and change in one section of a mutex that all such changes take, with the wait .* outside it$`
	g.all.Store(name, d) // want `sync-map: .*hold a mutex across both`
	return d
}

// ServeRegister does.
func ServeRegister(g *passbook) {
	http.HandleFunc("/renew", func(_ http.ResponseWriter, r *http.Request) { g.renewBad(r.URL.Path, len(r.URL.Path)) })
}

// A locker gives its boxes locked.
type locker struct{ boxes sync.Map }

type box struct {
	mu    sync.Mutex // protects items
	items map[string]int
}

func (l *locker) locked(name string) *box {
	v, _ := l.boxes.LoadOrStore(name, &box{items: map[string]int{}})
	b := v.(*box)
	b.mu.Lock()
	if len(b.items) > 9 {
		b.mu.Unlock()
		return l.locked(name + "'")
	}
	return b
}

// fillOk gets the box with the lock held.
func (l *locker) fillOk(name, item string) {
	b := l.locked(name)
	defer b.mu.Unlock()
	b.items[item]++
}

// A cabinet asks others for its boxes, which they give locked.
type cabinet struct{ pick func(string) *box }

func (c *cabinet) fillBad(name, item string) {
	b := c.pick(name)
	defer b.mu.Unlock()
	// hand `releases mu, which it does not take: it is held already; by hand: see whether mu is held here already`
	b.items[item] = 1 // want `unguarded-access: .*`
}

func (l *locker) sizes(names []string) (n int) {
	for _, name := range names {
		b := l.locked(name)
		n += len(b.items)
		b.mu.Unlock()
	}
	return n
}

// ServeBoxes does.
func ServeBoxes(l *locker, c *cabinet) {
	http.HandleFunc("/fill", func(_ http.ResponseWriter, r *http.Request) { l.fillOk(r.URL.Path, "a") })
	http.HandleFunc("/put", func(_ http.ResponseWriter, r *http.Request) { c.fillBad(r.URL.Path, "a") })
	http.HandleFunc("/sizes", func(_ http.ResponseWriter, r *http.Request) { l.sizes(r.URL.Query()["n"]) })
}
