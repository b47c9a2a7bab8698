package testsupport12

import "sync"

// Types that by their names stand in for others.

type mockDriver struct {
	mu   sync.Mutex
	seen map[string]int
}

func (d *mockDriver) Add(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen[k]++
}

func (d *mockDriver) Drop(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.seen, k)
}

func (d *mockDriver) GetOk(k string) int { return d.seen[k] }

type mockingbird struct {
	mu   sync.Mutex
	seen map[string]int
}

func (b *mockingbird) Add(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen[k]++
}

func (b *mockingbird) Drop(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.seen, k)
}

func (b *mockingbird) GetBad(k string) int { return b.seen[k] } // want `unguarded-access: b\.seen`

// Fake addresses are given out in production.
type fakePool struct {
	mu   sync.Mutex
	seen map[string]int
}

func (p *fakePool) Add(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[k]++
}

func (p *fakePool) Drop(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.seen, k)
}

func (p *fakePool) GetBad(k string) int { return p.seen[k] } // want `unguarded-access: p\.seen`
