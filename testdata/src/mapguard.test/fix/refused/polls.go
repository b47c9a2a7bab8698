package refused

import (
	"io"
	"os/exec"
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
