package harm

import (
	"sync"
	"time"
)

// A limit is passed by two who ask for the size at one time. If one goroutine alone asks, those who add to the map
// in any case may as well come after it.

type task struct{ id string }

type Crew struct {
	mu   sync.Mutex
	busy map[string]*task
	most int
}

func NewCrew(most int) *Crew {
	c := &Crew{busy: map[string]*task{}, most: most}
	go c.dispatch()
	return c
}

func (c *Crew) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.busy)
}

func (c *Crew) begin(id string) {
	t := &task{id: id}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy[id] = t
}

func (c *Crew) dispatch() {
	for now := range time.Tick(time.Second) {
		c.offerOk(now.String())
	}
}

func (c *Crew) offerOk(id string) {
	if c.size() >= c.most {
		return
	}
	c.begin(id)
}

// Urgent does not ask.
func (c *Crew) Urgent(id string) { c.begin(id) }

// Others ask as well.
type Squad struct {
	mu   sync.Mutex
	busy map[string]*task
	most int
}

func NewSquad(most int) *Squad {
	s := &Squad{busy: map[string]*task{}, most: most}
	go s.dispatch()
	return s
}

func (s *Squad) size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.busy)
}

func (s *Squad) begin(id string) {
	t := &task{id: id}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy[id] = t
}

func (s *Squad) dispatch() {
	for now := range time.Tick(time.Second) {
		s.OfferBad(now.String())
	}
}

func (s *Squad) OfferBad(id string) {
	if s.size() >= s.most {
		return
	}
	s.begin(id) // want `split-lock: s.busy`
}

// There are two that ask.
type Gang struct {
	mu   sync.Mutex
	busy map[string]*task
	most int
}

func NewGang(most int) *Gang {
	g := &Gang{busy: map[string]*task{}, most: most}
	for range 2 {
		go g.dispatch()
	}
	return g
}

func (g *Gang) size() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.busy)
}

func (g *Gang) dispatch() {
	for now := range time.Tick(time.Second) {
		g.offerBad(now.String())
	}
}

func (g *Gang) offerBad(id string) {
	if g.size() >= g.most {
		return
	}
	t := &task{id: id}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.busy[id] = t // want `split-lock: g.busy`
}

// Each of them has one that asks, and all have one map in common.
var (
	hiredMu sync.Mutex
	hired   = map[string]*task{}
)

type Guild struct{ name string }

func NewGuild(name string) *Guild {
	g := &Guild{name: name}
	go g.dispatch()
	return g
}

func hiredNow() int {
	hiredMu.Lock()
	defer hiredMu.Unlock()
	return len(hired)
}

func hire(id string) {
	t := &task{id: id}
	hiredMu.Lock()
	defer hiredMu.Unlock()
	hired[id] = t
}

func (g *Guild) dispatch() {
	for range time.Tick(time.Second) {
		g.offerBad(g.name)
	}
}

func (g *Guild) offerBad(id string) {
	if hiredNow() >= 10 {
		return
	}
	hire(id) // want `split-lock: hired`
}

// Apprentice does not ask.
func (g *Guild) Apprentice(id string) { hire(id) }
