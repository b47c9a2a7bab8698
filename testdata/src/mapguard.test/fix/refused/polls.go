package refused

import (
	"io"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Drains polls with its lock held for what other goroutines do.
type Drains struct {
	mu    sync.Mutex // protects depth
	depth map[string]int
	empty atomic.Bool
}

// Wait polls.
func (d *Drains) Wait(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.empty.Load() {
		time.Sleep(time.Millisecond)
	}
	d.depth[name]++
}

// DeepBad forgets the lock.
func (d *Drains) DeepBad(name string) bool {
	return d.depth[name] > 0 // want `unguarded-access: .*`
}

// Hooks runs a program that its user names, with the lock held: it may come back.
type Hooks struct {
	mu   sync.Mutex // protects runs
	runs map[string]int
}

// Run runs one.
func (h *Hooks) Run(name string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.runs[name]++
	return exec.Command(name).Run()
}

// RanBad forgets the lock.
func (h *Hooks) RanBad(name string) bool {
	return h.runs[name] > 0 // want `unguarded-access: .*`
}

// Pipes runs a program that reads what this one writes.
type Pipes struct {
	mu   sync.Mutex // protects sent
	sent map[string]int
}

// Send sends what it reads.
func (p *Pipes) Send(name string, from io.Reader) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent[name]++
	cmd := exec.Command("cat")
	cmd.Stdin = from
	return cmd.Run()
}

// SentBad forgets the lock.
func (p *Pipes) SentBad(name string) bool {
	return p.sent[name] > 0 // want `unguarded-access: .*`
}

// Naps polls by a function of its own, which sleeps.
type Naps struct {
	mu   sync.Mutex // protects left
	left map[string]int
	open atomic.Int32
}

func nap() { time.Sleep(time.Millisecond) }

// Wait polls.
func (n *Naps) Wait(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for n.open.Load() > 0 {
		nap()
	}
	delete(n.left, name)
}

// DoneBad forgets the lock.
func (n *Naps) DoneBad(name string) {
	n.left[name]-- // want `check-then-act: .*`
	n.open.Add(-1)
}

// Shells runs a program that runs what it is given: it may come back.
type Shells struct {
	mu  sync.Mutex // protects ran
	ran map[string]int
}

// Run runs a script.
func (s *Shells) Run(script string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran[script]++
	return exec.Command("/bin/sh", "-c", script).Run()
}

// RanBad forgets the lock.
func (s *Shells) RanBad(script string) bool {
	return s.ran[script] > 0 // want `unguarded-access: .*`
}

// Quits polls by calling itself again.
type Quits struct {
	mu   sync.Mutex // protects left
	left map[string]int
	busy atomic.Int32
}

// Reset polls.
func (q *Quits) Reset() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.quiet()
	clear(q.left)
}

func (q *Quits) quiet() {
	if q.busy.Load() == 0 {
		return
	}
	time.Sleep(time.Millisecond)
	q.quiet()
}

// DoneBad forgets the lock.
func (q *Quits) DoneBad(name string) {
	q.left[name]-- // want `check-then-act: .*`
	q.busy.Add(-1)
}

// Tries polls by a function that calls itself again, and sleeps in another one.
type Tries struct {
	mu   sync.Mutex // protects left
	left map[string]int
	busy atomic.Int32
}

// Reset polls.
func (t *Tries) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	untilDone(func() bool { return t.busy.Load() == 0 })
	clear(t.left)
}

func untilDone(done func() bool) {
	if !done() {
		nap()
		untilDone(done)
	}
}

// DoneBad forgets the lock.
func (t *Tries) DoneBad(name string) {
	t.left[name]-- // want `check-then-act: .*`
	t.busy.Add(-1)
}

// Yields polls, and lets others run meanwhile.
type Yields struct {
	mu   sync.Mutex // protects left
	left map[string]int
	busy atomic.Int32
}

// Reset polls.
func (y *Yields) Reset() {
	y.mu.Lock()
	defer y.mu.Unlock()
	for y.busy.Load() > 0 {
		runtime.Gosched()
	}
	clear(y.left)
}

// DoneBad forgets the lock.
func (y *Yields) DoneBad(name string) {
	y.left[name]-- // want `check-then-act: .*`
	y.busy.Add(-1)
}

// Spins polls, and does nothing else.
type Spins struct {
	mu   sync.Mutex // protects left
	left map[string]int
	busy atomic.Int32
}

// Reset polls an atomic variable.
func (s *Spins) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.busy.Load() > 0 {
	}
	clear(s.left)
}

// DoneBad forgets the lock.
func (s *Spins) DoneBad(name string) {
	s.left[name]-- // want `check-then-act: .*`
	s.busy.Add(-1)
}

// Asks polls under another lock.
type Asks struct {
	mu   sync.Mutex // protects left
	left map[string]int
	own  sync.Mutex
	n    int // guarded by own
}

// Reset polls.
func (a *Asks) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		a.own.Lock()
		none := a.n == 0
		a.own.Unlock()
		if none {
			break
		}
	}
	clear(a.left)
}

// DoneBad forgets the lock.
func (a *Asks) DoneBad(name string) {
	a.left[name]-- // want `check-then-act: .*`
	a.own.Lock()
	a.n--
	a.own.Unlock()
}

// Binds tries a number of times, with the lock held, to bind what another goroutine may let go.
type Binds struct {
	mu    sync.Mutex // protects bound
	bound map[string]io.Closer
	bind  func(string) (io.Closer, error)
}

// Bind binds an address.
func (b *Binds) Bind(addr string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	attempts := 0
again:
	l, err := b.bind(addr)
	if err != nil {
		attempts++
		if attempts < 60 {
			time.Sleep(time.Second)
			goto again
		}
		return err
	}
	b.bound[addr] = l
	return nil
}

// FreeBad lets one go, without the lock: with it, that would come too late.
func (b *Binds) FreeBad(addr string) error {
	return b.bound[addr].Close() // want `unguarded-access: .*`
}
