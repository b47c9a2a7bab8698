package locks

import "sync"

// What is put into a map, where none was found, goes by two names from there on: who has made it uses its own, and who finds it the map's.
// Its lock is the same one.

type parlor struct {
	mu    sync.Mutex
	seats map[string]int
}

func (p *parlor) lock()   { p.mu.Lock() }
func (p *parlor) unlock() { p.mu.Unlock() }

func (p *parlor) locked(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func seatOk(p *parlor, k string) {
	if _, ok := p.seats[k]; !ok {
		p.seats[k] = len(p.seats)
	}
}

type Parlors struct {
	mu  sync.Mutex
	all map[string]*parlor
}

// The lock is taken before others find the parlor.
func (ps *Parlors) OpenOk(k string) bool {
	ps.mu.Lock()
	if _, ok := ps.all[k]; ok {
		ps.mu.Unlock()
		return false
	}
	p := &parlor{seats: map[string]int{}}
	p.mu.Lock()
	defer p.mu.Unlock()
	ps.all[k] = p
	ps.mu.Unlock()
	if _, ok := p.seats["host"]; !ok {
		p.seats["host"] = 1
	}
	return true
}

// It is taken when others can.
func (ps *Parlors) OpenLaterOk(k string) {
	p := &parlor{seats: map[string]int{}}
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	ps.all[k] = p
	ps.mu.Unlock()
	p.mu.Lock()
	p.seats["host"] = 1
	seatOk(p, "guest")
	p.mu.Unlock()
}

// Helpers take it, and give it back.
func (ps *Parlors) OpenByHelpersOk(k string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &parlor{seats: map[string]int{}}
	ps.all[k] = p
	ps.mu.Unlock()
	p.lock()
	if _, ok := p.seats["host"]; !ok {
		p.seats["host"] = 1
	}
	p.unlock()
}

// A helper runs what uses the map.
func (ps *Parlors) OpenByRunnerOk(k string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &parlor{seats: map[string]int{}}
	ps.all[k] = p
	ps.mu.Unlock()
	p.locked(func() {
		if _, ok := p.seats["host"]; !ok {
			p.seats["host"] = 1
		}
	})
}

// Goroutines take it as well.
func (ps *Parlors) OpenForAllOk(k string, guests []string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &parlor{seats: map[string]int{}}
	ps.all[k] = p
	ps.mu.Unlock()
	for _, g := range guests {
		go come(p, g)
	}
	p.mu.Lock()
	p.seats["host"] = 1
	p.mu.Unlock()
}

func come(p *parlor, k string) {
	p.lock()
	defer p.unlock()
	seatOk(p, k)
}

func (ps *Parlors) SeatOk(k, guest string) {
	ps.mu.Lock()
	p := ps.all[k]
	ps.mu.Unlock()
	if p != nil {
		come(p, guest)
	}
}

func (ps *Parlors) TidyOk(k string) (n int) {
	ps.mu.Lock()
	p := ps.all[k]
	ps.mu.Unlock()
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for guest, seat := range p.seats {
		if seat > len(p.seats) {
			delete(p.seats, guest)
			n++
		}
	}
	p.seats["first"], p.seats["last"] = 0, len(p.seats)
	delete(p.seats, "none")
	delete(p.seats, "last")
	delete(p.seats, "host")
	return n
}

// The lock is given back by both names.
func (ps *Parlors) OpenReleasedBad(k string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &parlor{seats: map[string]int{}}
	p.mu.Lock()
	ps.all[k] = p
	ps.mu.Unlock()
	p.mu.Unlock()
	if _, ok := p.seats["host"]; !ok { // want `check-then-act`
		p.seats["host"] = 1
	}
}

func (ps *Parlors) OpenReleasedByHelperBad(k string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &parlor{seats: map[string]int{}}
	p.lock()
	ps.all[k] = p
	ps.mu.Unlock()
	p.unlock()
	if _, ok := p.seats["host"]; !ok { // want `check-then-act`
		p.seats["host"] = 1
	}
}

// It is the lock of another parlor.
func (ps *Parlors) OpenBesideBad(k string, next *parlor) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &parlor{seats: map[string]int{}}
	ps.all[k] = p
	ps.mu.Unlock()
	next.mu.Lock()
	defer next.mu.Unlock()
	if _, ok := p.seats["host"]; !ok { // want `check-then-act`
		p.seats["host"] = 1
	}
}

// The map has mutexes.

type Gates struct {
	mu  sync.Mutex
	all map[string]*sync.Mutex
}

func (g *Gates) CountOk(k string) int {
	g.mu.Lock()
	if g.all[k] != nil {
		g.mu.Unlock()
		return 0
	}
	l := new(sync.Mutex)
	g.all[k] = l
	g.mu.Unlock()
	seen := map[string]int{}
	go func() {
		l.Lock()
		defer l.Unlock()
		seen["a"]++
	}()
	l.Lock()
	defer l.Unlock()
	seen["b"]++
	return len(seen)
}

func (g *Gates) CountBad(k string) int {
	g.mu.Lock()
	if g.all[k] != nil {
		g.mu.Unlock()
		return 0
	}
	l := new(sync.Mutex)
	g.all[k] = l
	g.mu.Unlock()
	seen := map[string]int{}
	go func() {
		l.Lock()
		defer l.Unlock()
		seen["a"]++ // want `goroutine-race`
	}()
	l.Lock()
	l.Unlock()
	seen["b"]++
	return len(seen)
}
