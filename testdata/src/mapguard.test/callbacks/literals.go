package callbacks

import (
	"slices"
	"strings"
	"sync"
)

// Literals in variables, containers and fields.

type Desk struct {
	mu sync.Mutex // protects m
	m  map[string]int
}

func (d *Desk) Get(k string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.m[k]
}

func (d *Desk) recursiveOk(n int) {
	var walk func(n int)
	walk = func(n int) {
		d.m["n"] = n
		if n > 0 {
			walk(n - 1)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	walk(n)
}

func (d *Desk) listOk() {
	a := func() { d.m["a"]++ }
	b := func() { d.m["b"]++ }
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range []func(){a, b} {
		f()
	}
}

func (d *Desk) tableOk(k string) {
	table := map[string]func(){
		"a": func() { d.m["a"]++ },
		"b": func() { d.m["b"]++ },
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := table[k]; f != nil {
		f()
	}
}

func (d *Desk) appendedOk(ks []string) {
	var todo []func()
	for _, k := range ks {
		todo = append(todo, func() { d.m[k]++ })
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range todo {
		f()
	}
}

func (d *Desk) fieldOk() {
	op := struct {
		name string
		run  func(k string)
	}{"a", func(k string) { d.m[k]++ }}
	d.mu.Lock()
	defer d.mu.Unlock()
	op.run(op.name)
}

func (d *Desk) deferredOk() {
	d.mu.Lock()
	defer d.mu.Unlock()
	done := func() { d.m["done"]++ }
	defer func() { done() }()
}

func (d *Desk) foreignOk(s string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	put := func(r rune) { d.m[string(r)]++ }
	strings.Map(func(r rune) rune { put(r); return r }, s)
	slices.SortFunc([]string{s}, func(x, y string) int { put('x'); return strings.Compare(x, y) })
}

// The same without the lock.

type Till struct {
	mu sync.Mutex // protects m
	m  map[string]int
}

func (t *Till) Get(k string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[k]
}

func (t *Till) listBad() {
	a := func() { t.m["a"] = 1 } // want `t\.m.*, low`
	for _, f := range []func(){a} {
		f()
	}
}

func (t *Till) foreignBad(s string) {
	put := func(r rune) { t.m[string(r)] = 1 } // want `t\.m.*, low`
	strings.Map(func(r rune) rune { put(r); return r }, s)
}

// Once under the lock and once not: the run without it is the bug.
func (t *Till) twiceBad() {
	put := func() { t.m["a"] = 1 }
	t.mu.Lock()
	put()
	t.mu.Unlock()
	list := []func(){put}
	list[0]() // want `unguarded-access: .* needs mu for t\.m.*, low`
}

type hooks struct{ onEvict func() }

// Kept, it runs at any time: its caller may hold the lock, so it is quiet.
// It would take knowing who runs a function that is kept in a field, and with
// which locks.
func (t *Till) FN_keptBad(h *hooks) {
	t.mu.Lock()
	defer t.mu.Unlock()
	h.onEvict = func() {
		if _, ok := t.m["a"]; !ok {
			t.m["a"] = 1
		}
	}
}

// A literal names the part by its own parameter, its caller the lock of the part
// by the argument.
type parted struct{ parts [8]part }

type part struct {
	mu sync.Mutex
	m  map[string]int
}

func (p *parted) at(k string) int { return len(k) % len(p.parts) }

func (p *parted) Put(k string, v int) {
	p.parts[p.at(k)].mu.Lock()
	defer p.parts[p.at(k)].mu.Unlock()
	p.parts[p.at(k)].m[k] = v
}

func (p *parted) Drop(k string) {
	p.parts[p.at(k)].mu.Lock()
	defer p.parts[p.at(k)].mu.Unlock()
	delete(p.parts[p.at(k)].m, k)
}

func (p *parted) bumpOk(name string) {
	get := func(k string) int { return p.parts[p.at(k)].m[k] }
	p.parts[p.at(name)].mu.Lock()
	p.parts[p.at(name)].m[name] = get(name) + 1
	p.parts[p.at(name)].mu.Unlock()
}

func (p *parted) bumpBad(name string) {
	get := func(k string) int { return p.parts[p.at(k)].m[k] } // want `check-then-act: `
	n := get(name)
	p.parts[p.at(name)].mu.Lock()
	p.parts[p.at(name)].m[name] = n + 1
	p.parts[p.at(name)].mu.Unlock()
}
