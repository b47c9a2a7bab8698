package unguarded

import (
	"fmt"
	"log"
	"log/slog"
	"strconv"
	"sync"
)

// A length that is only told, in a message say, may be an old one: nothing is decided by it.
type guests struct {
	mu sync.Mutex
	m  map[string]int
}

func (g *guests) add(k string, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.m[k] = n
}

func (g *guests) drop(k string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.m, k)
}

func (g *guests) has(k string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.m[k]
	return ok
}

func (g *guests) names() (out []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for k := range g.m {
		out = append(out, k)
	}
	return out
}

func (g *guests) of(k string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.m[k]
}

func (g *guests) logOk() { log.Printf("%d guests in %d rooms", len(g.m), 2*len(g.m)) }

func (g *guests) errOk(k string) error { return fmt.Errorf("%s is one of %d", k, len(g.m)) }

func (g *guests) lineOk() { slog.Info("guests", "n", len(g.m), "text", strconv.Itoa(len(g.m))) }

// Where something hangs on the length, an old one may be wrong; but so is one that was measured
// under the lock, once that is released.
type rooms struct {
	mu sync.Mutex // protects m
	m  map[string]int
	n  int
}

func (r *rooms) add(k string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m[k] = n
}

func (r *rooms) drop(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.m, k)
}

func (r *rooms) has(k string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.m[k]
	return ok
}

func (r *rooms) names() (out []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k := range r.m {
		out = append(out, k)
	}
	return out
}

func (r *rooms) of(k string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.m[k]
}

func (r *rooms) free(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.m[k] = 0
}

func (r *rooms) countBad() int { return len(r.m) } // want `unguarded-access: .*r\.m is measured with len without mu.*, low`

func (r *rooms) fullBad() bool {
	n := len(r.m) // want `unguarded-access: .*r\.m is measured with len without mu.*, low`
	log.Print(n)
	return n > 10
}

func (r *rooms) noteBad() {
	n := len(r.m) // want `unguarded-access: .*r\.m is measured with len without mu.*, low`
	log.Print(n)
	r.n = n
}

func (r *rooms) listBad() []int {
	return listed(len(r.m)) // want `unguarded-access: .*r\.m is measured with len without mu.*, low`
}

func (r *rooms) eachBad() {
	log.Print(len(r.m))  // of the finding below
	for k := range r.m { // want `unguarded-access: .*r\.m is ranged over without mu`
		log.Print(k)
	}
}

func listed(n int) []int { return make([]int, n) }
