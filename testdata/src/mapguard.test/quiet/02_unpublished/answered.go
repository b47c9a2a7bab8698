package unpublished

import "sync"

// What the method of an interface gives beside an error may be made for each call, whatever
// lock the type says that it has.

type baggage struct {
	mu    sync.Mutex
	items map[string]string // guarded by mu
}

func (b *baggage) Put(k, v string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items[k] = v
}

func (b *baggage) Get(k string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.items[k]
}

type carrier interface {
	Extract(from string) (*baggage, error)
}

func collectOk(from []carrier, header string) map[string]string {
	out := make(map[string]string)
	for _, c := range from {
		b, err := c.Extract(header)
		if err != nil {
			continue
		}
		if b.items == nil {
			b.items = make(map[string]string)
		}
		for k, v := range b.items {
			out[k] = v
		}
	}
	return out
}

// The one that is kept is known to all.
type station struct{ left *baggage }

func (s *station) collectBad(header string) string {
	return s.left.items[header] // want `unguarded-access: s\.left\.items is read without mu`
}
