package lockstates

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"sync"
)

// What a function of another module gets in a local struct, under a lock, uses it under that lock, unless the struct goes
// elsewhere.

type reel struct{ marks map[string]int }

func (r *reel) Read(b []byte) (int, error) { return len(b), nil }

// CloseOk is there for those who look for it; nothing does.
func (r *reel) CloseOk() error {
	r.marks["closed"] = 1
	return nil
}

// A Player lends its reel.
type Player struct {
	mu   sync.Mutex
	reel *reel
}

// PlayOk reads a part under the lock.
func (p *Player) PlayOk(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	part := io.LimitedReader{R: p.reel, N: 4}
	_, _ = part.Read(b)
	_, _ = part.Read(b)
}

// MarkOk sets a mark.
func (p *Player) MarkOk(k string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.reel.marks[k]
	p.reel.marks[k] = n + 1
	return n
}

// UnmarkOk takes it away.
func (p *Player) UnmarkOk(k string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.reel.marks, k)
}

type spool struct{ marks map[string]int }

func (s *spool) Read(b []byte) (int, error) { return len(b), nil }

func (s *spool) CloseBad() error {
	s.marks["closed"] = 1 // want `unguarded-access: s.marks is written without mu`
	return nil
}

// A Winder lends its spool without the lock once.
type Winder struct {
	mu    sync.Mutex
	spool *spool
}

// PlayOk reads a part under the lock.
func (w *Winder) PlayOk(b []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	part := io.LimitedReader{R: w.spool, N: 4}
	_, _ = part.Read(b)
}

// SkipOk does so without.
func (w *Winder) SkipOk(b []byte) {
	part := io.LimitedReader{R: w.spool, N: 4}
	_, _ = part.Read(b)
}

// MarkOk sets a mark.
func (w *Winder) MarkOk(k string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.spool.marks[k]
	w.spool.marks[k] = n + 1
	return n
}

// UnmarkOk takes it away.
func (w *Winder) UnmarkOk(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.spool.marks, k)
}

type strip struct{ marks map[string]int }

func (s *strip) Read(b []byte) (int, error) { return len(b), nil }

func (s *strip) CloseBad() error {
	s.marks["closed"] = 1 // want `unguarded-access: s.marks is written without mu`
	return nil
}

// A Cutter gives away a reader that has the struct.
type Cutter struct {
	mu    sync.Mutex
	strip *strip
}

// PartOk makes it under the lock; it is used when that is gone.
func (c *Cutter) PartOk() *bufio.Reader {
	c.mu.Lock()
	defer c.mu.Unlock()
	part := io.LimitedReader{R: c.strip, N: 4}
	return bufio.NewReader(&part)
}

// MarkOk sets a mark.
func (c *Cutter) MarkOk(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.strip.marks[k]
	c.strip.marks[k] = n + 1
	return n
}

// UnmarkOk takes it away.
func (c *Cutter) UnmarkOk(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.strip.marks, k)
}

// A program that is only started under the lock writes when that is gone; what a server has runs in its goroutines.

type dub struct {
	mu    sync.Mutex // protects marks
	marks map[string]int
}

func (d *dub) Write(b []byte) (int, error) {
	d.noteBad(string(b))
	return len(b), nil
}

func (d *dub) noteBad(k string) {
	d.marks[k]++ // want `check-then-act: d.marks is read here, then written`
}

func (d *dub) beginOk(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	cmd := exec.Cmd{Path: name, Stdout: d}
	return cmd.Start()
}

func (d *dub) unmarkOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.marks, k)
}

func (d *dub) marksOk(k string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.marks[k]
}

type desk struct {
	mu    sync.Mutex // protects marks
	marks map[string]int
}

func (d *desk) ServeHTTP(_ http.ResponseWriter, r *http.Request) { d.noteBad(r.URL.Path) }

func (d *desk) noteBad(k string) {
	d.marks[k]++ // want `check-then-act: d.marks is read here, then written`
}

func (d *desk) workOk() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	srv := http.Server{Handler: d}
	return srv.ListenAndServe()
}

func (d *desk) unmarkOk(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.marks, k)
}

func (d *desk) marksOk(k string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.marks[k]
}

// DubOk starts one in many goroutines.
func DubOk(name string) {
	d := &dub{marks: map[string]int{}}
	for range 4 {
		go func() {
			_ = d.beginOk(name)
			d.unmarkOk(name)
			d.marksOk(name)
		}()
	}
}

// DeskOk serves.
func DeskOk(name string) {
	d := &desk{marks: map[string]int{}}
	go func() { _ = d.workOk() }()
	for range 4 {
		go func() {
			d.unmarkOk(name)
			d.marksOk(name)
		}()
	}
}
