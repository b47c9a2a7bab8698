// Package agenda has lists of functions that are run later, under a lock or without one.
package agenda

import "sync"

// A Board has jobs that wait until the board is open, and runs them under its lock.
type Board struct {
	mu    sync.Mutex
	open  bool
	marks map[string]int
	jobs  []func()
}

func (b *Board) later(job func()) { b.jobs = append(b.jobs, job) }

// work runs the jobs that wait, and those that they add.
func (b *Board) work() {
	for len(b.jobs) > 0 {
		jobs := b.jobs
		b.jobs = nil
		for _, job := range jobs {
			if job != nil {
				job()
			}
		}
	}
}

// MarkOk is of the caller's now, or of the jobs' later: both hold the lock.
func (b *Board) MarkOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.open {
		b.mark(k)
		return
	}
	b.later(func() { b.mark(k) })
}

// OnceOk adds a job by itself, which looks and then acts.
func (b *Board) OnceOk(k string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.jobs = append(b.jobs, func() {
		if _, ok := b.marks[k]; !ok {
			b.marks[k] = 1
		}
	})
}

func (b *Board) mark(k string) { b.marks[k]++ }

// Open runs what waits.
func (b *Board) Open() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open = true
	b.work()
}

// Close runs what waits, too.
func (b *Board) Close() {
	b.mu.Lock()
	b.open = false
	b.work()
	b.mu.Unlock()
}

// Count counts.
func (b *Board) Count(k string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.marks[k]
}

// pending are jobs of the package; they are run by a helper that gets them, in two functions.
var (
	pending   = []func(){func() { totals["all"]++ }}
	pendingMu sync.Mutex
	totalsMu  sync.Mutex
	totals    = make(map[string]int)
)

func postpone(job func()) {
	pendingMu.Lock()
	defer pendingMu.Unlock()
	pending = append(pending, job)
}

func runAll(jobs []func()) {
	for i := range jobs {
		jobs[i]()
		jobs[i] = nil
	}
}

// AddOk adds when the totals are next looked at.
func AddOk(k string, n int) {
	postpone(func() {
		if old, ok := totals[k]; ok {
			totals[k] = old + n
		} else {
			totals[k] = n
		}
	})
}

// Total is the total with all that waits.
func Total(k string) int {
	totalsMu.Lock()
	defer totalsMu.Unlock()
	pendingMu.Lock()
	jobs := pending[:len(pending):len(pending)]
	pending = nil
	pendingMu.Unlock()
	runAll(jobs)
	return totals[k]
}

// Reset forgets all, but for what waits.
func Reset() {
	totalsMu.Lock()
	defer totalsMu.Unlock()
	clear(totals)
}

// Move is what others do to two totals.
func Move(from, to string) {
	totalsMu.Lock()
	defer totalsMu.Unlock()
	totals[to] += totals[from]
	delete(totals, from)
}
