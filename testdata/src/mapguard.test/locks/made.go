package locks

import "sync"

// runs has a lock for each run, made when it is asked for the first time.
type runs struct {
	mu    sync.Mutex
	locks map[string]*sync.Mutex
	amu   sync.Mutex
	open  map[string]*attempt
}

type attempt struct {
	mu sync.Mutex
	n  int
}

func (a *attempt) add() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n++
}

type report struct{ id, parent string }

func (r *runs) lockOf(id string) *sync.Mutex {
	r.mu.Lock()
	defer r.mu.Unlock()
	if m, ok := r.locks[id]; ok {
		return m
	}
	m := &sync.Mutex{}
	r.locks[id] = m
	return m
}

func (r *runs) ReportOk(p *report) {
	m := r.lockOf(p.id)
	m.Lock()
	defer m.Unlock()
	r.openedOk(p.id).add()
}

// openedOk runs with the lock of its key.
func (r *runs) openedOk(key string) *attempt {
	r.amu.Lock()
	a, ok := r.open[key]
	r.amu.Unlock()
	if ok {
		return a
	}
	a = &attempt{}
	r.amu.Lock()
	defer r.amu.Unlock()
	r.open[key] = a
	return a
}

// ParentBad holds the lock of another key.
func (r *runs) ParentBad(p *report) {
	m := r.lockOf(p.id)
	m.Lock()
	defer m.Unlock()
	r.amu.Lock()
	a, ok := r.open[p.parent]
	r.amu.Unlock()
	if !ok {
		a = &attempt{}
		r.amu.Lock()
		r.open[p.parent] = a // want `split-lock: r\.open is read at line \d+ and written here in two critical sections`
		r.amu.Unlock()
	}
	a.add()
}

// late makes a new lock each time.
type late struct {
	amu  sync.Mutex
	open map[string]*attempt
}

func (l *late) lockOf(string) *sync.Mutex { return new(sync.Mutex) }

func (l *late) ReportBad(p *report) {
	m := l.lockOf(p.id)
	m.Lock()
	defer m.Unlock()
	l.amu.Lock()
	a, ok := l.open[p.id]
	l.amu.Unlock()
	if !ok {
		a = &attempt{}
		l.amu.Lock()
		l.open[p.id] = a // want `split-lock: l\.open is read at line \d+ and written here in two critical sections of l\.amu`
		l.amu.Unlock()
	}
	a.add()
}
