package refused

import (
	"os"
	"sync"
)

type journal struct {
	mu    sync.RWMutex
	lines map[string][]int
}

func (l *journal) add(k string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[k] = append(l.lines[k], n)
}

func (l *journal) lookUp(k string) []int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.lines[k]
}

// The literal is called twice; the other call needs its section.
func (l *journal) twiceBad(k string) {
	find := func(k string) int {
		l.mu.RLock()
		defer l.mu.RUnlock()
		return len(l.lines[k])
	}
	println(find("other"))
	if n := find(k); n == 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines[k] = []int{n} // want `split-lock: .*`
	}
}

// It is handed on, too.
func (l *journal) handedBad(k string, also func(func() int)) {
	find := func() int {
		l.mu.RLock()
		defer l.mu.RUnlock()
		return len(l.lines[k])
	}
	also(find)
	if find() == 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines[k] = []int{1} // want `split-lock: .*`
	}
}

// Its section is not its whole body, and what comes before it may wait.
func (l *journal) partBad(k string) {
	find := func() int {
		os.Stdout.Sync()
		l.mu.RLock()
		defer l.mu.RUnlock()
		return len(l.lines[k])
	}
	if find() == 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines[k] = []int{1} // want `split-lock: .*`
	}
}

// It waits in its section, under the read lock.
func (l *journal) waitsBad(k string) {
	find := func() int {
		l.mu.RLock()
		defer l.mu.RUnlock()
		os.Stdout.Sync()
		return len(l.lines[k])
	}
	if find() == 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines[k] = []int{1} // want `split-lock: .*`
	}
}

// Its lock is that of another object with the same name.
func (l *journal) shadowedBad(k string, other *journal) {
	find := func(l *journal) int {
		l.mu.RLock()
		defer l.mu.RUnlock()
		return len(l.lines[k])
	}
	if l.lookUp(k) == nil && find(other) == 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.lines[k] = []int{1} // want `split-lock: .*`
	}
}
