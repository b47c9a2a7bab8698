package threads

import "sync"

// A lock that only goroutines take which end before their starter returns keeps these
// apart, and tells nothing of callers.
type loader struct {
	mu   sync.Mutex
	rows map[int]string
}

func (l *loader) LoadOk(ids []int) {
	for _, id := range ids {
		if l.rows[id] == "" {
			l.rows[id] = "cached"
		}
	}
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() { l.fetch(id) })
	}
	wg.Wait()
}

func (l *loader) fetch(id int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows[id] = "row"
}

func (l *loader) RowOk(id int) string { return l.rows[id] }

// Where a caller takes it, too, callers are concurrent.
type server struct {
	mu   sync.Mutex
	rows map[int]string
}

func (s *server) Load(ids []int) {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() { s.fetch(id) })
	}
	wg.Wait()
}

func (s *server) fetch(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[id] = "row"
}

func (s *server) Drop(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.rows, id)
}

func (s *server) RowBad(id int) string {
	return s.rows[id] // want `unguarded-access: .*s\.rows is read without mu`
}

// Where the goroutines run on, they meet what comes after.
type prefetcher struct {
	mu   sync.Mutex
	rows map[int]string
}

func (p *prefetcher) Load(ids []int) {
	for _, id := range ids {
		go p.fetch(id)
	}
}

func (p *prefetcher) fetch(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows[id] = "row"
}

func (p *prefetcher) RowBad(id int) string {
	return p.rows[id] // want `unguarded-access: .*p\.rows is read without mu`
}

// What the starter does while they run meets them.
type counter struct {
	mu   sync.Mutex
	rows map[int]string
}

func (c *counter) LoadBad(ids []int) string {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() { c.fetch(id) })
	}
	first := c.rows[0] // want `unguarded-access: .*c\.rows is read without mu`
	wg.Wait()
	return first
}

func (c *counter) fetch(id int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rows[id] = "row"
}

// A helper that the goroutines and their starter share takes it for them; so does what the
// starter calls, while nothing else runs.
type planner struct {
	mu   sync.Mutex
	rows map[int]string
}

func (p *planner) plan(ids []int) {
	var wg sync.WaitGroup
	for _, id := range ids {
		wg.Go(func() { p.put(id) })
	}
	wg.Wait()
	p.put(0)
	p.settle()
}

func (p *planner) put(id int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows[id] = "row"
}

func (p *planner) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.rows {
		p.rows[id] = "settled"
	}
}

func (p *planner) RowOk(id int) string { return p.rows[id] }
