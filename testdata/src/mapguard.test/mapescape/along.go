package mapescape

import "sync"

// A snapshot of a reader has the reader's map and its mutex.
type reader struct {
	mu   *sync.Mutex
	seen map[string]int // guarded by mu
}

type scan struct{ reader }

func (r *reader) mark(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen[k]++
}

// scanOk shares both.
func (r *reader) scanOk() *scan {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &scan{reader{mu: r.mu, seen: r.seen}}
}

// scanBad shares the map, and has a mutex of its own.
func (r *reader) scanBad() *scan {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &scan{reader{mu: new(sync.Mutex), seen: r.seen}} // want `map-escape: r\.seen`
}

// A stock has an order of its map, which is used under the stock's mutex.
type stock struct {
	mu    sync.Mutex
	goods map[string]int // guarded by mu
	order *order
	queue *queue
}

type order struct {
	goods map[string]int
	names []string
}

func (s *stock) sortOk() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goods = make(map[string]int)
	s.order = newOrder(s.goods)
}

func newOrder(goods map[string]int) *order {
	o := &order{goods: goods}
	for k := range goods {
		o.names = append(o.names, k)
	}
	return o
}

func (s *stock) First() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.order.first()
}

func (s *stock) Put(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goods[k]++
}

func (o *order) first() int { return o.goods[o.names[0]] }

// One use of the map by its other name does without the mutex.
type queue struct{ goods map[string]int }

func (s *stock) queueBad() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = newQueue(s.goods) // want `map-escape: s\.goods`
}

func newQueue(goods map[string]int) *queue { return &queue{goods: goods} }

func (s *stock) Head(k string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.goods[k]
}

func (s *stock) Tail(k string) int { return s.queue.goods[k] }

// A lock of the package protects the maps of all objects.
var cachesMu sync.Mutex

type caches struct {
	kept  map[string]int
	scope string
}

func (c *caches) copyOk(scope string) *caches {
	cachesMu.Lock()
	defer cachesMu.Unlock()
	return &caches{kept: c.kept, scope: scope}
}

func (c *caches) addOk(k string) {
	cachesMu.Lock()
	defer cachesMu.Unlock()
	c.kept[k]++
}

func (c *caches) dropOk(k string) {
	cachesMu.Lock()
	defer cachesMu.Unlock()
	delete(c.kept, k)
}
