package harm

import (
	"errors"
	"fmt"
	"sync"
)

// A cache of numbers that are asked for elsewhere: what fails there was not turned away by what
// the look found, and callers are told nothing of the entry.
type numbers struct {
	mu   sync.Mutex
	of   map[string]int64
	kind int
}

func (n *numbers) get(k string) (int64, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v, ok := n.of[k]
	return v, ok
}

func (n *numbers) set(k string, v int64) { n.mu.Lock(); defer n.mu.Unlock(); n.of[k] = v }

func (n *numbers) forget(k string) { n.mu.Lock(); defer n.mu.Unlock(); delete(n.of, k) }

var errNone = errors.New("none")

func lookUpNumber(k string) (int64, error) {
	if k == "" {
		return 0, errNone
	}
	return int64(len(k)), nil
}

// The entry is set again where it was found, too.
func (n *numbers) touchBad(k string) (int64, error) {
	var err error
	size := int64(len(k))
	v, ok := n.get(k)
	if !ok || v == 0 {
		switch n.kind {
		case 1:
			v, err = lookUpNumber("from " + k)
		case 2:
			v, err = lookUpNumber(k)
		}
		if err != nil {
			return 0, fmt.Errorf("no number: %w", err)
		}
	}
	n.set(k, size) // want `split-lock: .*, low`
	return v, nil
}
