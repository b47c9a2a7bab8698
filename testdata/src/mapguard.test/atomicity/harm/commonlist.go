package harm

import (
	"slices"
	"sort"
	"sync"
)

// A list is its elements: two that are made of what goroutines have in common serve alike.

type elector interface{ weight() int }

type deputy struct{ n int }

type assembly struct {
	electors []elector // set when it is made
	deputies []*deputy // set when it is made
	present  []*deputy

	mu     sync.Mutex
	copied map[string][]elector
	chosen map[string][]*deputy
	sorted map[string][]*deputy
	stale  map[string][]*deputy
	sworn  map[string][]*deputy
	filled map[string][]*deputy
}

func newAssembly(electors []elector, deputies []*deputy) *assembly {
	return &assembly{electors: electors, deputies: deputies, copied: map[string][]elector{}}
}

func (a *assembly) comes(d *deputy) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.present = append(a.present, d)
	d.n++
}

func (a *assembly) copyOk(k string) []elector {
	a.mu.Lock()
	v, ok := a.copied[k]
	a.mu.Unlock()
	if ok {
		return v
	}
	out := append([]elector(nil), a.electors...)
	a.mu.Lock()
	a.copied[k] = out
	a.mu.Unlock()
	return out
}

func (a *assembly) chooseOk(k string) []*deputy {
	a.mu.Lock()
	v, ok := a.chosen[k]
	a.mu.Unlock()
	if ok {
		return v
	}
	var out []*deputy
	for i, d := range a.deputies {
		if i%2 == len(k)%2 {
			out = append(out, d)
		}
	}
	a.mu.Lock()
	a.chosen[k] = out
	a.mu.Unlock()
	return out
}

func (a *assembly) sortOk(k string) []*deputy {
	a.mu.Lock()
	v, ok := a.sorted[k]
	a.mu.Unlock()
	if ok {
		return v
	}
	out := slices.Clone(a.deputies)
	sort.Slice(out, func(i, j int) bool { return len(k) > i })
	a.mu.Lock()
	a.sorted[k] = out
	a.mu.Unlock()
	return out
}

// What it is made of changes.
func (a *assembly) staleBad(k string) []*deputy {
	a.mu.Lock()
	v, ok := a.stale[k]
	a.mu.Unlock()
	if ok {
		return v
	}
	a.mu.Lock()
	out := slices.Clone(a.present)
	a.mu.Unlock()
	a.mu.Lock()
	a.stale[k] = out // want `split-lock: a\.stale`
	a.mu.Unlock()
	return out
}

// It has others each time.
func (a *assembly) swearBad(k string) []*deputy {
	a.mu.Lock()
	v, ok := a.sworn[k]
	a.mu.Unlock()
	if ok {
		return v
	}
	out := slices.Clone(a.deputies)
	out = append(out, &deputy{n: len(k)})
	a.mu.Lock()
	a.sworn[k] = out // want `split-lock: a\.sworn`
	a.mu.Unlock()
	return out
}

func (a *assembly) fillBad(k string) []*deputy {
	a.mu.Lock()
	v, ok := a.filled[k]
	a.mu.Unlock()
	if ok {
		return v
	}
	out := make([]*deputy, len(a.deputies))
	fillDeputies(out)
	a.mu.Lock()
	a.filled[k] = out // want `split-lock: a\.filled`
	a.mu.Unlock()
	return out
}

func fillDeputies(to []*deputy) {
	for i := range to {
		to[i] = &deputy{}
	}
}
