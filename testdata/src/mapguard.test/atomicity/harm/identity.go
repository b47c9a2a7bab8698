// Package harm pins what makes a stale check harmful: the identity of what is
// stored, a side effect in between, or a value that is another one each time.
package harm

import (
	"context"
	"database/sql"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

type conn struct{ id int }

type handler interface{ Handle(string) }

type plain struct{}

func (*plain) Handle(string) {}

// Each of these hands out two things where there should be one.
type registry struct {
	mu      sync.Mutex
	conns   map[string]*conn
	any     map[string]handler
	chans   map[string]chan int
	funcs   map[string]func() int
	maps    map[string]map[string]int
	locks   map[string]*sync.Mutex
	nets    map[string]net.Conn
	files   map[string]*os.File
	stmts   map[string]*sql.Stmt
	timers  map[string]*time.Timer
	cancels map[string]context.CancelFunc
	lists   map[string][]*conn
	boxes   map[string]struct{ w io.Writer }
	waits   map[string]*sync.WaitGroup
	names   map[string]string
}

func (r *registry) pointerBad(k string) *conn {
	r.mu.Lock()
	v, ok := r.conns[k]
	r.mu.Unlock()
	if !ok {
		v = &conn{id: len(k)}
		r.mu.Lock()
		r.conns[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

func (r *registry) interfaceBad(k string) handler {
	r.mu.Lock()
	v := r.any[k]
	r.mu.Unlock()
	if v == nil {
		v = new(plain)
		r.mu.Lock()
		r.any[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

func (r *registry) channelBad(k string) chan int {
	r.mu.Lock()
	v, ok := r.chans[k]
	r.mu.Unlock()
	if !ok {
		v = make(chan int)
		r.mu.Lock()
		r.chans[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

// The closure has a counter of its own.
func (r *registry) funcBad(k string) func() int {
	r.mu.Lock()
	v := r.funcs[k]
	r.mu.Unlock()
	if v == nil {
		n := 0
		v = func() int { n++; return n }
		r.mu.Lock()
		r.funcs[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

func (r *registry) mapBad(k string) map[string]int {
	r.mu.Lock()
	v := r.maps[k]
	r.mu.Unlock()
	if v == nil {
		v = make(map[string]int)
		r.mu.Lock()
		r.maps[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

func (r *registry) lockBad(k string) *sync.Mutex {
	r.mu.Lock()
	v, ok := r.locks[k]
	r.mu.Unlock()
	if !ok {
		v = new(sync.Mutex)
		r.mu.Lock()
		r.locks[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

func (r *registry) connectionBad(addr string) (net.Conn, error) {
	r.mu.Lock()
	v, ok := r.nets[addr]
	r.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.nets[addr] = v // want `split-lock: .*high`
	return v, nil
}

func (r *registry) fileBad(name string) (*os.File, error) {
	r.mu.Lock()
	v := r.files[name]
	r.mu.Unlock()
	if v != nil {
		return v, nil
	}
	v, err := os.Open(name)
	if err == nil {
		r.mu.Lock()
		r.files[name] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v, err
}

func (r *registry) statementBad(ctx context.Context, db *sql.DB, q string) (*sql.Stmt, error) {
	r.mu.Lock()
	v, ok := r.stmts[q]
	r.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := db.PrepareContext(ctx, q)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.stmts[q] = v // want `split-lock: .*high`
	r.mu.Unlock()
	return v, nil
}

func (r *registry) timerBad(k string, f func()) {
	r.mu.Lock()
	_, ok := r.timers[k]
	r.mu.Unlock()
	if ok {
		return
	}
	t := time.AfterFunc(time.Second, f)
	r.mu.Lock()
	r.timers[k] = t // want `split-lock: .*high`
	r.mu.Unlock()
}

func (r *registry) cancelBad(ctx context.Context, k string) context.Context {
	r.mu.Lock()
	_, ok := r.cancels[k]
	r.mu.Unlock()
	if ok {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	r.mu.Lock()
	r.cancels[k] = cancel // want `split-lock: .*high`
	r.mu.Unlock()
	return ctx
}

// A slice of pointers, a struct around an interface.
func (r *registry) sliceBad(k string) []*conn {
	r.mu.Lock()
	v, ok := r.lists[k]
	r.mu.Unlock()
	if !ok {
		v = []*conn{{id: 1}, {id: 2}}
		r.mu.Lock()
		r.lists[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

func (r *registry) structBad(k string, open func(string) io.Writer) io.Writer {
	r.mu.Lock()
	v, ok := r.boxes[k]
	r.mu.Unlock()
	if !ok {
		v = struct{ w io.Writer }{open(k)}
		r.mu.Lock()
		r.boxes[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v.w
}

// The home-made single flight that flies twice.
func (r *registry) flightBad(k string, do func()) {
	r.mu.Lock()
	wg, ok := r.waits[k]
	r.mu.Unlock()
	if ok {
		wg.Wait()
		return
	}
	wg = new(sync.WaitGroup)
	wg.Add(1)
	r.mu.Lock()
	r.waits[k] = wg // want `split-lock: .*high`
	r.mu.Unlock()
	do()
	wg.Done()
}

// A comment that claims safety proves nothing.

// claimedBad is safe: the lock is only taken for a moment, and a connection
// for the same key is never opened twice.
func (r *registry) claimedBad(k string) *conn {
	r.mu.Lock()
	v, ok := r.conns[k]
	r.mu.Unlock() // no race: we hold no reference
	if !ok {
		v = &conn{}
		// Benign: only one goroutine ever gets here.
		r.mu.Lock()
		r.conns[k] = v // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

// Thread-safe.
func (r *registry) assuredBad(k string) chan int {
	r.mu.Lock()
	v := r.chans[k]
	r.mu.Unlock()
	if v == nil {
		v = make(chan int, 1)
		r.mu.Lock()
		r.chans[k] = v // atomic // want `split-lock: .*high`
		r.mu.Unlock()
	}
	return v
}

// What the second look finds is kept, and the caller goes on with its own all the
// same: the look renews the insertion, not what is returned.
func (r *registry) ownInsteadOfTheFirstBad(k string) *conn {
	r.mu.Lock()
	v, ok := r.conns[k]
	r.mu.Unlock()
	if ok {
		return v
	}
	made := &conn{id: len(k)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.conns[k]; !ok {
		r.conns[k] = made // want `split-lock: .*one of two callers gets an object that the map does not hold.*high`
	}
	return made
}

func dial(k string) (*conn, error) { return &conn{id: len(k)}, nil }

// The same with an error beside it, and early returns.
func (r *registry) ownWithErrorBad(k string) (*conn, error) {
	r.mu.Lock()
	if v, ok := r.conns[k]; ok {
		r.mu.Unlock()
		return v, nil
	}
	r.mu.Unlock()
	made, err := dial(k)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	if r.conns[k] == nil {
		r.conns[k] = made // want `split-lock: .*one of two callers gets an object.*high`
	}
	r.mu.Unlock()
	return made, err
}

// A caller that is not the first is told so.
func (r *registry) ownAndToldOk(k string) (*conn, bool) {
	r.mu.Lock()
	v, ok := r.conns[k]
	r.mu.Unlock()
	if ok {
		return v, true
	}
	made := &conn{id: len(k)}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok = r.conns[k]
	if !ok {
		r.conns[k] = made
	}
	return made, ok
}

// Two answers that are alike: which of them is kept makes no difference.
func (r *registry) ownAnswerOk(k string) string {
	r.mu.Lock()
	v, ok := r.names[k]
	r.mu.Unlock()
	if ok {
		return v
	}
	made := strings.ToUpper(k)
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.names[k]; !ok {
		r.names[k] = made
	}
	return made
}

// What the map holds is no business of those who call: they never get it.
func (r *registry) ownAlwaysOk(k string) *conn {
	made := &conn{id: len(k)}
	r.mu.Lock()
	_, ok := r.conns[k]
	r.mu.Unlock()
	if ok {
		return made
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.conns[k]; !ok {
		r.conns[k] = made
	}
	return made
}

// A caller that finds another's object takes it; one that is returned and not
// kept comes with an error.
func (r *registry) ownUnlessItFailsOk(k string) (*conn, error) {
	r.mu.Lock()
	v, ok := r.conns[k]
	r.mu.Unlock()
	if ok {
		return v, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if first, ok := r.conns[k]; ok {
		return first, nil
	}
	made, err := dial(k)
	if err == nil {
		r.conns[k] = made
	}
	return made, err
}

// The second look takes what it finds in the place of its own.
func (r *registry) ownGivenUpOk(k string) *conn {
	r.mu.Lock()
	v, ok := r.conns[k]
	r.mu.Unlock()
	if ok {
		return v
	}
	made := &conn{id: len(k)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if first, ok := r.conns[k]; ok {
		made = first
	} else {
		r.conns[k] = made
	}
	return made
}

func (r *registry) theFirstAfterTheSecondLookOk(k string) *conn {
	r.mu.Lock()
	v, ok := r.conns[k]
	r.mu.Unlock()
	if ok {
		return v
	}
	made := &conn{id: len(k)}
	r.mu.Lock()
	defer r.mu.Unlock()
	if first, ok := r.conns[k]; ok {
		return first
	}
	r.conns[k] = made
	return made
}

// A blueprint is drawn by steps that nothing but its making takes: two that are drawn alike
// say the same.
type blueprint struct{ parts map[string]*segment }

type segment struct{ at int }

func (b *blueprint) place(k string, at int) { b.parts[k] = &segment{at} }

func plot(k string) *blueprint {
	b := &blueprint{parts: make(map[string]*segment)}
	for i := range 3 {
		b.place(k, i)
	}
	return b
}

// A etching is drawn in the same way, and changed later.
type etching struct{ parts map[string]*segment }

func (d *etching) place(k string, at int) { d.parts[k] = &segment{at} }

func etch(k string) *etching {
	d := &etching{parts: make(map[string]*segment)}
	d.place(k, 1)
	return d
}

type printShop struct {
	drawn    sync.Map
	sketched sync.Map
}

func (p *printShop) DrawnOk(k string) *blueprint {
	if b, ok := p.drawn.Load(k); ok {
		return b.(*blueprint)
	}
	b := plot(k)
	p.drawn.Store(k, b)
	return b
}

func (p *printShop) SketchedBad(k string) *etching {
	if d, ok := p.sketched.Load(k); ok {
		return d.(*etching)
	}
	d := etch(k)
	p.sketched.Store(k, d) // want `sync-map`
	return d
}

func (p *printShop) Move(k string, at int) { p.SketchedBad(k).place(k, at) }

// A labelling is what its fields say, and nothing asks which of two it has.
type labelling struct{ all, failed string }

// Tickets are compared.
type ticket struct{ of, seat string }

type desk struct {
	named   sync.Map
	tickets sync.Map
	last    *ticket
}

func (d *desk) NamesOk(k string) *labelling {
	if n, ok := d.named.Load(k); ok {
		return n.(*labelling)
	}
	n := &labelling{all: k + ".all", failed: k + ".failed"}
	d.named.Store(k, n)
	return n
}

func (d *desk) TicketBad(k string) *ticket {
	if t, ok := d.tickets.Load(k); ok {
		return t.(*ticket)
	}
	t := &ticket{of: k, seat: k}
	d.tickets.Store(k, t) // want `sync-map`
	return t
}

func (d *desk) IsLast(k string) bool { return d.TicketBad(k) == d.last }
