package locks

import "sync"

// named has a lock for each name, and one for the map of them.
type named struct {
	locks  map[string]*sync.Mutex
	create sync.Mutex
}

var allNamed = &named{locks: make(map[string]*sync.Mutex)}

// ofBad looks twice. What it gives is no lock for the map.
func ofBad(name string) *sync.Mutex {
	l, ok := allNamed.locks[name] // want `allNamed.locks is read without create`
	if !ok {
		allNamed.create.Lock()
		defer allNamed.create.Unlock()
		if l, ok = allNamed.locks[name]; !ok {
			l = new(sync.Mutex)
			allNamed.locks[name] = l
		}
	}
	return l
}

// TakeNamedOk takes the lock of a name.
func TakeNamedOk(name string) { ofBad(name).Lock() }

// LeaveNamedOk lets go of it.
func LeaveNamedOk(name string) { ofBad(name).Unlock() }

// heldNamed has a map whose own lock is held for it.
type heldNamed struct {
	locks  map[string]*sync.Mutex
	create sync.Mutex
}

var allHeld = &heldNamed{locks: make(map[string]*sync.Mutex)}

func ofOk(name string) *sync.Mutex {
	allHeld.create.Lock()
	defer allHeld.create.Unlock()
	l, ok := allHeld.locks[name]
	if !ok {
		l = new(sync.Mutex)
		allHeld.locks[name] = l
	}
	return l
}

// TakeHeldOk takes the lock of a name.
func TakeHeldOk(name string) { ofOk(name).Lock() }

// LeaveHeldOk lets go of it.
func LeaveHeldOk(name string) { ofOk(name).Unlock() }
