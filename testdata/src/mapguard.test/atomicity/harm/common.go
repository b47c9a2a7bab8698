package harm

import (
	"strings"
	"sync"
	"time"
)

// Two objects that lead to what both of their makers have in common are alike, if they are so
// in all else.

// An almanac leads back to the press that prints it, and extends another one.
type almanac struct {
	press *press
	pages map[string][]byte
	base  *almanac
	notes map[string]*almanac
}

// A gazette tells the wire that it is there.
type gazette struct {
	press *press
	pages map[string][]byte
}

// A flyer is for the customer who orders it.
type flyer struct {
	of    *customer
	pages map[string][]byte
}

// A feuilleton goes on by itself.
type feuilleton struct {
	press *press
	pages map[string][]byte
}

type customer struct {
	mu    sync.Mutex
	owing int
}

// Listeners hear of news.
type listener interface{ Hear(string) }

// A wire tells its listeners.
type wire interface{ Subscribe(listener) }

type press struct {
	mu       sync.RWMutex
	almanacs map[string]*almanac
	gazettes map[string]*gazette
	flyers   map[string]*flyer
	serials  map[string]*feuilleton
	wire     wire
}

func (p *press) kept(name string) *almanac {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.almanacs[name]
}

func (p *press) keep(name string, a *almanac) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.almanacs[name] = a
}

func (p *press) AlmanacOk(name string) (*almanac, error) {
	if a := p.kept(name); a != nil {
		return a, nil
	}
	a, err := p.print(name)
	if err == nil {
		p.keep(name, a)
	}
	return a, err
}

func (p *press) print(name string) (*almanac, error) {
	a := &almanac{press: p, pages: map[string][]byte{}, notes: map[string]*almanac{}}
	if base, rest, ok := strings.Cut(name, "/"); ok {
		b, err := p.AlmanacOk(base)
		if err != nil {
			return nil, err
		}
		a.base = b
		a.copyOf(b.pages)
		name = rest
	}
	a.pages[name] = []byte(name)
	return a, nil
}

func (a *almanac) copyOf(pages map[string][]byte) {
	for k, v := range pages {
		a.pages[k] = v
	}
}

func (p *press) GazetteBad(name string) *gazette {
	p.mu.RLock()
	g := p.gazettes[name]
	p.mu.RUnlock()
	if g != nil {
		return g
	}
	g = p.found(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gazettes[name] = g // want `split-lock: .*high`
	return g
}

func (p *press) found(name string) *gazette {
	g := &gazette{press: p, pages: map[string][]byte{name: nil}}
	p.wire.Subscribe(g)
	return g
}

func (g *gazette) Hear(string) {}

func (p *press) FlyerBad(name string, of *customer) *flyer {
	p.mu.RLock()
	f := p.flyers[name]
	p.mu.RUnlock()
	if f != nil {
		return f
	}
	f = p.flyerOf(of, name)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flyers[name] = f // want `split-lock: .*high`
	return f
}

func (p *press) flyerOf(of *customer, name string) *flyer {
	return &flyer{of: of, pages: map[string][]byte{name: nil}}
}

func (f *flyer) Charge() {
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	f.of.owing++
}

func (p *press) SerialBad(name string) *feuilleton {
	p.mu.RLock()
	s := p.serials[name]
	p.mu.RUnlock()
	if s != nil {
		return s
	}
	s = p.begin(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serials[name] = s // want `split-lock: .*high`
	return s
}

func (p *press) begin(name string) *feuilleton {
	s := &feuilleton{press: p, pages: map[string][]byte{name: nil}}
	go func() { p.wire.Subscribe(s) }()
	return s
}

func (s *feuilleton) Hear(string) {}

// What the section itself finds that puts the object in is what there is: the last one says it.
type voter struct {
	mu    sync.Mutex
	votes map[string]bool
}

type tally struct{ of []*voter }

type precinct struct {
	mu      sync.RWMutex
	voters  map[string][]*voter
	tallies map[string]*tally
	early   map[string]*tally
}

func (p *precinct) Enrol(street string, v *voter) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.voters[street] = append(p.voters[street], v)
	delete(p.tallies, street)
	delete(p.early, street)
}

func (v *voter) Vote(on string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.votes[on] = true
}

func (p *precinct) countOk(street string, lock bool) *tally {
	if lock {
		p.mu.RLock()
	}
	t, ok := p.tallies[street]
	if lock {
		p.mu.RUnlock()
	}
	if ok {
		return t
	}
	if lock {
		p.mu.Lock()
	}
	t = &tally{of: p.voters[street]}
	p.tallies[street] = t
	if len(p.tallies) > 100 {
		go p.forget()
	}
	if lock {
		p.mu.Unlock()
	}
	return t
}

func (p *precinct) Count(street string) *tally { return p.countOk(street, true) }

func (p *precinct) Close(street string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.countOk(street, false).of)
}

