package harm

import (
	"runtime"
	"sync"
)

// Callers learn whether they got it, however the function says so.
type desks struct {
	mu   sync.RWMutex
	free map[string]string
}

func (d *desks) vacate(k string) { d.mu.Lock(); defer d.mu.Unlock(); delete(d.free, k) }

func (d *desks) taken(k string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	_, ok := d.free[k]
	return ok
}

// One return gives what the paths have chosen.
func (d *desks) takeOneReturnBad(k, who string) bool {
	var mine bool
	d.mu.RLock()
	_, ok := d.free[k]
	d.mu.RUnlock()
	if ok {
		mine = false
	} else {
		d.mu.Lock()
		d.free[k] = who // want `split-lock: .*high`
		d.mu.Unlock()
		mine = true
	}
	return mine
}

func (d *desks) takeNamedBad(k, who string) (mine bool) {
	defer runtime.Gosched()
	if d.taken(k) {
		return
	}
	d.mu.Lock()
	d.free[k] = who // want `split-lock: .*high`
	d.mu.Unlock()
	mine = true
	return
}

// Both paths say the same: the first desk is as good as the last.
func (d *desks) noteOk(k, who string) bool {
	done := true
	if !d.taken(k) {
		d.mu.Lock()
		d.free[k] = who
		d.mu.Unlock()
		done = true
	}
	return done
}

func (d *desks) withLock(do func()) { d.mu.Lock(); defer d.mu.Unlock(); do() }

func (d *desks) takeInRunnerBad(k, who string) bool {
	if d.taken(k) {
		return false
	}
	mine := false
	d.withLock(func() {
		d.free[k] = who // want `split-lock: .*high`
		mine = true
	})
	return mine
}

func locked[T any](l sync.Locker, do func() T) T { l.Lock(); defer l.Unlock(); return do() }

func (d *desks) takeInGenericRunnerBad(k, who string) bool {
	if d.taken(k) {
		return false
	}
	return locked(&d.mu, func() bool {
		d.free[k] = who // want `split-lock: .*high`
		return true
	})
}

func (d *desks) takeInGenericRunnerOk(k, who string) bool {
	return locked(&d.mu, func() bool {
		if _, ok := d.free[k]; ok {
			return false
		}
		d.free[k] = who
		return true
	})
}

// The act runs in a loop that gets the lock, or for each of several keys.
func (d *desks) takeSpinningBad(k, who string) bool {
	if d.taken(k) {
		return false
	}
	for !d.mu.TryLock() {
		runtime.Gosched()
	}
	d.free[k] = who // want `split-lock: .*high`
	d.mu.Unlock()
	return true
}

func (d *desks) takeRowBad(k string, row []string) bool {
	if d.taken(k) {
		return false
	}
	d.mu.Lock()
	for _, who := range row {
		d.free[k] = who // want `split-lock: .*high`
	}
	d.mu.Unlock()
	return true
}

// What was found is asked for through a function, a flag or a count.
func missing(found bool) bool { return !found }

func (d *desks) takePredicateBad(k, who string) bool {
	if missing(d.taken(k)) {
		d.mu.Lock()
		d.free[k] = who // want `split-lock: .*high`
		d.mu.Unlock()
		return true
	}
	return false
}

func (d *desks) takeFlagBad(k, who string) bool {
	todo := 0
	if !d.taken(k) {
		todo++
	}
	if todo > 0 {
		d.mu.Lock()
		d.free[k] = who // want `split-lock: .*high`
		d.mu.Unlock()
		return true
	}
	return false
}

// A walk looks for one key.
func (d *desks) takeWalkBad(k, who string) bool {
	d.mu.RLock()
	found := false
	for key := range d.free {
		if key == k {
			found = true
		}
	}
	d.mu.RUnlock()
	if found {
		return false
	}
	d.mu.Lock()
	d.free[k] = who // want `split-lock: .*high`
	d.mu.Unlock()
	return true
}

func (d *desks) walked(k string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for key := range d.free {
		if key != k {
			continue
		}
		return true
	}
	return false
}

func (d *desks) takeWalkedBad(k, who string) bool {
	if d.walked(k) {
		return false
	}
	d.mu.Lock()
	d.free[k] = who // want `split-lock: .*high`
	d.mu.Unlock()
	return true
}

func (d *desks) takeWalkOk(k, who string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key := range d.free {
		if key == k {
			return false
		}
	}
	d.free[k] = who
	return true
}
