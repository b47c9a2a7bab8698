package locks

import "sync"

// A struct that is put together in a variable is its own, and its lock is no copy.

type loader struct {
	mu     sync.Mutex
	loaded map[string]*int // guarded by mu
}

func (l *loader) start(k string) {
	go func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.loaded[k] = new(int)
	}()
}

func loadOk(ks []string) (n int) {
	l := loader{loaded: make(map[string]*int)}
	for _, k := range ks {
		l.start(k)
	}
	for _, k := range ks {
		l.mu.Lock()
		if p := l.loaded[k]; p != nil {
			n += *p
		}
		l.mu.Unlock()
	}
	return n
}

func loadBad(ks []string) (n int) {
	l := loader{loaded: make(map[string]*int)}
	for _, k := range ks {
		l.start(k)
	}
	for _, k := range ks {
		if p := l.loaded[k]; p != nil { // want `unguarded-access: .*loaded`
			n += *p
		}
	}
	return n
}

func loadCopyBad(l *loader, k string) *int {
	c := *l
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loaded[k] // want `unguarded-access: .*loaded`
}

// Of two locks that a map could be named for, the one that bears its name is its
// guard.
type index struct {
	methodsMu sync.Mutex
	methods   map[string]*conn

	objectMethodsMu sync.Mutex
	objectMethods   map[string]*conn
}

func (x *index) objectOk(k string) *conn {
	x.objectMethodsMu.Lock()
	defer x.objectMethodsMu.Unlock()
	return x.objectMethods[k]
}

func (x *index) SetOk(k string, c *conn) {
	x.methodsMu.Lock()
	defer x.methodsMu.Unlock()
	x.methods[k] = c
	x.putOk(k, c)
	x.objectOk(k)
}

func (x *index) putOk(k string, c *conn) {
	x.objectMethodsMu.Lock()
	defer x.objectMethodsMu.Unlock()
	x.objectMethods[k] = c
}

func (x *index) GetOk(k string) *conn { return x.objectOk(k) }

func (x *index) GetBad(k string) *conn {
	return x.objectMethods[k] // want `unguarded-access: .*objectMethods`
}
