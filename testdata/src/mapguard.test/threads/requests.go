package threads

import (
	"encoding/json"
	"net/http"
	"sync"
	"time"
)

// Each request starts a goroutine of its own, and all of them work on one map.
type pages struct {
	mu   sync.Mutex
	seen map[string]bool
	hits map[string]int
	late map[string]int
	done map[string]int
	once map[string]int
	tick map[string]int
	own  map[string]map[string]int

	started bool
}

func (p *pages) countBad(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		return
	}
	k := r.URL.Path
	go func() {
		p.hits[k]++ // want `goroutine-race: p\.hits is written in a goroutine`
	}()
}

func (p *pages) decode(w http.ResponseWriter, r *http.Request) {
	var name string
	if err := json.NewDecoder(r.Body).Decode(&name); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p.laterBad(name)
}

func (p *pages) laterBad(name string) {
	go func() {
		p.late[name]++ // want `goroutine-race: p\.late is written in a goroutine`
	}()
}

// The goroutine holds the lock.
func (p *pages) lockedOk(w http.ResponseWriter, r *http.Request) {
	k := r.URL.Path
	go func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done[k]++
	}()
}

// One request starts it, and the others find that.
func (p *pages) startedOk(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started {
		return
	}
	p.started = true
	k := r.URL.Path
	go func() {
		for range 3 {
			p.once[k]++
		}
	}()
}

// What goes on is taken to be there once.
func (p *pages) ticksOk(w http.ResponseWriter, r *http.Request) { go p.ticks() }

func (p *pages) ticks() {
	for {
		time.Sleep(time.Second)
		p.tick["all"]++
	}
}

// The map is the request's own.
func (p *pages) ownOk(w http.ResponseWriter, r *http.Request) {
	own := map[string]int{}
	done := make(chan bool)
	go func() {
		own[r.URL.Path]++
		close(done)
	}()
	<-done
}

// A literal that another function runs starts one, too.
func (p *pages) runBad(w http.ResponseWriter, r *http.Request) {
	k := r.URL.Path
	p.locked(func() {
		go func() {
			if !p.seen[k] {
				p.seen[k] = true // want `goroutine-race: p\.seen is written in a goroutine`
			}
		}()
	})
}

func (p *pages) locked(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
}

func servePages() {
	p := &pages{
		seen: map[string]bool{}, hits: map[string]int{}, late: map[string]int{}, done: map[string]int{},
		once: map[string]int{}, tick: map[string]int{}, own: map[string]map[string]int{},
	}
	http.HandleFunc("/count", p.countBad)
	http.HandleFunc("/decode", p.decode)
	http.HandleFunc("/locked", p.lockedOk)
	http.HandleFunc("/started", p.startedOk)
	http.HandleFunc("/ticks", p.ticksOk)
	http.HandleFunc("/own", p.ownOk)
	http.HandleFunc("/run", p.runBad)
}

// One goroutine is started, whichever request comes first.
var (
	indexOnce sync.Once
	index     = map[string]int{}
)

func indexOk(w http.ResponseWriter, r *http.Request) { indexOnce.Do(startIndex) }

func startIndex() { go fillIndex("a") }

func fillIndex(k string) {
	if _, ok := index[k]; !ok {
		index[k] = 1
	}
}

func serveIndex() { http.HandleFunc("/index", indexOk) }

// There is room for one goroutine, which the next request waits for.
func (p *pages) roomOk(w http.ResponseWriter, r *http.Request) {
	room <- struct{}{}
	go func() {
		defer func() { <-room }()
		fillNames("a")
	}()
}

var (
	room      = make(chan struct{}, 1)
	roomNames = map[string]int{}
)

func fillNames(k string) {
	if _, ok := roomNames[k]; !ok {
		roomNames[k] = 1
	}
}

func serveRoom(p *pages) { http.HandleFunc("/room", p.roomOk) }
