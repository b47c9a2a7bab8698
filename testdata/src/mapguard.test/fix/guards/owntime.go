package guards

import (
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Hops sleeps with its lock held, and runs a program that the code names: neither waits for what another
// goroutine does.
type Hops struct {
	mu   sync.Mutex // protects hops
	hops map[string]int
}

// Settle waits a while for the kernel.
func (r *Hops) Settle(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	time.Sleep(10 * time.Millisecond)
	r.hops[name]++
}

// Flush runs a program.
func (r *Hops) Flush(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.hops, name)
	return exec.Command("ip", "route", "flush", name).Run()
}

// KnownBad forgets the lock.
func (r *Hops) KnownBad(name string) bool {
	return r.hops[name] > 0 // want `unguarded-access: r.hops is read without mu`
}

// Turns lets others run once with its lock held, and counts in a variable that all share: where another one was
// faster, it counts on from there.
type Turns struct {
	mu    sync.Mutex // protects turns
	turns map[string]int
	all   atomic.Int64
}

// Take counts.
func (t *Turns) Take(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	runtime.Gosched()
	t.turns[name]++
	for {
		n := t.all.Load()
		if t.all.CompareAndSwap(n, n+1) {
			return
		}
	}
}

// TakenBad forgets the lock.
func (t *Turns) TakenBad(name string) bool {
	return t.turns[name] > 0 // want `unguarded-access: t.turns is read without mu`
}

// Depths goes down a tree with its lock held.
type Depths struct {
	mu     sync.Mutex // protects depths
	depths map[string]int
}

type tree struct {
	name string
	subs []*tree
}

// Fill counts.
func (d *Depths) Fill(t *tree) {
	d.mu.Lock()
	defer d.mu.Unlock()
	time.Sleep(time.Millisecond)
	d.fill(t, 1)
}

func (d *Depths) fill(t *tree, depth int) {
	d.depths[t.name] = depth
	for _, sub := range t.subs {
		d.fill(sub, depth+1)
	}
}

// DeepBad forgets the lock.
func (d *Depths) DeepBad(name string) bool {
	return d.depths[name] > 0 // want `unguarded-access: d.depths is read without mu`
}
