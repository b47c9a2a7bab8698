package unguarded

import (
	"sync"
	"sync/atomic"
	"time"
)

// A goroutine of the object comes to a method again and again that takes no lock, and no caller has one.
type orchard struct {
	mu    sync.Mutex
	trees map[string]time.Time
	fell  chan string
}

// NewOrchard starts the goroutine that tends the trees.
func NewOrchard() *orchard {
	o := &orchard{trees: map[string]time.Time{}, fell: make(chan string)}
	go o.tend()
	return o
}

func (o *orchard) Plant(name string) {
	o.mu.Lock()
	o.trees[name] = time.Now()
	o.mu.Unlock()
}

func (o *orchard) tend() {
	for {
		select {
		case <-time.After(time.Minute):
			o.pruneBad(false)
		case <-o.fell:
			o.pruneBad(true)
			return
		}
	}
}

func (o *orchard) pruneBad(all bool) {
	for name, since := range o.trees { // want `check-then-act: o\.trees is ranged over`
		if all || time.Since(since) > time.Hour {
			delete(o.trees, name)
		}
	}
}

// A vineyard is the same, and its goroutine sees to the lock.
type vineyard struct {
	mu    sync.Mutex
	vines map[string]time.Time
}

func NewVineyard() *vineyard {
	v := &vineyard{vines: map[string]time.Time{}}
	go v.tend()
	return v
}

func (v *vineyard) Plant(name string) {
	v.mu.Lock()
	v.vines[name] = time.Now()
	v.mu.Unlock()
}

func (v *vineyard) tend() {
	for range time.Tick(time.Minute) {
		v.mu.Lock()
		v.pruneOk()
		v.mu.Unlock()
	}
}

func (v *vineyard) pruneOk() {
	for name, since := range v.vines {
		if time.Since(since) > time.Hour {
			delete(v.vines, name)
		}
	}
}

// A greenhouse is emptied when the last goroutine has done with it.
type greenhouse struct {
	mu   sync.Mutex
	pots map[string]int
	uses atomic.Int32
	of   *nursery
}

type nursery struct {
	mu     sync.Mutex
	houses map[string]*greenhouse
}

func (n *nursery) enter(name string) *greenhouse {
	n.mu.Lock()
	defer n.mu.Unlock()
	g := n.houses[name]
	if g == nil {
		g = &greenhouse{pots: map[string]int{}, of: n}
		n.houses[name] = g
	}
	g.uses.Add(1)
	return g
}

func (g *greenhouse) sow(what string) {
	g.mu.Lock()
	g.pots[what]++
	g.mu.Unlock()
}

func (g *greenhouse) leave(name string) {
	g.of.mu.Lock()
	last := g.uses.Add(-1) == 0
	if last {
		delete(g.of.houses, name)
	}
	g.of.mu.Unlock()
	if last {
		g.emptyOk()
	}
}

func (g *greenhouse) emptyOk() {
	for what := range g.pots {
		delete(g.pots, what)
	}
}

// Work has a goroutine for each house that comes in.
func (n *nursery) Work(names <-chan string) {
	for name := range names {
		go func() {
			g := n.enter(name)
			defer g.leave(name)
			g.sow(name)
		}()
	}
}
