package acts

import (
	"sync"
	"sync/atomic"
)

// A flag of the entry itself, set once, singles out who takes the entry out, as long as others put one in
// only where there is none.

type tenancy struct {
	ended  bool // guarded by lettings.mu
	leaves atomic.Bool
	rooms  int
}

type lettings struct {
	mu   sync.Mutex
	open map[string]*tenancy
	late map[string]*tenancy
	free map[string]*tenancy
}

func (l *lettings) openOk(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.open[name]; ok {
		return false
	}
	l.open[name] = &tenancy{rooms: 1}
	return true
}

func (l *lettings) EndOk(name string, tell func(*tenancy)) bool {
	l.mu.Lock()
	t := l.open[name]
	if t == nil || t.ended {
		l.mu.Unlock()
		return false
	}
	t.ended = true
	l.mu.Unlock()
	tell(t)
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, name)
	return true
}

func (l *lettings) lateOk(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.late[name] != nil {
		return false
	}
	l.late[name] = &tenancy{rooms: 1}
	return true
}

func (l *lettings) LeaveOk(name string) bool {
	l.mu.Lock()
	t, ok := l.late[name]
	l.mu.Unlock()
	if !ok || !t.leaves.CompareAndSwap(false, true) {
		return false
	}
	l.mu.Lock()
	delete(l.late, name)
	l.mu.Unlock()
	return true
}

// What is put in whatever is there may be another one by then.
func (l *lettings) freeAnyway(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free[name] = &tenancy{rooms: 1}
}

func (l *lettings) FreeBad(name string) bool {
	l.mu.Lock()
	t, ok := l.free[name]
	l.mu.Unlock()
	if !ok || !t.leaves.CompareAndSwap(false, true) {
		return false
	}
	l.mu.Lock()
	delete(l.free, name) // want `split-lock: l\.free is read at line 82 and deleted here`
	l.mu.Unlock()
	return true
}
