package shapes

import (
	"net/http"
	"sync"
	"time"
)

// A driver's lock is taken through the interface that its embedded mutex
// satisfies.
type driver struct {
	sync.Mutex
	stmts map[string]*conn // guarded by Mutex
}

func withLock(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

func (d *driver) CloseOk(k string) (c *conn) {
	withLock(d, func() { c = d.stmts[k] })
	return c
}

func (d *driver) CloseBad(k string) *conn {
	return d.stmts[k] // want `unguarded-access: d\.stmts`
}

func (d *driver) AddOk(k string) {
	d.Lock()
	defer d.Unlock()
	d.stmts[k] = &conn{}
}

// A request belongs to the goroutine that serves it.
type request struct{ header map[string]string }

func (r *request) Set(k, v string) { r.header[k] = v }

func (r *request) GetOk(k string) string { return r.header[k] }

func serveOk(next func() *request) {
	for {
		r := next()
		go r.Set("served", "yes")
	}
}

// What a handler makes belongs to its request; what its receiver has does not.
type server struct{ hits map[string]int }

func fetch(*http.Request) *request { return &request{header: map[string]string{}} }

func (s *server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	s.hitBad(req.URL.Path)
	serveOneOk(req)
}

func serveOneOk(req *http.Request) {
	r := fetch(req)
	if r.header["served"] == "" {
		r.header["served"] = "yes"
	}
}

func (s *server) hitBad(path string) {
	s.hits[path]++ // want `check-then-act: .*s\.hits`
}

// A watcher works on an object of which another function has a method value.
type watcher struct{ seen map[string]time.Time }

func (w *watcher) NoteBad(k string) {
	if _, ok := w.seen[k]; !ok { // want `check-then-act: .*w\.seen`
		w.seen[k] = time.Now()
	}
}

var subscribers []func(string)

func subscribe(f func(string)) { subscribers = append(subscribers, f) }

func watch(in <-chan string) {
	w := &watcher{seen: make(map[string]time.Time)}
	subscribe(w.NoteBad)
	go func() {
		for k := range in {
			w.NoteBad(k)
		}
	}()
}

// No other goroutine knows this one.
type loner struct{ seen map[string]time.Time }

func (l *loner) NoteOk(k string) {
	if _, ok := l.seen[k]; !ok {
		l.seen[k] = time.Now()
	}
}

func aloneOk(in <-chan string) {
	l := &loner{seen: make(map[string]time.Time)}
	go func() {
		for k := range in {
			l.NoteOk(k)
		}
	}()
}

// A lock of another object that happens to be held is no evidence.
type appender struct{ types map[int]int }

type series struct {
	sync.Mutex
	id int
}

func (a *appender) appendOk(s *series) {
	if a.types[s.id] != 0 {
		return
	}
	s.Lock()
	defer s.Unlock()
	a.types[s.id] = 1
}
