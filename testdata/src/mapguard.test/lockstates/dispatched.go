package lockstates

import "sync"

// A helper gets the lock of an object by a method of an interface. Here one type has it.
type latched interface{ latch() sync.Locker }

type larder struct {
	door  sync.Mutex
	items map[string]int
}

type hatchway struct{ in *larder }

func (d hatchway) latch() sync.Locker { return &d.in.door }

func (c *larder) Put(name string, n int) {
	c.door.Lock()
	c.items[name] = n
	c.door.Unlock()
}

func latchedDo(l latched, do func()) {
	door := l.latch()
	door.Lock()
	defer door.Unlock()
	do()
}

// TakeLatchedOk runs under the lock that the method gives.
func (d hatchway) TakeLatchedOk(name string) {
	latchedDo(d, func() {
		if d.in.items[name] > 0 {
			delete(d.in.items, name)
		}
	})
}

// TakeFromBad runs under the lock of another larder.
func (d hatchway) TakeFromBad(c *larder, name string) {
	latchedDo(d, func() {
		if c.items[name] > 0 { // want `check-then-act: c\.items.*, low`
			delete(c.items, name)
		}
	})
}

// Here each of several types gives a lock of its own.
type sealable interface{ seal() sync.Locker }

type jar struct {
	lid  sync.Mutex
	jams map[string]int
}

func (j *jar) seal() sync.Locker { return &j.lid }

type cask struct {
	bung  sync.Mutex
	wines map[string]int
}

func (c *cask) seal() sync.Locker { return &c.bung }

// A keg has the method by the cask in it.
type keg struct {
	cask
	label string
}

func (j *jar) Fill(name string) {
	j.lid.Lock()
	defer j.lid.Unlock()
	j.jams[name]++
}

func (c *cask) Pour(name string) {
	c.bung.Lock()
	defer c.bung.Unlock()
	c.wines[name]++
}

func sealed(s sealable, do func()) {
	s.seal().Lock()
	defer s.seal().Unlock()
	do()
}

func shutSeal(s sealable) { s.seal().Lock() }

func openSeal(s sealable) { s.seal().Unlock() }

// sealedOn hands on what it gets.
func sealedOn(s sealable, do func()) { sealed(s, do) }

// EmptySealedOk is under the lock of the jar.
func (j *jar) EmptySealedOk(name string) {
	sealed(j, func() {
		if j.jams[name] == 0 {
			delete(j.jams, name)
		}
	})
}

// EmptyCaskOk takes it by one helper, and lets it go by another.
func (c *cask) EmptyCaskOk(name string) {
	shutSeal(c)
	defer openSeal(c)
	if c.wines[name] == 0 {
		delete(c.wines, name)
	}
}

// EmptyKegOk comes to the lock of the cask in it.
func (k *keg) EmptyKegOk(name string) {
	sealedOn(k, func() {
		if k.wines[name] == 0 {
			delete(k.wines, name)
		}
	})
}

// EmptyOtherBad is under the lock of one cask, and comes to another.
func (c *cask) EmptyOtherBad(from *cask, name string) {
	sealed(c, func() {
		if from.wines[name] == 0 { // want `unguarded-access: from\.wines`
			delete(from.wines, name)
		}
	})
}

// Here one of them gives a new lock each time.
type tieable interface{ tie() sync.Locker }

type sack struct {
	knot  sync.Mutex
	beans map[string]int
}

func (s *sack) tie() sync.Locker { return new(sync.Mutex) }

func (s *sack) Add(name string) {
	s.knot.Lock()
	defer s.knot.Unlock()
	s.beans[name]++
}

func tied(t tieable, do func()) {
	t.tie().Lock()
	defer t.tie().Unlock()
	do()
}

// EmptyTiedBad has a lock that no one else has.
func (s *sack) EmptyTiedBad(name string) {
	tied(s, func() {
		if s.beans[name] == 0 { // want `unguarded-access: s\.beans`
			delete(s.beans, name)
		}
	})
}
