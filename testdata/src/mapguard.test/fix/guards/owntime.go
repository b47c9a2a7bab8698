package guards

import (
	"os/exec"
	"sync"
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
