package locks

import (
	"context"
	"sync"
)

// A plan is evaluated by one at a time: who puts an element into turn has it.
type plan struct {
	turn  chan struct{}
	mu    sync.Mutex
	steps map[string]*int // guarded by mu
}

func newPlan() *plan {
	return &plan{turn: make(chan struct{}, 1), steps: make(map[string]*int)}
}

func (p *plan) step(k string) *int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.steps[k]
}

func (p *plan) add(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps[k] = new(int)
}

func (p *plan) EnsureOk(k string) {
	p.turn <- struct{}{}
	defer func() { <-p.turn }()
	if p.step(k) == nil {
		p.add(k)
	}
}

func (p *plan) EnsureUnlessDoneOk(ctx context.Context, k string) {
	select {
	case <-ctx.Done():
		return
	case p.turn <- struct{}{}:
	}
	if p.step(k) == nil {
		p.add(k)
	}
	<-p.turn
}

func (p *plan) wait(ctx context.Context) bool {
	select {
	case p.turn <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (p *plan) EnsureAfterWaitOk(ctx context.Context, k string) {
	if !p.wait(ctx) {
		return
	}
	defer func() { <-p.turn }()
	if p.step(k) == nil {
		p.add(k)
	}
}

// EnsureTwoTurnsBad lets another one come in between.
func (p *plan) EnsureTwoTurnsBad(k string) {
	p.turn <- struct{}{}
	s := p.step(k)
	<-p.turn
	p.turn <- struct{}{}
	if s == nil {
		p.add(k) // want `split-lock`
	}
	<-p.turn
}

// Three can have a slot of the kitchen at a time.
type kitchen struct {
	slots  chan struct{}
	mu     sync.Mutex
	dishes map[string]*int // guarded by mu
}

func newKitchen() *kitchen {
	return &kitchen{slots: make(chan struct{}, 3), dishes: make(map[string]*int)}
}

func (c *kitchen) dish(k string) *int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dishes[k]
}

func (c *kitchen) cook(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dishes[k] = new(int)
}

func (c *kitchen) EnsureBad(k string) {
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	if c.dish(k) == nil {
		c.cook(k) // want `split-lock`
	}
}

// What one puts into the bell another one takes out.
type tower struct {
	bell  chan struct{}
	mu    sync.Mutex
	rings map[string]*int // guarded by mu
}

func newTower() *tower {
	t := &tower{bell: make(chan struct{}, 1), rings: make(map[string]*int)}
	go t.listen()
	return t
}

func (t *tower) listen() {
	for {
		<-t.bell
	}
}

func (t *tower) ring(k string) *int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rings[k]
}

func (t *tower) add(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rings[k] = new(int)
}

func (t *tower) EnsureBad(k string) {
	t.bell <- struct{}{}
	if t.ring(k) == nil {
		t.add(k) // want `split-lock`
	}
}

// A channel that other code gets can be emptied there.
type vault struct {
	turn chan struct{}
	mu   sync.Mutex
	keys map[string]*int // guarded by mu
}

func newVault() *vault {
	return &vault{turn: make(chan struct{}, 1), keys: make(map[string]*int)}
}

func (v *vault) Turn() <-chan struct{} { return v.turn }

func (v *vault) key(k string) *int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.keys[k]
}

func (v *vault) add(k string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.keys[k] = new(int)
}

func (v *vault) EnsureBad(k string) {
	v.turn <- struct{}{}
	defer func() { <-v.turn }()
	if v.key(k) == nil {
		v.add(k) // want `split-lock`
	}
}

// The element is not there for the counts: they have no guard, and one of those
// who call the helper does without it.
type office struct {
	desk   chan struct{}
	counts map[string]int
}

func newOffice() *office {
	return &office{desk: make(chan struct{}, 1), counts: make(map[string]int)}
}

func (o *office) serve(k string) {
	o.desk <- struct{}{}
	defer func() { <-o.desk }()
	o.countOk(k)
}

func (o *office) serveAll(ks []string) {
	o.desk <- struct{}{}
	for _, k := range ks {
		o.countOk(k)
	}
	<-o.desk
}

func (o *office) peek(k string) { o.countOk(k) }

func (o *office) countOk(k string) { o.counts[k]++ }

// A goroutine does without the element.
type agency struct {
	desk   chan struct{}
	counts map[string]int
}

func newAgency() *agency {
	return &agency{desk: make(chan struct{}, 1), counts: make(map[string]int)}
}

func (a *agency) serve(k string) {
	a.desk <- struct{}{}
	defer func() { <-a.desk }()
	a.countBad(k)
}

func (a *agency) run(ks []string) {
	for _, k := range ks {
		go a.countBad(k)
	}
}

func (a *agency) countBad(k string) { a.counts[k]++ } // want `counts`

// A ledger has its token in a channel: who takes it out has the ledger.
type ledger struct {
	token chan struct{}
	mu    sync.Mutex
	rows  map[string]*int // guarded by mu
}

func newLedger() *ledger {
	l := &ledger{token: make(chan struct{}, 1), rows: make(map[string]*int)}
	l.token <- struct{}{}
	return l
}

func (l *ledger) row(k string) *int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows[k]
}

func (l *ledger) add(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[k] = new(int)
}

func (l *ledger) EnsureOk(k string) {
	<-l.token
	if l.row(k) == nil {
		l.add(k)
	}
	l.token <- struct{}{}
}

func (l *ledger) EnsureUnlessDoneOk(ctx context.Context, k string) {
	select {
	case <-ctx.Done():
		return
	case <-l.token:
	}
	defer func() { l.token <- struct{}{} }()
	if l.row(k) == nil {
		l.add(k)
	}
}

// EnsureTwiceBad gives the token back in between.
func (l *ledger) EnsureTwiceBad(k string) {
	<-l.token
	r := l.row(k)
	l.token <- struct{}{}
	<-l.token
	if r == nil {
		l.add(k) // want `split-lock`
	}
	l.token <- struct{}{}
}

// Mail is news: one puts in what another one takes out.
type mail struct {
	news chan struct{}
	mu   sync.Mutex
	read map[string]*int // guarded by mu
}

func newMail() *mail {
	m := &mail{news: make(chan struct{}, 1), read: make(map[string]*int)}
	m.news <- struct{}{}
	return m
}

func (m *mail) Tell() { m.news <- struct{}{} }

func (m *mail) get(k string) *int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.read[k]
}

func (m *mail) put(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.read[k] = new(int)
}

// EnsureBad waits for news, which keep nothing apart.
func (m *mail) EnsureBad(k string) {
	<-m.news
	if m.get(k) == nil {
		m.put(k) // want `split-lock`
	}
}
