package refused

import "sync"

type tram struct{ stop chan struct{} }

// A Depot has trams, and is safe for concurrent use.
type Depot struct {
	mu    sync.Mutex
	trams map[string]*tram // protected by mu
}

// Add adds a tram.
func (d *Depot) Add(name string, t *tram) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.trams[name] = t
}

// Drop takes a tram out.
func (d *Depot) Drop(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.trams, name)
}

// EmptyBad takes each tram out, and the one that is coupled to it: a copy would come to both.
func (d *Depot) EmptyBad() {
	d.mu.Lock()
	trams := d.trams
	d.mu.Unlock()
	for name, t := range trams { // want `unguarded-access: .*`
		<-t.stop
		d.Drop(name)
		d.Drop(name + "-rear")
	}
}

// park adds what others may send through a map that this one was given.
func park(of map[string]*tram, t *tram) {
	<-t.stop
	of["last"] = t
}

// PassBad hands on what it has read: a copy would lose what is put in there.
func (d *Depot) PassBad() {
	d.mu.Lock()
	trams := d.trams
	d.mu.Unlock()
	for _, t := range trams { // want `check-then-act: .*`
		park(trams, t)
	}
}
