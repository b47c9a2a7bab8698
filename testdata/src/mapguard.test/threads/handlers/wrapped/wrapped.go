// Package main has handlers behind wrappers that take a lock around each call that they pass on: only the wrappers are given to
// the server.
package main

import (
	"net/http"
	"sync"
	"time"
)

type shelf struct {
	mu    sync.Mutex
	books map[string]int
}

func (s *shelf) locker() sync.Locker { return &s.mu }

// locked passes requests on with a lock held.
func locked(l sync.Locker, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.Lock()
		defer l.Unlock()
		h.ServeHTTP(w, r)
	})
}

type lendOk struct{ of *shelf }

func (v *lendOk) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.takeOk(r.URL.Path) }

func (v *lendOk) takeOk(name string) {
	if _, ok := v.of.books[name]; !ok {
		v.of.books[name] = 1
	}
}

// An orderly handler keeps the one that it wraps, and a pointer to the lock.
type orderly struct {
	lock *sync.Mutex
	next http.Handler
}

func (o orderly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.lock.Lock()
	o.next.ServeHTTP(w, r)
	o.lock.Unlock()
}

type sortOk struct{ of *shelf }

func (v *sortOk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if v.of.books[r.URL.Path] == 0 {
		delete(v.of.books, r.URL.Path)
	}
}

// A turnstile has a lock of its own.
type turnstile struct {
	sync.Mutex
	inside http.Handler
}

func (t *turnstile) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t.Lock()
	defer t.Unlock()
	if t.inside != nil {
		t.inside.ServeHTTP(w, r)
	}
}

type countOk struct{ visits map[string]int }

func (v *countOk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if v.visits[r.URL.Path] > 9 {
		delete(v.visits, r.URL.Path)
	}
}

// The handler comes out of a method that only the wrapper's maker calls.
type givenOk struct{ of *shelf }

func (s *shelf) given() http.Handler { return &givenOk{of: s} }

func (v *givenOk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.of.books["given"]; !ok {
		v.of.books["given"] = len(r.URL.Path)
	}
}

// The server has it, too.
type openBad struct{ seen map[string]int }

func (v *openBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.seen[r.URL.Path]; !ok { // want `check-then-act: v.seen is read here`
		v.seen[r.URL.Path] = 1
	}
}

// Two wrappers with a lock each.
type twiceBad struct{ seen map[string]int }

func (v *twiceBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.seen[r.URL.Path]; !ok { // want `check-then-act: v.seen is read here`
		v.seen[r.URL.Path] = 1
	}
}

// A loop wraps it once more in each round.
type roundsBad struct{ seen map[string]int }

func (v *roundsBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.seen[r.URL.Path]; !ok { // want `check-then-act: v.seen is read here`
		v.seen[r.URL.Path] = 1
	}
}

// Each of two objects has a turnstile, and both have one map.
type twinBin struct {
	mu    sync.Mutex
	books map[string]int
}

type twinBad struct{ of *twinBin }

func wrapTwin(s *twinBin) http.Handler { return &turnstile{inside: &twinBad{of: s}} }

func (v *twinBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.of.books["twin"]; !ok { // want `check-then-act: v.of.books is read here`
		v.of.books["twin"] = 1
	}
}

// The wrapper lets go of its lock first.
func hasty(l sync.Locker, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.Lock()
		w.Header().Set("hasty", "yes")
		l.Unlock()
		h.ServeHTTP(w, r)
	})
}

type hastyBin struct {
	mu    sync.Mutex
	books map[string]int
}

type hastyBad struct{ of *hastyBin }

func (v *hastyBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.of.books["hasty"]; !ok { // want `check-then-act: v.of.books is read here`
		v.of.books["hasty"] = 1
	}
}

// The wrapper takes the lock for some requests only.
func choosy(l sync.Locker, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			h.ServeHTTP(w, r)
			return
		}
		l.Lock()
		defer l.Unlock()
		h.ServeHTTP(w, r)
	})
}

type choosyBin struct {
	mu    sync.Mutex
	books map[string]int
}

type choosyBad struct{ of *choosyBin }

