package harm

import (
	"io/fs"
	"sync"
)

// What a library makes of a name is as good when it is made twice: to have asked for it
// twice does nothing that lasts.
type trees struct {
	mu sync.RWMutex
	m  map[string]fs.FS
}

func (t *trees) get(k string) (fs.FS, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	s, ok := t.m[k]
	return s, ok
}

func (t *trees) put(k string, s fs.FS) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.m[k] = s
}

func (t *trees) subBad(of fs.SubFS, k string) (fs.FS, error) {
	if s, ok := t.get(k); ok {
		return s, nil
	}
	s, err := of.Sub(k)
	if err == nil {
		t.put(k, s) // want `split-lock: .*, low`
	}
	return s, err
}

// This one must be closed.
type opened struct {
	mu sync.RWMutex
	m  map[string]fs.File
}

func (o *opened) get(k string) (fs.File, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	f, ok := o.m[k]
	return f, ok
}

func (o *opened) put(k string, f fs.File) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.m[k] = f
}

func (o *opened) openBad(in fs.FS, k string) (fs.File, error) {
	if f, ok := o.get(k); ok {
		return f, nil
	}
	f, err := in.Open(k)
	if err == nil {
		o.put(k, f) // want `split-lock: .*, high`
	}
	return f, err
}
