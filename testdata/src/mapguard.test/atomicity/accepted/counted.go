package accepted

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"sync"
)

var errBusy = errors.New("busy")

// What the look decides is done in its section; later the function takes back
// what it has added there.

type journeys struct {
	mu   sync.Mutex
	by   map[string]int
	most int
}

func (f *journeys) runOk(who string, work func() error) error {
	f.mu.Lock()
	full := f.by[who] >= f.most
	if !full {
		f.by[who]++
	}
	f.mu.Unlock()
	if full {
		return errBusy
	}
	err := work()
	f.mu.Lock()
	f.by[who]--
	f.mu.Unlock()
	return err
}

// It is taken back at the end, on the ways that have come this far.
func (f *journeys) tryOk(who string, work func() bool) (done bool) {
	f.mu.Lock()
	full := f.by[who] >= f.most
	if !full {
		f.by[who]++
	}
	f.mu.Unlock()
	if full {
		return false
	}
	defer func() {
		if !done {
			f.mu.Lock()
			f.by[who]--
			f.mu.Unlock()
		}
	}()
	return work()
}

// Here it is done later.
func (f *journeys) runBad(who string, work func() error) error {
	f.mu.Lock()
	n := f.by[who]
	f.mu.Unlock()
	if n >= f.most {
		return errBusy
	}
	f.mu.Lock()
	f.by[who]++ // want `split-lock: `
	f.mu.Unlock()
	return work()
}

// The function looks until what it sees is what it has decided on.

type lane struct {
	mu   sync.Mutex
	held int
}

func (l *lane) hold() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held++
	return l.held > 0
}

type lanes struct {
	mu sync.RWMutex
	m  map[string]*lane
}

func (l *lanes) laneOk(k string) *lane {
	l.mu.RLock()
	last := l.m[k]
	l.mu.RUnlock()
	if last != nil && last.hold() {
		return last
	}
	l.mu.Lock()
	now := l.m[k]
	for now != last {
		l.mu.Unlock()
		if now != nil && now.hold() {
			return now
		}
		last = now
		l.mu.Lock()
		now = l.m[k]
	}
	x := &lane{}
	l.m[k] = x
	l.mu.Unlock()
	return x
}

// Here one look more is not enough: the lock is given up behind it.
func (l *lanes) laneBad(k string) *lane {
	l.mu.RLock()
	last := l.m[k]
	l.mu.RUnlock()
	if last != nil && last.hold() {
		return last
	}
	l.mu.Lock()
	now := l.m[k]
	l.mu.Unlock()
	if now != last {
		return now
	}
	l.mu.Lock()
	x := &lane{}
	l.m[k] = x // want `split-lock: `
	l.mu.Unlock()
	return x
}

// What comes in has a key that nothing had before, made by a helper.

type grant struct {
	mu   sync.Mutex
	old  bool
	uses int
}

type grants struct {
	mu sync.Mutex
	m  map[string]*grant
}

func (g *grants) add() string {
	k := token(32)
	g.mu.Lock()
	g.m[k] = &grant{}
	g.mu.Unlock()
	return k
}

func (g *grants) dropOk(k string) {
	g.mu.Lock()
	x, ok := g.m[k]
	g.mu.Unlock()
	if !ok {
		return
	}
	if x.old {
		g.mu.Lock()
		delete(g.m, k)
		g.mu.Unlock()
	}
}

func token(n int) string {
	b := make([]byte, n/2)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return hex.EncodeToString(b)
}

// The map is changed by a helper.
type passes struct {
	mu sync.Mutex
	m  map[string]*grant
}

func put[V any](m *map[string]V, k string, v V) {
	if *m == nil {
		*m = make(map[string]V)
	}
	(*m)[k] = v
}

func (p *passes) add() string {
	k := token(32)
	p.mu.Lock()
	put(&p.m, k, &grant{})
	p.mu.Unlock()
	return k
}

func (p *passes) dropOk(k string) {
	p.mu.Lock()
	x, ok := p.m[k]
	p.mu.Unlock()
	if ok && x.old {
		p.mu.Lock()
		delete(p.m, k)
		p.mu.Unlock()
	}
}

// Here others choose the key.
type leases struct {
	mu sync.Mutex
	m  map[string]*grant
}

func (l *leases) add(k string) {
	l.mu.Lock()
	l.m[k] = &grant{}
	l.mu.Unlock()
}

func (l *leases) dropBad(k string) {
	l.mu.Lock()
	x, ok := l.m[k]
	l.mu.Unlock()
	if !ok {
		return
	}
	if x.old {
		l.mu.Lock()
		delete(l.m, k) // want `split-lock: .*, low`
		l.mu.Unlock()
	}
}