func (p *precinct) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for k := range p.tallies {
		delete(p.tallies, k)
	}
}

// Those that were there before the section may have been joined by another since.
func (p *precinct) EarlyBad(street string) *tally {
	p.mu.RLock()
	t, ok := p.early[street]
	of := p.voters[street]
	p.mu.RUnlock()
	if ok {
		return t
	}
	t = &tally{of: of}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.early[street] = t // want `split-lock: .*high`
	return t
}

// A forecast says until when it holds, and is never changed; nothing asks which of two it is. What
// is lent is given back.
type forecast struct {
	text  string
	until time.Time
}

type loan struct {
	text  string
	until time.Time
}

func (l *loan) Cancel() {}

type station struct {
	mu        sync.RWMutex
	forecasts map[string]*forecast
	loans     map[string]*loan
}

func (s *station) ForecastOk(k string, ask func(string) *forecast) *forecast {
	s.mu.RLock()
	f, ok := s.forecasts[k]
	s.mu.RUnlock()
	if ok && time.Now().Before(f.until) {
		return f
	}
	f = ask(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forecasts[k] = f
	return f
}

func (s *station) LoanBad(k string, ask func(string) *loan) *loan {
	s.mu.RLock()
	l, ok := s.loans[k]
	s.mu.RUnlock()
	if ok {
		return l
	}
	l = ask(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loans[k] = l // want `split-lock: .*high`
	return l
}

func (s *station) Return(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l := s.loans[k]; l != nil {
		l.Cancel()
		delete(s.loans, k)
	}
}

// An office has a list of those who subscribe; what the map does not hold hears the news all the same.
type office struct {
	mu   sync.Mutex
	told []func(string)
}

func (o *office) tell(f func(string)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told = append(o.told, f)
}

// A subscriber leads back to its village, and hears.
type subscriber struct {
	village *village
	rates   map[string]int
}

// A citizen is in a list of all.
type citizen struct {
	village *village
	rates   map[string]int
}

type village struct {
	mu          sync.RWMutex
	office      *office
	subscribers map[string]*subscriber
	citizens    map[string]*citizen
	all         []*citizen
}

func (v *village) join(name string) *subscriber {
	s := &subscriber{village: v, rates: map[string]int{name: 1}}
	v.office.tell(s.hear)
	return s
}

func (s *subscriber) hear(string) {}

func (v *village) born(name string) *citizen {
	c := &citizen{village: v, rates: map[string]int{name: 1}}
	v.all = append(v.all, c)
	return c
}

func (v *village) SubscriberBad(name string) *subscriber {
	v.mu.RLock()
	s := v.subscribers[name]
	v.mu.RUnlock()
	if s != nil {
		return s
	}
	s = v.join(name)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.subscribers[name] = s // want `split-lock: .*high`
	return s
}

func (v *village) CitizenBad(name string) *citizen {
	v.mu.RLock()
	c := v.citizens[name]
	v.mu.RUnlock()
	if c != nil {
		return c
	}
	c = v.born(name)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.citizens[name] = c // want `split-lock: .*high`
	return c
}

// A citizen may be filled by a literal that calls itself.
func (v *village) grow(n int) *citizen {
	c := &citizen{village: v, rates: map[string]int{}}
	var down func(int)
	down = func(i int) {
		if i > 0 {
			c.rates["n"] = i
			down(i - 1)
		}
	}
	down(n)
	return c
}

func (v *village) GrownBad(name string) *citizen {
	v.mu.RLock()
	c := v.citizens[name]
	v.mu.RUnlock()
	if c != nil {
		return c
	}
	c = v.grow(len(name))
	v.mu.Lock()
	defer v.mu.Unlock()
	v.citizens[name] = c // want `split-lock`
	return c
}
