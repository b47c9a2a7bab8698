package helpers

import "sync"

// A race that arises in a helper is told there, once: its callers' own two steps are
// another matter.

type shelfItem struct{ name string }

type tallied struct {
	// mu protects items.
	mu    sync.RWMutex
	items map[string]*shelfItem
}

func (t *tallied) listBad() []*shelfItem {
	var out []*shelfItem
	for _, it := range t.items { // want `unguarded-access: t\.items is ranged over without mu`
		out = append(out, it)
	}
	return out
}

func (t *tallied) put(it *shelfItem) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.items[it.name] = it
}

func (t *tallied) remove(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.items, name)
}

func (t *tallied) RenewOk() {
	for _, it := range t.listBad() {
		t.put(&shelfItem{it.name + "'"})
	}
}

func (t *tallied) DropOk(prefix string) {
	for _, it := range t.listBad() {
		if it.name[:1] == prefix {
			t.remove(it.name)
		}
	}
}

// A helper that measures without the lock, and reads with it, gives no number away.

func (t *tallied) lockedListOk() []*shelfItem {
	if len(t.items) == 0 {
		return nil
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	var out []*shelfItem
	for _, it := range t.items {
		out = append(out, it)
	}
	return out
}

func (t *tallied) RenewLockedOk() {
	for _, it := range t.lockedListOk() {
		t.put(&shelfItem{it.name + "'"})
	}
}

func (t *tallied) DropLockedOk(prefix string) {
	for _, it := range t.lockedListOk() {
		if it.name[:1] == prefix {
			t.remove(it.name)
		}
	}
}

// Here the helper gives the number away on which the caller decides.

type limited struct {
	// mu protects items.
	mu    sync.RWMutex
	items map[string]*shelfItem
}

func (l *limited) count() int { return len(l.items) }

func (l *limited) put(it *shelfItem) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items[it.name] = it
}

func (l *limited) AddBad(name string) bool {
	if l.count() >= 5 { // want `check-then-act: l\.items is measured with len here`
		return false
	}
	l.put(&shelfItem{name})
	return true
}
