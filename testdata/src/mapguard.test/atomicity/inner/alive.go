package inner

import "sync"

// References that are taken under the outer lock keep the entry alive.

type file struct {
	refs int // guarded by files.mu
	mu   sync.Mutex
	data []byte
}

type files struct {
	mu sync.Mutex
	m  map[string]*file
}

func (f *files) acquire(name string) *file {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := f.m[name]
	if in == nil {
		in = &file{}
		f.m[name] = in
	}
	in.refs++
	return in
}

func (f *files) release(name string, in *file) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if in.refs--; in.refs == 0 {
		delete(f.m, name)
	}
}

func (f *files) writeOk(name string, p []byte) {
	in := f.acquire(name)
	defer f.release(name, in)
	in.mu.Lock()
	defer in.mu.Unlock()
	in.data = append(in.data, p...)
}

// The reference is taken under the outer lock, in the same function.
func (f *files) writeInlineOk(name string, p []byte) {
	f.mu.Lock()
	in := f.m[name]
	if in == nil {
		f.mu.Unlock()
		return
	}
	in.refs++
	f.mu.Unlock()
	in.mu.Lock()
	in.data = append(in.data, p...)
	in.mu.Unlock()
	f.release(name, in)
}

// No container: an attribute of what has gone is no loss.

type session struct {
	mu   sync.Mutex
	user string
	hits int
}

type sessions struct {
	mu sync.Mutex
	m  map[string]*session
}

func (s *sessions) renameOk(id, user string) {
	s.mu.Lock()
	in := s.m[id]
	s.mu.Unlock()
	if in == nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.user = user
	in.hits++
}

func (s *sessions) Logout(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.m, id)
}

// What was deleted is this goroutine's: no other goroutine finds it any more.

func (b *buckets) takeOk(k string) int {
	b.mu.Lock()
	in := b.m[k]
	delete(b.m, k)
	b.mu.Unlock()
	if in == nil {
		return 0
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.removed = true
	clear(in.items)
	return 1
}

// A flag by another name; states are flags, too.

type stream struct {
	mu     sync.Mutex
	closed bool
	frames []string
}

type mux struct {
	mu      sync.Mutex
	streams map[int]*stream
}

func (m *mux) get(id int) *stream { m.mu.Lock(); defer m.mu.Unlock(); return m.streams[id] }

func (m *mux) pushOk(id int, frame string) bool {
	s := m.get(id)
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.frames = append(s.frames, frame)
	return true
}

func (m *mux) pushBad(id int, frame string) {
	s := m.get(id)
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, frame) // want `split-lock:.*, low`
}

func (m *mux) closeOk(id int) []string {
	m.mu.Lock()
	s := m.streams[id]
	delete(m.streams, id)
	m.mu.Unlock()
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return s.frames
}

// Nil says closed.
type outbox struct {
	mu   sync.Mutex
	mail map[string]string // nil when closed
}

type office struct {
	mu    sync.Mutex
	boxes map[string]*outbox
}

func (o *office) postOk(k, id, text string) bool {
	o.mu.Lock()
	b := o.boxes[k]
	o.mu.Unlock()
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mail == nil {
		return false
	}
	b.mail[id] = text
	return true
}

func (o *office) closeOk(k string) {
	o.mu.Lock()
	b := o.boxes[k]
	delete(o.boxes, k)
	o.mu.Unlock()
	if b != nil {
		b.mu.Lock()
		b.mail = nil
		b.mu.Unlock()
	}
}

// The entry that was made here, before it is put into the map.
func (m *mux) openOk(id int, hello string) {
	s := &stream{}
	s.frames = append(s.frames, hello)
	m.mu.Lock()
	m.streams[id] = s
	m.mu.Unlock()
}

// The method belongs to the entry, not to the map: its caller has one.
func (s *stream) writeOk(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames = append(s.frames, frame)
}

// A count that decides on tidying up is no flag that the object has ended: what comes into a
// board that is out of date is lost with it, as what came before.
type board struct {
	mu    sync.Mutex
	votes map[string]int
	used  int
	born  int
}

func (b *board) vote(who string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.votes) > 2*b.used {
		b.votes = make(map[string]int)
	}
	if b.used < 100 {
		b.votes[who] = n
	}
}

func (b *board) add(who string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.votes[who] = 1
}

type boards struct {
	mu sync.Mutex
	of map[string]*board
}

func (s *boards) get(k string) *board { s.mu.Lock(); defer s.mu.Unlock(); return s.of[k] }

func (s *boards) voteOk(k, who string) {
	if b := s.get(k); b != nil {
		b.vote(who, 2)
	}
}

func (s *boards) addBad(k, who string) {
	if b := s.get(k); b != nil {
		b.add(who) // want `split-lock: .*, low`
	}
}

func (s *boards) expireOk(before int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k, b := range s.of {
		if b.born < before {
			delete(s.of, k)
		}
	}
}
