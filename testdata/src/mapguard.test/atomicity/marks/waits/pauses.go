package waits

import "sync"

// A wheel pauses between its look and its claim.
type wheel struct {
	mu    sync.Mutex
	free  sync.Cond
	busy  map[string]bool
	bolts map[string]*box
}

// NewWheel makes a wheel.
func NewWheel() *wheel {
	w := &wheel{busy: make(map[string]bool), bolts: make(map[string]*box)}
	w.free.L = &w.mu
	return w
}

func (w *wheel) pause() {
	w.mu.Unlock()
	w.mu.Lock()
}

func (w *wheel) claim(name string) *box {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.busy[name]
	w.pause()
	for ok {
		w.free.Wait()
		_, ok = w.busy[name]
		w.pause()
	}
	if b := w.bolts[name]; b != nil {
		b.users++
		return b
	}
	w.busy[name] = true
	return nil
}

func (w *wheel) show(name string, b *box) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.busy, name)
	w.bolts[name] = b
	w.free.Broadcast()
}

// RollBad goes by a look that is out of date.
func (w *wheel) RollBad(name string, roll func(string) *box) *box {
	if b := w.claim(name); b != nil {
		return b
	}
	b := roll(name)
	w.show(name, b) // want `split-lock: w.bolts is read at line`
	return b
}

// Leave gives a box up.
func (w *wheel) Leave(b *box) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b.users--; b.users == 0 {
		delete(w.bolts, b.name)
	}
}
