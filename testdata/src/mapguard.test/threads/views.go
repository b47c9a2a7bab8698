package threads

import "sort"

// An exported name of an interface gives code outside no value of it: only one
// that leaves the package can be called there.

// Meter is what a gauge is used as here.
type Meter interface {
	Count(string)
	Close()
}

type gauge struct{ n map[string]int }

func newGauge() Meter { return &gauge{n: make(map[string]int)} }

func (g *gauge) Count(k string) { g.n[k]++ }
func (g *gauge) Close()         { clear(g.n) }

// Setup is filled by code outside: what it holds comes from there.
type Setup struct{ Meter Meter }

type Counter struct {
	in   chan string
	done chan struct{}
	m    Meter
}

// The loop alone calls the gauge's methods.
func StartCounterOk(s Setup) *Counter {
	c := &Counter{in: make(chan string), done: make(chan struct{}), m: s.Meter}
	if c.m == nil {
		c.m = newGauge()
	}
	go c.loop()
	return c
}

func (c *Counter) loop() {
	for {
		select {
		case k := <-c.in:
			c.m.Count(k)
		case <-c.done:
			c.m.Close()
			return
		}
	}
}

// Diary leaves the package as a result.
type Diary interface{ NoteBad(string) }

type diary struct{ n map[string]int }

func (l *diary) NoteBad(k string) {
	l.n[k]++ // want `check-then-act: l.n is read here, then written`
}

type Desk struct {
	in chan string
	l  Diary
}

func OpenDesk() *Desk {
	d := &Desk{in: make(chan string), l: &diary{n: make(map[string]int)}}
	go d.serve()
	return d
}

func (d *Desk) serve() {
	for k := range d.in {
		d.l.NoteBad(k)
	}
}

func (d *Desk) Diary() Diary { return d.l }

// Probe goes to a function that code outside has given.
type Probe interface{ SampleBad(string) }

type probe struct{ n map[string]int }

func (p *probe) SampleBad(k string) {
	p.n[k]++ // want `check-then-act: p.n is read here, then written`
}

type Panel struct {
	in   chan string
	p    Probe
	hook func(Probe)
}

func OpenPanel(hook func(Probe)) *Panel {
	d := &Panel{in: make(chan string), p: &probe{n: make(map[string]int)}, hook: hook}
	go d.serve()
	d.hook(d.p)
	return d
}

func (d *Panel) serve() {
	for k := range d.in {
		d.p.SampleBad(k)
	}
}

// Board has an exported field that the package sets.
type Board struct {
	in   chan string
	Tape Tape
}

type Tape interface{ AddBad(string) }

type tape struct{ n map[string]int }

func (t *tape) AddBad(k string) {
	t.n[k]++ // want `check-then-act: t.n is read here, then written`
}

func OpenBoard() *Board {
	b := &Board{in: make(chan string), Tape: &tape{n: make(map[string]int)}}
	go b.serve()
	return b
}

func (b *Board) serve() {
	for k := range b.in {
		b.Tape.AddBad(k)
	}
}

// rank is kept inside, and handed to a function that only sorts it.
type rank struct {
	n    map[string]int
	keys []string
}

func (r *rank) Len() int           { return len(r.keys) }
func (r *rank) Swap(i, j int)      { r.keys[i], r.keys[j] = r.keys[j], r.keys[i] }
func (r *rank) Less(i, j int) bool { return r.n[r.keys[i]] < r.n[r.keys[j]] }

type Chart struct {
	in chan string
	r  *rank
}

// All calls, those that sort makes too, are made by the loop.
func OpenChart() *Chart {
	c := &Chart{in: make(chan string), r: &rank{n: make(map[string]int)}}
	go c.serveOk()
	return c
}

func (c *Chart) serveOk() {
	for k := range c.in {
		c.r.n[k]++
		c.r.keys = append(c.r.keys, k)
		sort.Sort(c.r)
	}
}
