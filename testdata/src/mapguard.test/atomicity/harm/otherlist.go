package harm

import (
	"slices"
	"sync"
)

// Lists of what goroutines have in common are not as good as each other where one of them changes.

type runner struct{ laps int }

func (r *runner) lap() { r.laps++ }

// The list that was given is put in order anew, in place.
type relay struct {
	runners []*runner // set when it is made
	mu      sync.Mutex
	order   map[string][]*runner
}

func newRelay(r []*runner) *relay { return &relay{runners: r, order: map[string][]*runner{}} }

func (r *relay) orderBad(k string) []*runner {
	r.mu.Lock()
	v, ok := r.order[k]
	r.mu.Unlock()
	if ok {
		return v
	}
	out := slices.Clone(r.runners)
	r.mu.Lock()
	r.order[k] = out // want `split-lock: r\.order`
	r.mu.Unlock()
	return out
}

func (r *relay) swapOk(k string) {
	l := r.orderBad(k)
	r.mu.Lock()
	defer r.mu.Unlock()
	l[0].lap()
	l[0], l[1] = l[1], l[0]
}

// Another function puts a list of its own there.
type walker struct{ steps int }

func (w *walker) step() { w.steps++ }

type parade struct {
	walkers []*walker // set when it is made
	mu      sync.Mutex
	lines   map[string][]*walker
	rows    map[string][]*walker
}

func newParade(w []*walker) *parade { return &parade{walkers: w, lines: map[string][]*walker{}} }

func (p *parade) lineBad(k string) []*walker {
	p.mu.Lock()
	v, ok := p.lines[k]
	p.mu.Unlock()
	if ok {
		return v
	}
	out := append([]*walker(nil), p.walkers...)
	p.mu.Lock()
	p.lines[k] = out // want `split-lock: p\.lines`
	p.mu.Unlock()
	return out
}

func (p *parade) aloneOk(k string, steps int) {
	l := []*walker{{steps: steps}}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines[k] = l
}

// A list that is made is put in order before others have it.
func (p *parade) rowOk(k string) []*walker {
	p.mu.Lock()
	v, ok := p.rows[k]
	p.mu.Unlock()
	if ok {
		return v
	}
	out := slices.Clone(p.walkers)
	out[0], out[len(out)-1] = p.walkers[len(out)-1], p.walkers[0]
	p.mu.Lock()
	p.rows[k] = out
	p.mu.Unlock()
	return out
}
