package guards

import (
	"os"
	"sync"
)

// A desk calls the system where it uses its map.
type desk struct {
	mu    sync.RWMutex
	names map[string]int // guarded by mu
}

func (d *desk) put(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.names[k]++
	if d.names[k] > 3 {
		_ = os.Unsetenv(k)
	}
}

func (d *desk) count(k string) int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.names[k]
}

// This call is known from put.
func (d *desk) unsetBad() {
	for k := range d.names { // want `check-then-act: .*`
		_ = os.Unsetenv(k)
		delete(d.names, k)
	}
}
