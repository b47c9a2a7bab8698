package locks

import "sync"

// As with the Parlors: the lock of what is put into a map is given back by the map's name.

// It is given back there.

type namedLounge struct {
	mu    sync.Mutex
	seats map[string]int
}

type NamedLounges struct {
	mu  sync.Mutex
	all map[string]*namedLounge
}

func (ps *NamedLounges) leave(k string) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.all[k]; p != nil {
		p.mu.Unlock()
	}
}

func (ps *NamedLounges) OpenBad(k string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &namedLounge{seats: map[string]int{}}
	p.mu.Lock()
	ps.all[k] = p
	ps.mu.Unlock()
	ps.mu.Lock()
	ps.all[k].mu.Unlock()
	ps.mu.Unlock()
	if _, ok := p.seats["host"]; !ok { // want `check-then-act`
		p.seats["host"] = 1
	}
}

func (ps *NamedLounges) TidyOk(k string) {
	ps.mu.Lock()
	p := ps.all[k]
	ps.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.seats[k]; !ok {
		p.seats[k] = len(p.seats)
	}
	delete(p.seats, "none")
	delete(p.seats, "host")
	p.seats["first"] = 1
}

// A helper finds it.

type leftLounge struct {
	mu    sync.Mutex
	seats map[string]int
}

type LeftLounges struct {
	mu  sync.Mutex
	all map[string]*leftLounge
}

func (ps *LeftLounges) leave(k string) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.all[k]; p != nil {
		p.mu.Unlock()
	}
}

func (ps *LeftLounges) OpenBad(k string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &leftLounge{seats: map[string]int{}}
	p.mu.Lock()
	ps.all[k] = p
	ps.mu.Unlock()
	ps.leave(k)
	if _, ok := p.seats["host"]; !ok { // want `check-then-act`
		p.seats["host"] = 1
	}
}

func (ps *LeftLounges) TidyOk(k string) {
	ps.mu.Lock()
	p := ps.all[k]
	ps.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.seats[k]; !ok {
		p.seats[k] = len(p.seats)
	}
	delete(p.seats, "none")
	delete(p.seats, "host")
	p.seats["first"] = 1
}

// It is given back with all others.

type eachLounge struct {
	mu    sync.Mutex
	seats map[string]int
}

type EachLounges struct {
	mu  sync.Mutex
	all map[string]*eachLounge
}

func (ps *EachLounges) leave(k string) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.all[k]; p != nil {
		p.mu.Unlock()
	}
}

func (ps *EachLounges) OpenBad(k string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &eachLounge{seats: map[string]int{}}
	p.mu.Lock()
	ps.all[k] = p
	ps.mu.Unlock()
	ps.mu.Lock()
	for _, q := range ps.all {
		q.mu.Unlock()
	}
	ps.mu.Unlock()
	if _, ok := p.seats["host"]; !ok { // want `check-then-act`
		p.seats["host"] = 1
	}
}

func (ps *EachLounges) TidyOk(k string) {
	ps.mu.Lock()
	p := ps.all[k]
	ps.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.seats[k]; !ok {
		p.seats[k] = len(p.seats)
	}
	delete(p.seats, "none")
	delete(p.seats, "host")
	p.seats["first"] = 1
}

// It is kept until then.

type untilLounge struct {
	mu    sync.Mutex
	seats map[string]int
}

type UntilLounges struct {
	mu  sync.Mutex
	all map[string]*untilLounge
}

func (ps *UntilLounges) leave(k string) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p := ps.all[k]; p != nil {
		p.mu.Unlock()
	}
}

func (ps *UntilLounges) OpenOk(k string) {
	ps.mu.Lock()
	if ps.all[k] != nil {
		ps.mu.Unlock()
		return
	}
	p := &untilLounge{seats: map[string]int{}}
	p.mu.Lock()
	ps.all[k] = p
	ps.mu.Unlock()
	if _, ok := p.seats["host"]; !ok {
		p.seats["host"] = 1
	}
	ps.leave(k)
}

func (ps *UntilLounges) TidyOk(k string) {
	ps.mu.Lock()
	p := ps.all[k]
	ps.mu.Unlock()
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.seats[k]; !ok {
		p.seats[k] = len(p.seats)
	}
	delete(p.seats, "none")
	delete(p.seats, "host")
	p.seats["first"] = 1
}
