package composed

import (
	"errors"
	"sync"
)

type ledger struct {
	mu    sync.RWMutex
	lines map[string][]int
}

func (l *ledger) add(k string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[k] = append(l.lines[k], n)
}

// The look is made in a literal with a section of its own, which is called once.
func (l *ledger) dropBad(k string, n int) error {
	var (
		lines []int
		ok    bool
	)

	find := func() error {
		l.mu.RLock()
		defer l.mu.RUnlock()
		lines, ok = l.lines[k]
		if !ok {
			return errors.New("no line for " + k)
		}
		return nil
	}

	if err := find(); err != nil {
		return err
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[k] = make([]int, 0, len(lines)) // want `split-lock: .*`
	for _, x := range lines {
		if x != n {
			l.lines[k] = append(l.lines[k], x)
		}
	}
	return nil
}

// It is called where it stands, and releases the lock in front of its returns.
func (l *ledger) placeBad(k string) bool {
	known := func() bool {
		l.mu.RLock()
		if _, ok := l.lines[k]; ok {
			l.mu.RUnlock()
			return true
		}
		l.mu.RUnlock()
		return false
	}()
	if known {
		return false
	}
	l.mu.Lock()
	l.lines[k] = nil // want `split-lock: .*`
	l.mu.Unlock()
	return true
}
