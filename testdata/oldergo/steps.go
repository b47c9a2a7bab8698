// Package oldergo is of a time in which a sync.Map had no CompareAndSwap.
package oldergo

import (
	"net/http"
	"sync"
)

type tally struct{ counts sync.Map }

func (t *tally) addBad(name string) {
	v, ok := t.counts.Load(name)
	if !ok {
		v = 0
	}
	// hand `^hold a mutex countsMu from each look`
	t.counts.Store(name, v.(int)+1) // want `sync-map: .*hold a mutex across both`
}

func (t *tally) firstBad(name string) int {
	if v, ok := t.counts.Load(name); ok {
		return v.(int)
	}
	n := len(name)
	t.counts.Store(name, n) // want `sync-map: .*use LoadOrStore`
	return n
}

// Serve does.
func Serve(t *tally) {
	http.HandleFunc("/", func(_ http.ResponseWriter, r *http.Request) { t.addBad(r.URL.Path); t.firstBad(r.URL.Path) })
}
