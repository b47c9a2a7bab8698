package harm

import (
	"net/http"
	"os"
	"sync"
)

// What the package wraps round objects of another one serves alike when those do.
type route struct {
	name    string
	handler http.Handler
}

type spool struct {
	name string
	file *os.File
}

type wraps struct {
	mu     sync.Mutex
	routes map[string]*route
	values map[string]route
	spools map[string]*spool
	some   map[string]http.Handler
}

func newRoute(name string) *route {
	return &route{name: name, handler: http.NotFoundHandler()}
}

func newSpool(name string) (*spool, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	return &spool{name, f}, nil
}

func (w *wraps) routeBad(name string) *route {
	w.mu.Lock()
	r := w.routes[name]
	w.mu.Unlock()
	if r != nil {
		return r
	}
	r = newRoute(name)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.routes[name] = r // want `split-lock: .*, low`
	return r
}

// The handler is there for some names alone.
func (w *wraps) valueBad(name string) route {
	w.mu.Lock()
	r, ok := w.values[name]
	w.mu.Unlock()
	if ok {
		return r
	}
	var h http.Handler
	if name != "" {
		h = http.NotFoundHandler()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.values[name] = route{name, h} // want `split-lock: .*, low`
	return route{name, h}
}

func (w *wraps) someBad(name string) http.Handler {
	w.mu.Lock()
	h, ok := w.some[name]
	w.mu.Unlock()
	if ok {
		return h
	}
	if name != "" {
		h = http.NotFoundHandler()
	} else {
		h = http.FileServer(http.Dir(name))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.some[name] = h // want `split-lock: .*, low`
	return h
}

// The file of the one who comes second is never closed.
func (w *wraps) spoolBad(name string) *spool {
	w.mu.Lock()
	s := w.spools[name]
	w.mu.Unlock()
	if s != nil {
		return s
	}
	s, err := newSpool(name)
	if err != nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spools[name] = s // want `split-lock: .*high`
	return s
}
