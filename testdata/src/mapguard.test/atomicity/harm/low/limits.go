package low

import (
	"errors"
	"strings"
	"sync"
	"time"
)

// A bound on what is kept, of which no caller is told: as many pass it as come at
// one time.

type agents struct {
	mu   sync.RWMutex
	seen map[string]struct{}
	most int
}

func (a *agents) noteBad(name string) {
	a.mu.RLock()
	full := len(a.seen) >= a.most
	a.mu.RUnlock()
	if !full {
		a.mu.Lock()
		a.seen[name] = struct{}{} // want `split-lock: .*low`
		a.mu.Unlock()
	}
}

// What the bound lets in is looked for once more.
type gauge struct {
	mu  sync.Mutex
	sum time.Duration
}

func (g *gauge) add(d time.Duration) {
	g.mu.Lock()
	g.sum += d
	g.mu.Unlock()
}

type gauges struct {
	mu     sync.RWMutex
	byName map[string]*gauge
	most   int
	rest   *gauge
}

func (g *gauges) ofBad(name string) *gauge {
	g.mu.RLock()
	x, ok := g.byName[name]
	n := len(g.byName)
	g.mu.RUnlock()
	if !ok {
		if n >= g.most {
			return g.rest
		}
		g.mu.Lock()
		x, ok = g.byName[name]
		if !ok {
			x = &gauge{}
			g.byName[name] = x // want `split-lock: .*measured with len.*low`
		}
		g.mu.Unlock()
	}
	return x
}

func (g *gauges) use(name string, d time.Duration) { g.ofBad(name).add(d) }

// An error is as good as another one that says the same.
type verdicts struct {
	mu  sync.Mutex
	ofs map[string]error
}

func (v *verdicts) checkBad(k string) error {
	v.mu.Lock()
	err, ok := v.ofs[k]
	v.mu.Unlock()
	if ok {
		return err
	}
	err = check(k)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ofs[k] = err // want `split-lock: .*low`
	return err
}

func check(k string) error {
	if strings.Contains(k, " ") {
		return errors.New("space in " + k)
	}
	return nil
}

// The object only carries values, which the function has anyway.
type name struct{ head, tail string }

type names struct {
	mu sync.Mutex
	m  map[string]*name
}

func (n *names) splitBad(k string) (string, string) {
	n.mu.Lock()
	x, ok := n.m[k]
	n.mu.Unlock()
	if ok {
		return x.head, x.tail
	}
	head, tail, _ := strings.Cut(k, ".")
	x = &name{head: head, tail: tail}
	n.mu.Lock()
	n.m[k] = x // want `split-lock: .*low`
	n.mu.Unlock()
	return x.head, x.tail
}
