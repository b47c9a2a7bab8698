package unguarded

import "sync"

// There is one switchboard in the program, whichever name it goes by.
type switchboard struct {
	mu    sync.Mutex
	lines map[string]int
}

var theBoard = &switchboard{lines: make(map[string]int)}

func (s *switchboard) dropOk(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lines, k)
}

func (s *switchboard) lineOk(k string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := theBoard.lines[k]
	if !ok {
		n = len(theBoard.lines)
		theBoard.lines[k] = n
	}
	return n
}

func (s *switchboard) firstBad() int {
	return theBoard.lines["first"] // want `unguarded-access: theBoard\.lines`
}

// There are as many of these as anyone asks for.
type extension struct {
	mu    sync.Mutex
	lines map[string]int
}

var mainExtension = newExtension()

func newExtension() *extension { return &extension{lines: make(map[string]int)} }

func (e *extension) drop(k string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.lines, k)
}

func (e *extension) add(k string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.lines[k]++
}

func (e *extension) lineBad(k string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return mainExtension.lines[k] // want `unguarded-access: mainExtension\.lines`
}
