package locks

import "sync"

// An object that one branch finds and the other makes and puts there has one lock, in whichever it is taken.

type pupil struct {
	mu    sync.Mutex
	marks map[string]int
}

type school struct {
	mu     sync.Mutex
	pupils map[string]*pupil
}

func (s *school) start() {
	go s.teach("a")
	go s.teach("a")
}

func (s *school) teach(name string) {
	for range 9 {
		s.enterOk(name)
	}
}

func (s *school) enterOk(name string) {
	s.mu.Lock()
	p, ok := s.pupils[name]
	if ok {
		p.mu.Lock()
		defer p.mu.Unlock()
	} else {
		p = &pupil{}
		p.mu.Lock()
		defer p.mu.Unlock()
		s.pupils[name] = p
	}
	s.mu.Unlock()
	if p.marks == nil {
		p.marks = make(map[string]int)
	}
	p.marks[name]++
}

type guest struct {
	mu    sync.Mutex
	marks map[string]int
}

type visitors struct {
	mu     sync.Mutex
	guests map[string]*guest
}

func (v *visitors) start() {
	go v.enterBad("a")
	go v.enterBad("a")
}

// Only who finds the object takes its lock.
func (v *visitors) enterBad(name string) {
	v.mu.Lock()
	g, ok := v.guests[name]
	if ok {
		g.mu.Lock()
		defer g.mu.Unlock()
	} else {
		g = &guest{}
		v.guests[name] = g
	}
	v.mu.Unlock()
	if g.marks == nil { // want `check-then-act: .*marks`
		g.marks = make(map[string]int)
	}
	g.marks[name]++
}

type generation struct {
	mu    sync.Mutex
	items map[string]int
}

type generations struct {
	mu   sync.Mutex
	head *generation
}

func (g *generations) current() *generation {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.head
}

func (g *generations) put(k string) {
	cur := g.current()
	cur.mu.Lock()
	defer cur.mu.Unlock()
	cur.items[k]++
}

// The lock is that of the next object, not of the one of the round before.
func (g *generations) rotateBad(n int) {
	cur := g.current()
	for range n {
		next := &generation{items: make(map[string]int)}
		next.mu.Lock()
		for k, v := range cur.items { // want `unguarded-access: .*items is ranged over without mu`
			next.items[k] = v
		}
		g.mu.Lock()
		g.head = next
		g.mu.Unlock()
		next.mu.Unlock()
		cur = next
	}
}

type layer struct {
	mu    sync.RWMutex
	items map[string]int
	below *layer
}

func (l *layer) readOk(k string) int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.getOk(k, true)
}

func (l *layer) writeOk(k string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.getOk(k, false)
}

// Where it only reads, it goes down by what only reads.
func (l *layer) getOk(k string, read bool) int {
	if v, ok := l.items[k]; ok {
		return v
	}
	if l.below == nil {
		return 0
	}
	if read {
		return l.below.readOk(k)
	}
	v := l.below.writeOk(k)
	l.items[k] = v
	return v
}

func runJoined(l *layer) {
	s := &school{pupils: make(map[string]*pupil)}
	s.start()
	v := &visitors{guests: make(map[string]*guest)}
	v.start()
	g := &generations{head: &generation{items: make(map[string]int)}}
	go g.rotateBad(3)
	go g.put("a")
	go l.readOk("a")
	go l.writeOk("a")
}
