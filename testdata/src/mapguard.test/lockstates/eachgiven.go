package lockstates

import (
	"slices"
	"sync"
)

// A locker room: a helper gets several objects, and locks each that it is given.
type booth struct {
	mu    sync.Mutex
	rank  int
	round int
	coats map[string]*booth // guarded by mu
}

func (b *booth) Hang(name string, in *booth) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.coats[name] = in
	b.round++
}

func (b *booth) Peek(name string) *booth {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.coats[name]
}

func shutBooths(bs ...*booth) {
	for _, b := range bs {
		b.mu.Lock()
	}
}

func openBooths(bs ...*booth) {
	for _, b := range bs {
		b.mu.Unlock()
	}
}

// ShiftGivenOk holds both locks, since it gives both objects.
func (b *booth) ShiftGivenOk(to *booth, name string) {
	shutBooths(b, to)
	defer openBooths(b, to)
	if c, ok := b.coats[name]; ok {
		delete(b.coats, name)
		to.coats[name] = c
	}
}

// ShiftOtherBad locks one object, and works on another one.
func (b *booth) ShiftOtherBad(to *booth, name string) {
	shutBooths(to)
	defer openBooths(to)
	if c, ok := b.coats[name]; ok { // want `check-then-act: b\.coats`
		delete(b.coats, name)
		to.coats[name] = c
	}
}

// ShiftOpenedBad has opened them before it acts.
func (b *booth) ShiftOpenedBad(to *booth, name string) {
	shutBooths(b, to)
	c, ok := b.coats[name] // want `check-then-act: b\.coats`
	openBooths(b, to)
	if ok {
		delete(b.coats, name)
		shutBooths(to)
		to.coats[name] = c
		openBooths(to)
	}
}

// TakeListOk has the objects in a list, which it sorts.
func (b *booth) TakeListOk(name string) {
	in := b.Peek(name)
	if in == nil {
		return
	}
	list := []*booth{in, b}
	slices.SortFunc(list, func(x, y *booth) int { return x.rank - y.rank })
	shutBooths(list...)
	defer func() { openBooths(list...) }()
	if b.coats[name] == in {
		delete(b.coats, name)
	}
}

// TakeSwappedBad has put another object in the place of its own.
func (b *booth) TakeSwappedBad(name string, other *booth) {
	list := []*booth{b}
	list[0] = other
	shutBooths(list...)
	if b.coats[name] != nil { // want `check-then-act: b\.coats`
		delete(b.coats, name)
	}
	openBooths(list...)
}

// shutSorted leaves the caller's list as it is, and takes each lock once.
func shutSorted(bs ...*booth) {
	sorted := slices.Clone(bs)
	slices.SortFunc(sorted, func(x, y *booth) int { return x.rank - y.rank })
	sorted = slices.Compact(sorted)
	for _, b := range sorted {
		b.mu.Lock()
	}
}

// openOnce lets go each lock once.
func openOnce(bs ...*booth) {
	seen := make(map[*booth]bool)
	for _, b := range bs {
		if !seen[b] {
			seen[b] = true
			b.mu.Unlock()
		}
	}
}

// SwapSortedOk may have one object twice.
func (b *booth) SwapSortedOk(with *booth, name string) {
	shutSorted(b, with)
	defer openOnce(b, with)
	b.coats[name], with.coats[name] = with.coats[name], b.coats[name]
}

// shutOnce passes over what is nil, or the one before.
func shutOnce(bs []*booth) {
	var last *booth
	for _, b := range bs {
		if b == nil || b == last {
			continue
		}
		b.mu.Lock()
		last = b
	}
}

// shutBeside passes over the same ones by their places.
func shutBeside(bs []*booth) {
	for i, b := range bs {
		if i > 0 && bs[i-1] == b {
			continue
		}
		b.mu.Lock()
	}
}

// shutRanked passes over some that have not been locked.
func shutRanked(bs []*booth) {
	for _, b := range bs {
		if b.rank > 0 {
			b.mu.Lock()
		}
	}
}

// DropOnceOk has what it found, which may be nothing, in the list.
func (b *booth) DropOnceOk(name string) {
	b.mu.Lock()
	in, round := b.coats[name], b.round
	b.mu.Unlock()
	both := []*booth{b, in}
	shutOnce(both)
	defer openOnce(both...)
	if b.round == round {
		delete(b.coats, name)
	}
}

// DropBesideOk is the same.
func (b *booth) DropBesideOk(other *booth, name string) {
	both := []*booth{b, other}
	shutBeside(both)
	if b.coats[name] == other {
		delete(b.coats, name)
	}
	openOnce(both...)
}

// DropRankedBad may have no lock.
func (b *booth) DropRankedBad(other *booth, name string) {
	both := []*booth{b, other}
	shutRanked(both)
	if b.coats[name] == other { // want `check-then-act: b\.coats`
		delete(b.coats, name)
	}
}

// SweepGatheredOk begins its list with its own object, and adds those that it finds; what it found last is what it has locked.
func (b *booth) SweepGatheredOk(names []string) {
	b.mu.Lock()
	round := b.round
	all := []*booth{b}
	for _, name := range names {
		all = append(all, b.coats[name])
	}
	b.mu.Unlock()
	shutOnce(all)
	defer openOnce(all...)
	if b.round != round {
		return
	}
	for _, name := range names {
		delete(b.coats, name)
	}
	for _, c := range all {
		clear(c.coats)
	}
}

// SweepLeftBad has not put its own object in on each way.
func (b *booth) SweepLeftBad(others []*booth, own bool, name string) {
	all := []*booth{others[0]}
	if own {
		all = []*booth{b}
	}
	shutBooths(all...)
	if b.coats[name] != nil { // want `check-then-act: b\.coats`
		delete(b.coats, name)
	}
	openBooths(all...)
}

// withShut runs a function under the locks of several objects.
func withShut(run func(), bs ...*booth) {
	shutBooths(bs...)
	defer openBooths(bs...)
	run()
}

// PutUnderOk gives its object to the one that runs its step.
func (b *booth) PutUnderOk(in *booth, name string) {
	withShut(func() {
		if b.coats[name] == nil {
			b.coats[name] = in
		}
	}, b, in)
}

// PutUnderOtherBad gives another one.
func (b *booth) PutUnderOtherBad(in *booth, name string) {
	withShut(func() {
		if b.coats[name] == nil { // want `check-then-act: b\.coats`
			b.coats[name] = in
		}
	}, in)
}

// LoopHereOk locks them itself.
func (b *booth) LoopHereOk(in *booth, name string) {
	for _, x := range []*booth{b, in} {
		x.mu.Lock()
		defer x.mu.Unlock()
	}
	if b.coats[name] == in {
		delete(b.coats, name)
	}
}
