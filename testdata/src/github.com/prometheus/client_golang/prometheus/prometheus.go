// Package prometheus stands for Prometheus' client library: what collects metrics.
package prometheus

// A Metric is one value.
type Metric interface{ Value() float64 }

// A Desc says what a metric is.
type Desc struct{ Name string }

// A Collector is called for each scrape, concurrently.
type Collector interface {
	Describe(chan<- *Desc)
	Collect(chan<- Metric)
}

// MustRegister registers collectors.
func MustRegister(cs ...Collector) { registered = append(registered, cs...) }

var registered []Collector
