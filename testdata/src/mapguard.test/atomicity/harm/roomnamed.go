package harm

import "sync"

// The names of entries that are still to come are in a second map, whose size goes with that of the first.

type Roll struct {
	mu     sync.Mutex
	live   map[string]*cable
	coming map[string]bool
	most   int
}

func NewRoll(most int) *Roll {
	return &Roll{live: map[string]*cable{}, coming: map[string]bool{}, most: most}
}

// Cut takes a cable out.
func (b *Roll) Cut(to string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, to)
}

func (b *Roll) EnrolOk(to string) error {
	b.mu.Lock()
	if b.live[to] != nil || b.coming[to] {
		b.mu.Unlock()
		return nil
	}
	if len(b.live)+len(b.coming) >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming[to] = true
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.coming, to)
	if err != nil {
		return err
	}
	b.live[to] = w
	return nil
}

// The name is taken out before the entry is there.
type Hasty struct {
	mu     sync.Mutex
	live   map[string]*cable
	coming map[string]bool
	most   int
}

func NewHasty(most int) *Hasty {
	return &Hasty{live: map[string]*cable{}, coming: map[string]bool{}, most: most}
}

// Cut takes a cable out.
func (b *Hasty) Cut(to string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, to)
}

func (b *Hasty) EnrolEarlyBad(to string) error {
	b.mu.Lock()
	if b.coming[to] {
		b.mu.Unlock()
		return nil
	}
	if len(b.live)+len(b.coming) >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming[to] = true
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	delete(b.coming, to)
	b.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()

	if err != nil {
		return err
	}
	b.live[to] = w // want `split-lock: b.live is measured`
	return nil
}

// Nothing adds the names to the size.
type Alone struct {
	mu     sync.Mutex
	live   map[string]*cable
	coming map[string]bool
	most   int
}

func NewAlone(most int) *Alone {
	return &Alone{live: map[string]*cable{}, coming: map[string]bool{}, most: most}
}

// Cut takes a cable out.
func (b *Alone) Cut(to string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, to)
}

func (b *Alone) EnrolAloneBad(to string) error {
	b.mu.Lock()
	if b.live[to] != nil || b.coming[to] {
		b.mu.Unlock()
		return nil
	}
	if len(b.live) >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming[to] = true
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.coming, to)
	if err != nil {
		return err
	}
	b.live[to] = w // want `split-lock: b.live is measured`
	return nil
}

// All names are forgotten at times.
type Wiped struct {
	mu     sync.Mutex
	live   map[string]*cable
	coming map[string]bool
	most   int
}

func NewWiped(most int) *Wiped {
	return &Wiped{live: map[string]*cable{}, coming: map[string]bool{}, most: most}
}

// Cut takes a cable out.
func (b *Wiped) Cut(to string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, to)
}

func (b *Wiped) EnrolWipedBad(to string) error {
	b.mu.Lock()
	if b.coming[to] {
		b.mu.Unlock()
		return nil
	}
	if len(b.live)+len(b.coming) >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming[to] = true
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.coming, to)
	if err != nil {
		return err
	}
	b.live[to] = w // want `split-lock: b.live is measured`
	return nil
}

// Wipe forgets who is to come.
func (b *Wiped) Wipe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.coming)
}

// One name stands for all.
type Joint struct {
	mu     sync.Mutex
	live   map[string]*cable
	coming map[string]bool
	most   int
}

func NewJoint(most int) *Joint {
	return &Joint{live: map[string]*cable{}, coming: map[string]bool{}, most: most}
}

// Cut takes a cable out.
func (b *Joint) Cut(to string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.live, to)
}

func (b *Joint) EnrolJointBad(to string) error {
	b.mu.Lock()
	if to == "" {
		b.mu.Unlock()
		return errFull
	}
	if len(b.live)+len(b.coming) >= b.most {
		b.mu.Unlock()
		return errFull
	}
	b.coming["all"] = true
	b.mu.Unlock()
	w, err := layCable(to)
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.coming, "all") // want `split-lock: b.coming is measured`
	if err != nil {
		return err
	}
	b.live[to] = w // want `split-lock: b.live is measured`
	return nil
}