func (v *choosyBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.of.books["choosy"]; !ok { // want `check-then-act: v.of.books is read here`
		v.of.books["choosy"] = 1
	}
}

// A goroutine of the wrapper calls it, without the lock.
func aside(l sync.Locker, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.Lock()
		defer l.Unlock()
		go func() { h.ServeHTTP(w, r) }()
	})
}

type asideBin struct {
	mu    sync.Mutex
	books map[string]int
}

type asideBad struct{ of *asideBin }

func (v *asideBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.of.books["aside"]; !ok { // want `check-then-act: v.of.books is read here`
		v.of.books["aside"] = 1
	}
}

// The lock is the read side of one.
type rack struct {
	rw    sync.RWMutex
	coats map[string]int
}

type readBad struct{ of *rack }

func (v *readBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.of.coats[r.URL.Path]; !ok {
		v.of.coats[r.URL.Path] = 1 // want `rlock-write: v.of.coats is written under the read lock of v.of.rw`
	}
}

// What the handler starts comes back without the lock.
type attic struct {
	mu    sync.Mutex
	boxes map[string]int
}

type laterBad struct{ of *attic }

func (v *laterBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go v.tidyBad()
}

func (v *laterBad) tidyBad() {
	if v.of.boxes["old"] > 3 {
		delete(v.of.boxes, "old") // want `goroutine-race: v.of.boxes is deleted in a goroutine without a lock`
	}
}

// A wrapper that lets others by.
type leaky struct {
	lock *sync.Mutex
	past http.Handler
}

func (l *leaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.past.ServeHTTP(w, r)
}

func (l *leaky) bypass(w http.ResponseWriter, r *http.Request) { l.past.ServeHTTP(w, r) }

type leakBin struct {
	mu    sync.Mutex
	books map[string]int
}

type leakBad struct{ of *leakBin }

func (v *leakBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.of.books["leak"]; !ok { // want `check-then-act: v.of.books is read here`
		v.of.books["leak"] = 1
	}
}

// The wrapper picks one of several locks for each request.
type stalls [8]sync.Mutex

func (l *stalls) picked(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu := &l[len(r.RemoteAddr)%len(l)]
		mu.Lock()
		defer mu.Unlock()
		h.ServeHTTP(w, r)
	})
}

type pickedBad struct{ seen map[string]int }

func (v *pickedBad) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if _, ok := v.seen[r.URL.Path]; !ok { // want `check-then-act: v.seen is read here`
		v.seen[r.URL.Path] = 1
	}
}

// A goroutine without the lock starts before the server does, on what a handler behind a wrapper has.
type cellar struct {
	mu    sync.Mutex
	wines map[string]int
}

type pour struct{ of *cellar }

func (v *pour) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.of.wines[r.URL.Path]++ }

func (c *cellar) ageBad() {
	for range time.Tick(time.Hour) {
		delete(c.wines, "young") // want `unguarded-access: c.wines is deleted without mu`
	}
}

// So it does where the handler takes the lock by itself.
type pantry struct {
	mu   sync.Mutex
	jars map[string]int
}

type taste struct{ of *pantry }

func (v *taste) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.of.mu.Lock()
	defer v.of.mu.Unlock()
	v.of.jars[r.URL.Path]++
}

func (p *pantry) spoilBad() {
	for range time.Tick(time.Hour) {
		delete(p.jars, "old") // want `unguarded-access: p.jars is deleted without mu`
	}
}

// And where the handler is a literal.
type cupboard struct {
	mu   sync.Mutex
	cups map[string]int
}

func (c *cupboard) breakBad() {
	for range time.Tick(time.Hour) {
		delete(c.cups, "thin") // want `unguarded-access: c.cups is deleted without mu`
	}
}

// What a goroutine has done before the server starts meets no request.
type larder struct {
	mu   sync.Mutex
	hams map[string]int
}

func (l *larder) hangOk(done chan<- bool) {
	l.hams["first"] = 1
	close(done)
}

// A handler of its own, and the server waits for the goroutine.
type stock struct {
	mu    sync.Mutex
	soups map[string]int
}

type ladle struct{ of *stock }

