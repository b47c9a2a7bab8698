package waits

import "sync"

// A loom has claims that are dropped where they are asked for: who drops one that there is not panics.
type loom struct {
	mu     sync.Mutex
	free   sync.Cond
	busy   map[string]bool
	cloths map[string]*box
}

// NewLoom makes a loom.
func NewLoom() *loom {
	l := &loom{busy: make(map[string]bool), cloths: make(map[string]*box)}
	l.free.L = &l.mu
	return l
}

func (l *loom) claim(name string) *box {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ok := l.busy[name]; ok; _, ok = l.busy[name] {
		l.free.Wait()
	}
	if b := l.cloths[name]; b != nil {
		b.users++
		return b
	}
	l.busy[name] = true
	return nil
}

func (l *loom) leave(b *box) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b.users--; b.users == 0 {
		delete(l.cloths, b.name)
	}
}

func (l *loom) drop(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.busy[name] {
		panic("not claimed: " + name)
	}
	delete(l.busy, name)
	l.free.Broadcast()
}

func (l *loom) put(name string, b *box) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cloths[name] = b
}

// WeaveBad has a goroutine drop the claim while it goes on.
func (l *loom) WeaveBad(name string, weave func(string) *box) *box {
	if b := l.claim(name); b != nil {
		return b
	}
	b := weave(name)
	go func() { l.drop(name) }()
	l.put(name, b) // want `split-lock: l.cloths is read at line`
	return b
}

// A spindle has a goroutine that ends claims by what goes with them.
type spindle struct {
	mu     sync.Mutex
	free   sync.Cond
	busy   map[string]bool
	yarns  map[string]*box
	queue  chan *box
	whirls map[string]bool
	reels  map[string]*box
	turns  map[string]bool
	coils  map[string]*box
}

// NewSpindle makes a spindle.
func NewSpindle() *spindle {
	s := &spindle{busy: make(map[string]bool), yarns: make(map[string]*box), queue: make(chan *box), whirls: make(map[string]bool), reels: make(map[string]*box)}
	s.turns, s.coils = make(map[string]bool), make(map[string]*box)
	s.free.L = &s.mu
	return s
}

func (s *spindle) claim(name string) *box {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ok := s.busy[name]; ok; _, ok = s.busy[name] {
		s.free.Wait()
	}
	if b := s.yarns[name]; b != nil {
		b.users++
		return b
	}
	s.busy[name] = true
	return nil
}

func (s *spindle) drop(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.busy[name] {
		panic("not claimed: " + name)
	}
	delete(s.busy, name)
	s.free.Broadcast()
}

func (s *spindle) put(name string, b *box) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.yarns[name] = b
}

// SpinBad has the claim ended by who gets the box, before it is there.
func (s *spindle) SpinBad(name string, spin func(string) *box) *box {
	if b := s.claim(name); b != nil {
		return b
	}
	b := spin(name)
	s.queue <- b
	s.put(name, b) // want `split-lock: s.yarns is read at line`
	return b
}

// Run ends what is queued.
func (s *spindle) Run() {
	go func() {
		for b := range s.queue {
			s.drop(b.name)
		}
	}()
}

func (s *spindle) whirl(name string) *box {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ok := s.whirls[name]; ok; _, ok = s.whirls[name] {
		s.free.Wait()
	}
	if b := s.reels[name]; b != nil {
		b.users++
		return b
	}
	s.whirls[name] = true
	return nil
}

func (s *spindle) stop(b *box) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.whirls)
	delete(s.whirls, b.name)
	if len(s.whirls) == n {
		panic("not claimed: " + b.name)
	}
	s.free.Broadcast()
}

func (s *spindle) reel(name string, b *box) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reels[name] = b
}

// ReelBad has a goroutine end the claim of a box while it goes on with it.
func (s *spindle) ReelBad(name string, spin func(string) *box) *box {
	if b := s.whirl(name); b != nil {
		return b
	}
	b := spin(name)
	go s.stop(b)
	s.reel(name, b) // want `split-lock: s.reels is read at line`
	return b
}

func (s *spindle) turn(name string) *box {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ok := s.turns[name]; ok; _, ok = s.turns[name] {
		s.free.Wait()
	}
	if b := s.coils[name]; b != nil {
		b.users++
		return b
	}
	s.turns[name] = true
	return nil
}

// CoilBad ends its claim, and so does who tries it.
func (s *spindle) CoilBad(name string, spin func(string) *box) *box {
	if b := s.turn(name); b != nil {
		return b
	}
	b := spin(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.turns, name)
	s.coils[name] = b // want `split-lock: s.coils is read at line`
	return b
}

// TryEnd ends the claim of any one, if there is one.
func (s *spindle) TryEnd(name string) {
	defer func() { recover() }()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.turns[name] {
		panic("not claimed: " + name)
	}
	delete(s.turns, name)
	s.free.Broadcast()
}

// Leave gives a box up.
func (s *spindle) Leave(b *box) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.users--; b.users == 0 {
		delete(s.yarns, b.name)
		delete(s.reels, b.name)
		delete(s.coils, b.name)
	}
}
