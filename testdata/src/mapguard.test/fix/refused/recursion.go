package refused

import "sync"

// A branch has a lock for its twigs, as each of them has.
type branch struct {
	mu    sync.Mutex
	twigs map[string]*branch // guarded by mu
}

func (b *branch) grow(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.twigs[name] = &branch{twigs: map[string]*branch{}}
}

func (b *branch) fell(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.twigs, name)
}

// It runs itself between look and act, so that one section of both would never end.
func (b *branch) WeighBad(path []string) int {
	if len(path) == 0 {
		return 0
	}
	n := 0
	if _, ok := b.twigs[path[0]]; ok { // want `check-then-act: .*`
		n = b.WeighBad(path[1:])
		delete(b.twigs, path[0])
	}
	return n
}
