package copies

import "sync"

// A Line is one that can be told to hurry.
type Line struct {
	mu    sync.Mutex
	speed int
	wake  chan struct{}
}

func (l *Line) hurry() {
	l.mu.Lock()
	l.speed++
	l.mu.Unlock()
	l.wake <- struct{}{}
}

// A Board has lines, and is safe for concurrent use.
type Board struct {
	mu    sync.Mutex
	lines map[string]*Line // protected by mu
}

// Add adds a line.
func (b *Board) Add(name string, l *Line) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines[name] = l
}

// Drop takes a line out.
func (b *Board) Drop(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.lines, name)
}

// HurryBad waits for each of the lines, after the section that has read the map.
func (b *Board) HurryBad() {
	b.mu.Lock()
	lines := b.lines
	b.mu.Unlock()
	for _, l := range lines { // want `unguarded-access: .*`
		l.hurry()
	}
}

// TradeBad reads the map under the lock of another board: that section is no place for the copy.
func (b *Board) TradeBad(other *Board) {
	other.mu.Lock()
	lines := b.lines
	other.mu.Unlock()
	for _, l := range lines { // want `unguarded-access: .*`
		l.hurry()
	}
}
