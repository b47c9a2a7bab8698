package waits

import "sync"

// A mill has claims that go with what is made under them: who ends it drops the claim, which panics where there is none.
type mill struct {
	mu    sync.Mutex
	free  sync.Cond
	busy  map[string]bool
	done  map[string]*box
	going map[string]bool
	flour map[string]*box
}

// NewMill makes a mill.
func NewMill() *mill {
	m := &mill{busy: make(map[string]bool), done: make(map[string]*box), going: make(map[string]bool), flour: make(map[string]*box)}
	m.free.L = &m.mu
	return m
}

func (m *mill) claim(name string) *box {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.busy[name] {
		m.free.Wait()
	}
	if b := m.done[name]; b != nil {
		return b
	}
	m.busy[name] = true
	return nil
}

func (m *mill) drop(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.busy[name] {
		panic("not claimed: " + name)
	}
	delete(m.busy, name)
	m.free.Broadcast()
}

func (m *mill) keep(name string, b *box) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.busy)
	delete(m.busy, name)
	if n == len(m.busy) {
		panic("not claimed: " + name)
	}
	m.done[name] = b
	m.free.Broadcast()
}

func (m *mill) grindOk(name string, whole bool) *box {
	if b := m.claim(name); b != nil {
		return b
	}
	b := &box{name: name, whole: whole}
	if whole {
		m.keep(name, b)
	}
	return b
}

func (m *mill) end(b *box) {
	if !b.whole {
		m.drop(b.name)
	}
}

// Run grinds what comes.
func (m *mill) Run(names chan string) {
	for range 4 {
		go func() {
			for name := range names {
				b := m.grindOk(name, len(name) > 3)
				go m.end(b)
			}
		}()
	}
}

func (m *mill) take(name string) *box {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.going[name] {
		m.free.Wait()
	}
	if b := m.flour[name]; b != nil {
		return b
	}
	m.going[name] = true
	return nil
}

// giveUp drops the claim of any one.
func (m *mill) giveUp(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.going, name)
	m.free.Broadcast()
}

func (m *mill) store(name string, b *box) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.going, name)
	m.flour[name] = b
}

func (m *mill) mixBad(name string) *box {
	if b := m.take(name); b != nil {
		return b
	}
	b := &box{name: name}
	m.store(name, b) // want `split-lock: m.flour is read at line`
	return b
}

// Mix mixes what comes, and gives up what is called off.
func (m *mill) Mix(names, off chan string) {
	for range 4 {
		go func() {
			for name := range names {
				m.mixBad(name)
			}
		}()
	}
	go func() {
		for name := range off {
			m.giveUp(name)
		}
	}()
}
