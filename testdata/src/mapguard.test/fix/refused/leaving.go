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
