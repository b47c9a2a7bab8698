package paths

import "sync"

type base struct {
	mu sync.Mutex
	// guarded by mu
	items map[string]*conn
}

// A derived reaches the map through an embedded struct.
type derived struct{ base }

// A byPointer reaches it through an embedded pointer.
type byPointer struct{ *base }

// A deep reaches it through two levels.
type deep struct{ derived }

func (d *derived) promotedBad(k string) {
	if d.items[k] == nil { // want `check-then-act: .*items`
		d.items[k] = &conn{}
	}
}

func (d *derived) promotedOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.items[k] == nil {
		d.items[k] = &conn{}
	}
}

func (d *derived) promotedOneWayLockedOtherOk(k string) {
	d.base.mu.Lock()
	defer d.base.mu.Unlock()
	if d.items[k] == nil {
		d.base.items[k] = &conn{}
	}
}

func (b *byPointer) promotedPointerBad(k string) {
	if b.items[k] == nil { // want `check-then-act: .*items`
		b.items[k] = &conn{}
	}
}

func (b *byPointer) promotedPointerOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.items[k] == nil {
		b.items[k] = &conn{}
	}
}

func (d *deep) twoLevelsBad(k string) {
	if d.items[k] == nil { // want `check-then-act: .*items`
		d.items[k] = &conn{}
	}
}

func (d *deep) twoLevelsOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.items[k] == nil {
		d.items[k] = &conn{}
	}
}
