package initialisation

import (
	"net/http"
	"sync"
)

// A map that a start-up method has just made may be known to others before its first entry is put in.

// The lock is taken to give the object its map, so others have the object, and find the map when it is released.
type desk struct {
	mu    sync.Mutex
	lines map[string]int
}

func (d *desk) InitializeDeskBad(owner string) {
	d.mu.Lock()
	d.lines = make(map[string]int)
	d.mu.Unlock()
	d.lines[owner] = 1 // want `unguarded-access: d\.lines`
}

func (d *desk) plug(who string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines[who]++
}

func (d *desk) Pull(who string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.lines, who)
}

// The object is listed where others find it.
type booth struct {
	mu    sync.Mutex
	lines map[string]int
}

var (
	boothsMu sync.Mutex
	booths   = map[string]*booth{}
)

func eachBooth(who string) {
	boothsMu.Lock()
	defer boothsMu.Unlock()
	for _, b := range booths {
		b.plug(who)
		b.pull(who)
	}
}

func (b *booth) SetupBoothBad(owner string) {
	b.lines = make(map[string]int)
	boothsMu.Lock()
	booths[owner] = b
	boothsMu.Unlock()
	b.lines[owner] = 1 // want `unguarded-access: b\.lines`
}

func (b *booth) plug(who string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines[who]++
}

func (b *booth) pull(who string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.lines, who)
}

// What it calls starts a goroutine.
type kiosk struct {
	mu    sync.Mutex
	lines map[string]int
}

func (k *kiosk) InitializeKioskBad(owner string) {
	k.lines = make(map[string]int)
	k.run(owner)
	k.lines[owner] = 1 // want `unguarded-access: k\.lines`
}

func (k *kiosk) run(owner string) { go k.plug(owner) }

func (k *kiosk) plug(who string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.lines[who]++
}

func (k *kiosk) Pull(who string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.lines, who)
}

// A request starts it, while others are there.
type Match struct {
	mu    sync.Mutex
	lines map[string]int
}

type matchServer struct{ match *Match }

func (s *matchServer) handleStart(_ http.ResponseWriter, r *http.Request) {
	s.match.InitializeBad(r.URL.Path)
}

func (s *matchServer) handleJoin(_ http.ResponseWriter, r *http.Request) { s.match.Join(r.URL.Path) }

func (s *matchServer) handleAll(http.ResponseWriter, *http.Request) { println(s.match.All()) }

func ServeMatch() error {
	s := &matchServer{match: &Match{lines: map[string]int{}}}
	mux := http.NewServeMux()
	mux.HandleFunc("/start", s.handleStart)
	mux.HandleFunc("/join", s.handleJoin)
	mux.HandleFunc("/all", s.handleAll)
	return http.ListenAndServe(":80", mux)
}

func (m *Match) InitializeBad(owner string) {
	m.lines = make(map[string]int)
	m.lines[owner] = 1 // want `unguarded-access: m\.lines`
}

func (m *Match) Join(who string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lines[who]++
}

func (m *Match) Leave(who string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.lines, who)
}

func (m *Match) All() (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for range m.lines {
		n++
	}
	return n
}