func (v *ladle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.of.mu.Lock()
	defer v.of.mu.Unlock()
	v.of.soups[r.URL.Path]++
}

func fillOk() {
	s := &stock{soups: make(map[string]int)}
	http.Handle("/ladle", &ladle{of: s})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if _, ok := s.soups["pea"]; !ok {
			s.soups["pea"] = 1
		}
	}()
	wg.Wait()
	http.ListenAndServe(":81", nil)
}

func hang() {
	cured, done := &larder{hams: make(map[string]int)}, make(chan bool)
	http.HandleFunc("/ham", func(w http.ResponseWriter, r *http.Request) {
		cured.mu.Lock()
		defer cured.mu.Unlock()
		cured.hams[r.URL.Path]++
	})
	go cured.hangOk(done)
	<-done
	http.ListenAndServe(":82", nil)
}

func main() {
	first, other := &shelf{books: make(map[string]int)}, &shelf{books: make(map[string]int)}
	http.Handle("/lend", locked(first.locker(), &lendOk{of: first}))
	registerRight(first)
	startAsking([]string{"ann", "bob"})
	http.Handle("/count", &turnstile{inside: &countOk{visits: make(map[string]int)}})

	open := &openBad{seen: make(map[string]int)}
	http.Handle("/open", locked(&first.mu, open))
	http.Handle("/opened", open)
	twice := &twiceBad{seen: make(map[string]int)}
	http.Handle("/twice", locked(&first.mu, twice))
	http.Handle("/second", locked(&other.mu, twice))
	var rounds http.Handler = &roundsBad{seen: make(map[string]int)}
	for _, at := range []string{"/up", "/down"} {
		http.Handle(at, &turnstile{inside: rounds})
	}
	registerWrong()
	stored := &cellar{wines: make(map[string]int)}
	http.Handle("/pour", locked(&stored.mu, &pour{of: stored}))
	go stored.ageBad()
	kept := &pantry{jars: make(map[string]int)}
	http.Handle("/taste", &taste{of: kept})
	go kept.spoilBad()
	fragile := &cupboard{cups: make(map[string]int)}
	http.HandleFunc("/cup", func(w http.ResponseWriter, r *http.Request) {
		fragile.mu.Lock()
		defer fragile.mu.Unlock()
		fragile.cups[r.URL.Path]++
	})
	go fragile.breakBad()
	hang()
	fillOk()
	http.ListenAndServe(":80", nil)
}

func registerRight(s *shelf) {
	http.Handle("/hush", hushed{&hushOk{of: s}, &s.mu})
	spoken := &halfBin{books: make(map[string]int)}
	half := halfHushed{&talkBad{of: spoken}, &spoken.mu}
	http.Handle("/half", half)
	go half.Talk("ann")
	http.Handle("/sort", orderly{&s.mu, &sortOk{of: s}})
	http.Handle("/given", locked(&s.mu, s.given()))
}

func registerWrong() {
	twins := &twinBin{books: make(map[string]int)}
	http.Handle("/left", wrapTwin(twins))
	http.Handle("/right", wrapTwin(twins))
	early := &hastyBin{books: make(map[string]int)}
	http.Handle("/hasty", hasty(&early.mu, &hastyBad{of: early}))
	some := &choosyBin{books: make(map[string]int)}
	http.Handle("/choosy", choosy(&some.mu, &choosyBad{of: some}))
	beside := &asideBin{books: make(map[string]int)}
	http.Handle("/aside", aside(&beside.mu, &asideBad{of: beside}))
	hall := &rack{coats: make(map[string]int)}
	http.Handle("/read", locked(hall.rw.RLocker(), &readBad{of: hall}))
	tidied := &attic{boxes: make(map[string]int)}
	http.Handle("/later", locked(&tidied.mu, &laterBad{of: tidied}))
	known := &leakBin{books: make(map[string]int)}
	http.Handle("/picked", new(stalls).picked(&pickedBad{seen: make(map[string]int)}))
	leak := &leaky{&known.mu, &leakBad{of: known}}
	http.Handle("/leak", leak)
	http.HandleFunc("/bypass", leak.bypass)
}
