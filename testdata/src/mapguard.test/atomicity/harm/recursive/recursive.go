// Package recursive has types that lead to themselves by lists, maps and functions: they have no state for that.
package recursive

import "sync"

type knot struct {
	name string
	kids []knot
}

type tree []tree
type index map[string]index
type step func(int) step

type paper struct {
	root knot
	tree tree
	idx  index
	step step
}

type papers struct {
	mu sync.Mutex
	m  map[string]*paper
	n  map[string]*knot
	t  map[string]tree
}

func (d *papers) getOk(k string, parse func(string) *paper) *paper {
	d.mu.Lock()
	e, ok := d.m[k]
	d.mu.Unlock()
	if !ok {
		e = parse(k)
		d.mu.Lock()
		d.m[k] = e
		d.mu.Unlock()
	}
	return e
}

func (d *papers) knotOk(k string, parse func(string) knot) *knot {
	d.mu.Lock()
	e, ok := d.n[k]
	d.mu.Unlock()
	if !ok {
		n := parse(k)
		e = &n
		d.mu.Lock()
		d.n[k] = e
		d.mu.Unlock()
	}
	return e
}
