package guards

import "sync"

// Drawers are closed by calls that may wait, of which one fix walks two copies: the package is imported once.
type Drawers struct {
	mu    sync.Mutex // protects left and right
	left  map[string]closer
	right map[string]closer
}

type closer interface{ Close() error }

// Put puts a drawer at either side.
func (d *Drawers) Put(name string, l, r closer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left[name] = l
	d.right[name] = r
}

// ShutBad shuts all drawers.
func (d *Drawers) ShutBad() {
	for _, l := range d.left { // want `unguarded-access: .*`
		_ = l.Close()
	}
	for _, r := range d.right {
		_ = r.Close()
	}
}
