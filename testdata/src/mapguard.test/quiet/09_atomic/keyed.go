package atomic

import (
	"sync"

	"github.com/moby/locker"
)

// A library's lock for each key covers look and act for the entry of the key.

type held struct{ uses int }

type byName struct {
	names *locker.Locker
	mu    sync.RWMutex
	refs  map[string]*held
}

func (b *byName) GetOk(drive, name string) (*held, func()) {
	key := name
	if drive != "" {
		key = drive + name
	}
	b.names.Lock(key)
	defer b.names.Unlock(key)
	b.mu.RLock()
	ref, ok := b.refs[key]
	b.mu.RUnlock()
	if !ok {
		ref = &held{}
		b.mu.Lock()
		b.refs[key] = ref
		b.mu.Unlock()
	}
	ref.uses++
	return ref, func() {
		b.names.Lock(key)
		defer b.names.Unlock(key)
		if ref.uses--; ref.uses == 0 {
			b.mu.Lock()
			delete(b.refs, key)
			b.mu.Unlock()
		}
	}
}

// The lock of another key does not.
type byOther struct {
	names *locker.Locker
	mu    sync.RWMutex
	refs  map[string]*held
}

func (b *byOther) GetBad(drive, name string) *held {
	b.names.Lock(drive)
	defer b.names.Unlock(drive)
	b.mu.RLock()
	ref, ok := b.refs[name]
	b.mu.RUnlock()
	if !ok {
		ref = &held{}
		b.mu.Lock()
		b.refs[name] = ref // want `split-lock: `
		b.mu.Unlock()
	}
	return ref
}

// Nor does one that has been let go.
type bySteps struct {
	names *locker.Locker
	mu    sync.RWMutex
	refs  map[string]*held
}

func (b *bySteps) GetBad(name string) *held {
	b.names.Lock(name)
	b.mu.RLock()
	ref, ok := b.refs[name]
	b.mu.RUnlock()
	b.names.Unlock(name)
	if !ok {
		ref = &held{}
		b.names.Lock(name)
		b.mu.Lock()
		b.refs[name] = ref // want `split-lock: `
		b.mu.Unlock()
		b.names.Unlock(name)
	}
	return ref
}
