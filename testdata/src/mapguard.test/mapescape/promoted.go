package mapescape

import "sync"

// A ledger moves what it has written to the shelf: from then on the map is the shelf's
// alone.
type ledger struct {
	mu    sync.Mutex
	dirty map[string]int
	shelf *volume
}

type volume struct{ lines map[string]int }

func (l *ledger) write(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dirty == nil {
		l.dirty = make(map[string]int)
	}
	l.dirty[k]++
}

func (l *ledger) has(k string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dirty[k] > 0
}

func (l *ledger) PromoteOk() *volume {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := &volume{lines: l.dirty}
	l.dirty = nil
	return v
}

func (l *ledger) RenewOk() *volume {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := &volume{lines: l.dirty}
	l.dirty = make(map[string]int)
	return v
}

// Here others go on to write in it.
func (l *ledger) LendBad() *volume {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &volume{lines: l.dirty} // want `map-escape: l\.dirty`
}

// In a later section, others have written in it meanwhile.
func (l *ledger) LateBad() *volume {
	l.mu.Lock()
	v := &volume{lines: l.dirty} // want `map-escape: l\.dirty`
	l.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dirty = nil
	return v
}
