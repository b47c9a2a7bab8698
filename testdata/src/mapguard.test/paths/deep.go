package paths

import "sync"

// A path that is too long to be followed starts anew at the object where it is
// cut: its map and its lock stay those of one object.

type deepOwner struct {
	mu   sync.Mutex
	sets deepSets
}

type deepSets struct{ m map[string]int }

type deepEntry struct{ owner *deepOwner }

type deepList struct{ list []*deepEntry }

type deepIndex struct{ byName map[string]deepList }

type deepRoot struct{ index deepIndex }

func (o *deepOwner) Put(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.sets.m[k]++
}

func (o *deepOwner) Drop(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.sets.m, k)
}

func (r *deepRoot) deepOk(name, k string) {
	for _, e := range r.index.byName[name].list {
		o := e.owner
		o.mu.Lock()
		o.sets.m[k]++
		o.mu.Unlock()
	}
}

func (r *deepRoot) deepBad(name, k string) {
	for _, e := range r.index.byName[name].list {
		o := e.owner
		o.mu.Lock()
		o.mu.Unlock()
		o.sets.m[k] = 1 // want `unguarded-access: .*m.*, low`
	}
}

type nilTested struct {
	mu sync.Mutex
	m  map[string]int // guarded by mu
}

func (n *nilTested) Reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.m = map[string]int{}
	n.m["a"] = 1
}

// What was read under the lock is compared without it: that touches nothing.
func (n *nilTested) nilOfWhatWasReadOk() bool {
	n.mu.Lock()
	m := n.m
	n.mu.Unlock()
	return m == nil
}

func (n *nilTested) nilBad() bool {
	return n.m == nil // want `unguarded-access: .*m .*, low`
}
