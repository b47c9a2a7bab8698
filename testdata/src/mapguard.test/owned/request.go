package owned

import (
	"fmt"
	"net/http"
)

// base is there once; each request works on a copy with maps of its own.
type base struct {
	name  string
	shown map[string]bool
	stats map[string]int
}

func (b *base) forRequest(host string) *base {
	req := *b
	req.prepare(host)
	return &req
}

func (b *base) prepare(host string) {
	b.name = host
	b.shown = map[string]bool{}
	b.load()
}

func (b *base) load() {
	if b.name == "" {
		b.stats = nil
		return
	}
	b.stats = map[string]int{b.name: 1}
}

func (b *base) serveOk(w http.ResponseWriter, r *http.Request) {
	req := b.forRequest(r.Host)
	if !req.shown[r.URL.Path] {
		req.shown[r.URL.Path] = true
		req.stats[r.URL.Path]++
	}
	fmt.Fprintln(w, req.stats)
}

// half sets a map of its own only for some requests, and reads one before.
type half struct {
	name  string
	shown map[string]bool
	seen  map[string]bool
}

func (h *half) forRequest(host string) *half {
	req := *h
	req.prepare(host)
	return &req
}

func (h *half) prepare(host string) {
	if host != "" {
		h.shown = map[string]bool{}
	}
	h.seen[host] = true // want `goroutine-race: .*seen is written in a goroutine without a lock`
	h.seen = map[string]bool{}
}

func (h *half) serveBad(_ http.ResponseWriter, r *http.Request) {
	req := h.forRequest(r.Host)
	req.shown[r.URL.Path] = true // want `goroutine-race: .*shown is written in a goroutine without a lock`
}

func Serve(b *base, h *half) {
	http.HandleFunc("/a", b.serveOk)
	http.HandleFunc("/b", h.serveBad)
}

// lent gives each request a map that others have.
type lent struct{ shown, all map[string]bool }

func (l *lent) serveBad(_ http.ResponseWriter, r *http.Request) {
	req := *l
	req.prepare()
	req.shown[r.Host] = true // want `goroutine-race: .*shown is written in a goroutine without a lock`
}

func (l *lent) prepare() { l.shown = l.all } // a part of the same finding

// early comes to the shared map before each request has its own.
type early struct{ shown map[string]bool }

func (e *early) serve(_ http.ResponseWriter, r *http.Request) {
	req := *e
	req.prepare(r.Host)
	fmt.Println(req.shown)
}

func (e *early) prepare(host string) {
	e.touch(host)
	e.shown = map[string]bool{} // want `goroutine-race: e\.shown is assigned in a goroutine without a lock`
}

func (e *early) touch(host string) {
	e.shown[host] = true // a part of the same finding
}

// back gives some requests the shared map back.
type back struct{ shown map[string]bool }

func (b *back) serveBad(_ http.ResponseWriter, r *http.Request) {
	req := *b
	req.prepare()
	if r.Host == "" {
		req.share(b)
	}
	req.shown[r.Host] = true // want `goroutine-race: .*shown is written in a goroutine without a lock`
}

func (b *back) prepare() { b.shown = map[string]bool{} }

func (b *back) share(o *back) { b.shown = o.shown } // a part of the same finding

func ServeMore(l *lent, e *early, b *back) {
	http.HandleFunc("/c", l.serveBad)
	http.HandleFunc("/d", e.serve)
	http.HandleFunc("/e", b.serveBad)
}
