package unguarded

import (
	"sync"

	"k8s.io/apimachinery/pkg/util/sets"
)

// The methods of a set of another module are what they do to the map.
type routes struct {
	mu    sync.Mutex
	known sets.Set[string]
	stale sets.Set[string]
}

func (r *routes) addOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known.Insert(k)
	r.stale.Delete(k)
}

func (r *routes) dropOk(k string) {
	r.mu.Lock()
	r.known.Delete(k)
	r.stale.Insert(k)
	r.mu.Unlock()
}

func (r *routes) hasBad(k string) bool {
	return r.known.Has(k) // want `unguarded-access: r\.known is read without mu`
}

func (r *routes) listBad() []string {
	return r.known.UnsortedList() // want `unguarded-access: r\.known is ranged over without mu`
}

func (r *routes) resetBad(k string) {
	r.stale.Delete(k) // want `unguarded-access: r\.stale is deleted without mu`
}

func (r *routes) claimBad(k string) bool {
	r.mu.Lock()
	has := r.known.Has(k)
	r.mu.Unlock()
	if has {
		return false
	}
	r.mu.Lock()
	r.known.Insert(k) // want `split-lock: r\.known is read at line \d+ and written here`
	r.mu.Unlock()
	return true
}

func (r *routes) claimOk(k string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known.Has(k) {
		return false
	}
	r.known.Insert(k)
	return true
}

func (r *routes) copiedOk() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known.UnsortedList()
}
