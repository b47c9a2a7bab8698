package checkthenact

import "sync"

var stock = make(map[string]int)

// A depot has its map from the start, each.
type depot struct {
	mu sync.Mutex // protects goods
	// goods is the stock of all.
	goods map[string]int
}

func newDepot() *depot { return &depot{goods: stock} }

// The map is there: what would make it never runs.
func (d *depot) addOk(k string) {
	if d.goods == nil {
		d.mu.Lock()
		d.goods = make(map[string]int)
		d.mu.Unlock()
	}
	d.mu.Lock()
	d.goods[k]++
	d.mu.Unlock()
}

// A store gets its map when it is first needed.
type barn struct {
	mu    sync.Mutex // protects goods
	goods map[string]int
}

func newBarn() *barn { return &barn{} }

func (b *barn) addBad(k string) {
	if b.goods == nil { // want `check-then-act: .*b\.goods`
		b.mu.Lock()
		b.goods = make(map[string]int)
		b.mu.Unlock()
	}
	b.mu.Lock()
	b.goods[k]++
	b.mu.Unlock()
}

// A shed may be emptied.
type shed struct {
	mu    sync.Mutex // protects goods
	goods map[string]int
}

func newShed() *shed { return &shed{goods: make(map[string]int)} }

func (s *shed) emptyOk() {
	s.mu.Lock()
	s.goods = nil
	s.mu.Unlock()
}

func (s *shed) addBad(k string) {
	if s.goods == nil { // want `check-then-act: .*s\.goods`
		s.mu.Lock()
		s.goods = make(map[string]int)
		s.mu.Unlock()
	}
	s.mu.Lock()
	s.goods[k]++
	s.mu.Unlock()
}
