package refused

import "sync"

type cask struct{ free int }

type twoVaults struct {
	sync.RWMutex // protects casks
	casks        map[string]*cask
}

// The look is in one object, and the insertion in another, each with a lock of its own that is written out.
func (t *twoVaults) moveBad(other *twoVaults, name string) *cask {
	t.RWMutex.RLock()
	if r, ok := t.casks[name]; ok {
		t.RWMutex.RUnlock()
		return r
	}
	t.RWMutex.RUnlock()
	other.RWMutex.Lock()
	other.casks[""] = &cask{}
	other.RWMutex.Unlock()
	t.RWMutex.Lock()
	r := &cask{}
	t.casks[name] = r // want `split-lock: .*`
	t.RWMutex.Unlock()
	return r
}

type clans struct {
	mu    sync.RWMutex // protects casks
	casks map[string]*cask
	found func(string) (*cask, error)
	seen  func(*cask)
}

// What is deferred sees the result, which would be another one behind a second look.
func (c *clans) clanBad(name string) (r *cask, err error) {
	defer func() { c.seen(r) }()
	var ok bool
	c.mu.RLock()
	r, ok = c.casks[name]
	c.mu.RUnlock()
	if ok {
		return r, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r, err = c.found(name)
	if err != nil {
		return nil, err
	}
	c.casks[name] = r // want `split-lock: .*`
	return r, nil
}
