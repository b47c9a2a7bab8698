package initialisation

import (
	"net"
	"sync"
)

// Routes are added before the switch is thrown, as it is documented, and refused from then on: others most likely look later.

// A Switch connects.
type Switch struct {
	mu    sync.Mutex // guards following
	on    bool
	lines map[string]func(net.Conn)
}

// NewSwitch returns one without lines.
func NewSwitch() *Switch { return &Switch{lines: make(map[string]func(net.Conn))} }

// Add adds a line. It must be called before Serve.
func (s *Switch) Add(name string, f func(net.Conn)) { s.add(name, f) }

func (s *Switch) add(name string, f func(net.Conn)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.on {
		panic("added too late")
	}
	s.lines[name] = f
}

// Serve serves.
func (s *Switch) Serve(in <-chan net.Conn) {
	s.mu.Lock()
	s.on = true
	s.mu.Unlock()
	for c := range in {
		go s.lineBad(c)
	}
}

// One serves one connection.
func (s *Switch) One(c net.Conn) { go s.lineBad(c) }

func (s *Switch) lineBad(c net.Conn) {
	if f := s.lines["a"]; f != nil { // want `unguarded-access: s\.lines is read without mu.*, low`
		f(c)
	}
}

// NamesBad tells what there is.
func (s *Switch) NamesBad() (out []string) {
	for name := range s.lines { // want `unguarded-access: s\.lines is ranged over without mu.*, low`
		out = append(out, name)
	}
	return out
}

// Where who makes the object starts a goroutine, that is there when lines are added.

// A Watched is a switch that is watched.
type Watched struct {
	mu    sync.Mutex // guards following
	on    bool
	lines map[string]func(net.Conn)
}

// NewWatched returns one without lines.
func NewWatched() *Watched {
	w := &Watched{lines: make(map[string]func(net.Conn))}
	w.watch()
	return w
}

func (w *Watched) watch() { go w.countBad() }

func (w *Watched) countBad() {
	for name := range w.lines { // want `unguarded-access: w\.lines is ranged over without mu`
		println(name)
	}
}

// Add adds a line. It must be called before Serve.
func (w *Watched) Add(name string, f func(net.Conn)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on {
		panic("added too late")
	}
	w.lines[name] = f
}

// Serve serves.
func (w *Watched) Serve() {
	w.mu.Lock()
	w.on = true
	w.mu.Unlock()
}

// What only says so, and refuses nothing, may be called later.

// A Loose is a switch that refuses nothing.
type Loose struct {
	mu    sync.Mutex // guards following
	on    bool
	lines map[string]func(net.Conn)
}

// Add adds a line. It must be called before Serve.
func (l *Loose) Add(name string, f func(net.Conn)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines[name] = f
}

// Serve serves.
func (l *Loose) Serve() {
	l.mu.Lock()
	l.on = true
	l.mu.Unlock()
}

// NamesBad tells what there is.
func (l *Loose) NamesBad() (out []string) {
	for name := range l.lines { // want `unguarded-access: l\.lines is ranged over without mu`
		out = append(out, name)
	}
	return out
}

// Without the statement, the flag is that of an end: entries come while others look.

// A Closing is a table that is closed some day.
type Closing struct {
	mu     sync.Mutex // guards following
	closed bool
	lines  map[string]func(net.Conn)
}

// Add adds a line.
func (l *Closing) Add(name string, f func(net.Conn)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.lines[name] = f
}

// Close closes it.
func (l *Closing) Close() {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	go l.endOk()
}

func (l *Closing) endOk() {
	for name := range l.lines {
		println(name)
	}
}

// NamesBad tells what there is.
func (l *Closing) NamesBad() (out []string) {
	for name := range l.lines { // want `unguarded-access: l\.lines is ranged over without mu`
		out = append(out, name)
	}
	return out
}
