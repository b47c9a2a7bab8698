// Package metrics has collectors of metrics, which each scrape calls.
package metrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

type value float64

func (v value) Value() float64 { return float64(v) }

// Devices makes its descriptions when a device is first seen.
type Devices struct {
	descs map[string]*prometheus.Desc
	names func() []string
}

// Register registers a collector.
func Register(names func() []string) {
	prometheus.MustRegister(&Devices{descs: map[string]*prometheus.Desc{}, names: names}, &Guarded{seen: map[string]int{}, names: names})
}

// Describe sends nothing.
func (d *Devices) Describe(chan<- *prometheus.Desc) {}

// Collect is called for each scrape.
func (d *Devices) Collect(ch chan<- prometheus.Metric) {
	for _, name := range d.names() {
		d.describeBad(name)
		ch <- value(len(name))
	}
}

func (d *Devices) describeBad(name string) *prometheus.Desc {
	if _, ok := d.descs[name]; !ok { // want `check-then-act: d.descs is read here, then written`
		d.descs[name] = &prometheus.Desc{Name: name}
	}
	return d.descs[name]
}

// Guarded has a lock for all of its Collect.
type Guarded struct {
	mu    sync.Mutex
	seen  map[string]int
	names func() []string
}

// Describe sends nothing.
func (g *Guarded) Describe(chan<- *prometheus.Desc) {}

// Collect is called for each scrape.
func (g *Guarded) Collect(ch chan<- prometheus.Metric) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.collectOk(ch)
}

// collectOk gets the channel, and has the lock of its caller.
func (g *Guarded) collectOk(ch chan<- prometheus.Metric) {
	for _, name := range g.names() {
		g.seen[name]++
		ch <- value(g.seen[name])
	}
}

// Local makes its map for each scrape.
type Local struct{ names func() []string }

// Describe sends nothing.
func (l *Local) Describe(chan<- *prometheus.Desc) {}

// Collect is called for each scrape.
func (l *Local) Collect(ch chan<- prometheus.Metric) {
	seen := map[string]bool{}
	for _, name := range l.names() {
		if !seen[name] {
			seen[name] = true
			ch <- value(1)
		}
	}
}

// Other is no collector: who calls it is not known.
type Other struct{ seen map[string]int }

// Collect has the name, and no descriptions.
func (o *Other) Collect(ch chan<- prometheus.Metric) {
	if _, ok := o.seen["x"]; !ok {
		o.seen["x"] = 1
	}
}
