package accepted

import "sync"

// An operation on a key is claimed before the look, and one at a time has the claim.

type operations struct {
	mu   sync.Mutex
	busy map[string]struct{}
}

func (o *operations) tryAcquire(k string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.busy[k]; ok {
		return false
	}
	o.busy[k] = struct{}{}
	return true
}

func (o *operations) release(k string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.busy, k)
}

type disk struct{ path string }

type disks struct {
	ops *operations
	mu  sync.RWMutex
	all map[string]*disk
}

func (d *disks) createOk(k string) (*disk, error) {
	if !d.ops.tryAcquire(k) {
		return nil, errBusy
	}
	defer d.ops.release(k)
	d.mu.RLock()
	v, ok := d.all[k]
	d.mu.RUnlock()
	if ok {
		return v, nil
	}
	v = &disk{path: "/" + k}
	d.mu.Lock()
	d.all[k] = v
	d.mu.Unlock()
	return v, nil
}

type sharedDisks struct {
	ops sync.Map
	mu  sync.RWMutex
	all map[string]*disk
}

func (d *sharedDisks) createOk(k string) (*disk, error) {
	if _, busy := d.ops.LoadOrStore(k, struct{}{}); busy {
		return nil, errBusy
	}
	defer d.ops.Delete(k)
	d.mu.RLock()
	v, ok := d.all[k]
	d.mu.RUnlock()
	if ok {
		return v, nil
	}
	v = &disk{path: "/" + k}
	d.mu.Lock()
	d.all[k] = v
	d.mu.Unlock()
	return v, nil
}

type heedlessDisks struct {
	ops *operations
	mu  sync.RWMutex
	all map[string]*disk
}

// Who finds the claim goes on.
func (d *heedlessDisks) createBad(k string) *disk {
	if d.ops.tryAcquire(k) {
		defer d.ops.release(k)
	}
	d.mu.RLock()
	v, ok := d.all[k]
	d.mu.RUnlock()
	if ok {
		return v
	}
	v = &disk{path: "/" + k}
	d.mu.Lock()
	d.all[k] = v // want `split-lock: .*high`
	d.mu.Unlock()
	return v
}

type otherDisks struct {
	ops *operations
	mu  sync.RWMutex
	all map[string]*disk
}

// The claim is on another key.
func (d *otherDisks) createBad(owner, k string) (*disk, error) {
	if !d.ops.tryAcquire(owner) {
		return nil, errBusy
	}
	defer d.ops.release(owner)
	d.mu.RLock()
	v, ok := d.all[k]
	d.mu.RUnlock()
	if ok {
		return v, nil
	}
	v = &disk{path: "/" + k}
	d.mu.Lock()
	d.all[k] = v // want `split-lock: .*high`
	d.mu.Unlock()
	return v, nil
}

type earlyDisks struct {
	ops *operations
	mu  sync.RWMutex
	all map[string]*disk
}

// The claim is given up before the act.
func (d *earlyDisks) createBad(k string) (*disk, error) {
	if !d.ops.tryAcquire(k) {
		return nil, errBusy
	}
	d.mu.RLock()
	v, ok := d.all[k]
	d.mu.RUnlock()
	d.ops.release(k)
	if ok {
		return v, nil
	}
	v = &disk{path: "/" + k}
	d.mu.Lock()
	d.all[k] = v // want `split-lock: .*high`
	d.mu.Unlock()
	return v, nil
}

type importedDisks struct {
	ops *operations
	mu  sync.RWMutex
	all map[string]*disk
}

func (d *importedDisks) createBad(k string) (*disk, error) {
	if !d.ops.tryAcquire(k) {
		return nil, errBusy
	}
	defer d.ops.release(k)
	d.mu.RLock()
	v, ok := d.all[k]
	d.mu.RUnlock()
	if ok {
		return v, nil
	}
	v = &disk{path: "/" + k}
	d.mu.Lock()
	d.all[k] = v // want `split-lock: .*high`
	d.mu.Unlock()
	return v, nil
}

// Another function puts entries in without a claim.
func (d *importedDisks) restore(k, path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all[k] = &disk{path: path}
}
