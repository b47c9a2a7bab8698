package locks

import "sync"

// A plain function of which only the value is used gets its object from the one who calls it,
// who may hold the lock. A method, or a literal, has the object already, as handlers do.
type dialer struct {
	mu    sync.Mutex
	hosts map[string]string
	hooks []func(*dialer, string) string
}

func newDialer() *dialer {
	return &dialer{hosts: make(map[string]string), hooks: []func(*dialer, string) string{hostHookBad, trimHook}}
}

func hostHookBad(d *dialer, name string) string {
	return d.hosts[name] // want `unguarded-access: .*d\.hosts.*, low`
}

func trimHook(d *dialer, name string) string { return name }

func (d *dialer) dial(name string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, hook := range d.hooks {
		name = hook(d, name)
	}
	return name
}

func (d *dialer) Set(name, host string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hosts[name] = host
}

func (d *dialer) Count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.hosts)
}

// What is called by its name as well is called without the lock there.
type listing struct {
	mu    sync.Mutex
	names map[string]int
	sizes []func(*listing) int
}

func newListing() *listing {
	return &listing{names: make(map[string]int), sizes: []func(*listing) int{listedBad}}
}

func listedBad(l *listing) int {
	return l.names["all"] // want `unguarded-access: .*l\.names is read without mu.*high`
}

func (l *listing) All() int { return listedBad(l) }

func (l *listing) Add(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.names[name]++
}

func (l *listing) Drop(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.names, name)
}
