package ownkey

import (
	"crypto/rand"
	"net"
	"sync"
	"sync/atomic"
)

// A counted counts its sessions: each goroutine has a number of its own.
type counted struct {
	mu    sync.RWMutex
	bytes map[int64]int
	last  atomic.Int64
}

func Counted(l net.Listener) *counted {
	s := &counted{bytes: map[int64]int{}}
	for {
		c, err := l.Accept()
		if err != nil {
			return s
		}
		n := s.last.Add(1)
		go s.run(n, c)
	}
}

func (s *counted) run(n int64, c net.Conn) {
	defer s.drop(n)
	b := make([]byte, 8)
	for {
		k, err := c.Read(b)
		if err != nil {
			return
		}
		s.addOk(n, k)
	}
}

func (s *counted) addOk(n int64, k int) {
	s.mu.RLock()
	was := s.bytes[n]
	s.mu.RUnlock()
	s.mu.Lock()
	s.bytes[n] = was + k
	s.mu.Unlock()
}

func (s *counted) drop(n int64) {
	s.mu.Lock()
	delete(s.bytes, n)
	s.mu.Unlock()
}

func (s *counted) TotalOk() (sum int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, k := range s.bytes {
		sum += k
	}
	return sum
}

// The number comes from a helper that counts under the lock; a literal runs the session.
type ticketed struct {
	mu    sync.Mutex
	bytes map[int]*state
	last  int
}

func Ticketed(l net.Listener) {
	s := &ticketed{bytes: map[int]*state{}}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		n := s.ticket()
		go func() {
			defer c.Close()
			s.touchOk(n)
		}()
	}
}

func (s *ticketed) ticket() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	return s.last
}

func (s *ticketed) touchOk(n int) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{}
		s.mu.Unlock()
	}
}

// The number is drawn where the goroutine is started, before it is counted up.
type inlined struct {
	mu    sync.Mutex
	bytes map[int]*state
	next  int
}

func (s *inlined) serve(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		s.mu.Lock()
		n := s.next
		s.next += 2
		s.mu.Unlock()
		go s.touchOk(n)
	}
}

func (s *inlined) touchOk(n int) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{}
		s.mu.Unlock()
	}
}

// Inlined serves.
func Inlined(l net.Listener) { (&inlined{bytes: map[int]*state{}}).serve(l) }

// Words that no one else has are as good.
type worded struct {
	mu    sync.Mutex
	bytes map[string]*state
}

func Worded(s *worded, l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		go s.touchOk(rand.Text())
	}
}

func (s *worded) touchOk(word string) {
	s.mu.Lock()
	_, ok := s.bytes[word]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[word] = &state{}
		s.mu.Unlock()
	}
}

// The map is one for all servers, and each of them counts for itself.
type registry struct {
	mu    sync.Mutex
	bytes map[int64]*state
}

type member struct {
	all  *registry
	last atomic.Int64
}

func (m *member) Serve(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		go m.handle(m.last.Add(1))
	}
}

func (m *member) handle(n int64) { m.all.touchBad(n) }

func (r *registry) touchBad(n int64) {
	r.mu.Lock()
	_, ok := r.bytes[n]
	r.mu.Unlock()
	if !ok {
		r.mu.Lock()
		r.bytes[n] = &state{} // want `split-lock: r\.bytes`
		r.mu.Unlock()
	}
}

// The counter of one object gives the numbers of another one.
type lender struct {
	mu    sync.Mutex
	bytes map[int64]*state
	last  atomic.Int64
}

func Lend(a, b *lender, l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		go a.touchBad(b.last.Add(1))
	}
}

func (s *lender) touchBad(n int64) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}

// The counter begins anew.
type rewound struct {
	mu    sync.Mutex
	bytes map[int64]*state
	last  atomic.Int64
}

func (s *rewound) Serve(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		go s.touchBad(s.last.Add(1))
	}
}

func (s *rewound) Rewind() { s.last.Store(0) }

func (s *rewound) touchBad(n int64) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}

// Two goroutines have each number.
type shared struct {
	mu    sync.Mutex
	bytes map[int64]*state
	last  atomic.Int64
}

func (s *shared) Serve(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		n := s.last.Add(1)
		go s.touchBad(n)
		go s.touchBad(n)
	}
}

func (s *shared) touchBad(n int64) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}

// A goroutine works on the number of the one before.
type before struct {
	mu    sync.Mutex
	bytes map[int64]*state
	last  atomic.Int64
}

func (s *before) Serve(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		go s.run(s.last.Add(1))
	}
}

func (s *before) run(n int64) {
	s.touchBad(n)
	s.touchBad(n - 1)
}

func (s *before) touchBad(n int64) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}

// Callers put entries in under any number.
type asked struct {
	mu    sync.Mutex
	bytes map[int64]*state
	last  atomic.Int64
}

func (s *asked) Serve(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		go s.touchBad(s.last.Add(1))
	}
}

func (s *asked) Put(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes[n] = &state{n: 1}
}

func (s *asked) touchBad(n int64) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}

// Nothing keeps apart those who count.
type unlocked struct {
	mu    sync.Mutex
	bytes map[int]*state
	last  int
}

func (s *unlocked) Serve(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		s.last++
		go s.touchBad(s.last)
	}
}

func (s *unlocked) touchBad(n int) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}

// The number is read in a section of its own: another one may have been drawn since.
type apart struct {
	mu    sync.Mutex
	bytes map[int]*state
	last  int
}

func (s *apart) Serve(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		s.mu.Lock()
		s.last++
		s.mu.Unlock()
		s.mu.Lock()
		n := s.last
		s.mu.Unlock()
		go s.touchBad(n)
	}
}

func (s *apart) touchBad(n int) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}

// One number is drawn for several goroutines.
type several struct {
	mu    sync.Mutex
	bytes map[int64]*state
	last  atomic.Int64
}

func (s *several) Start() {
	n := s.last.Add(1)
	for range 4 {
		go s.touchBad(n)
	}
}

func (s *several) touchBad(n int64) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}

// The one who starts the literal works on the number as well.
type besides struct {
	mu    sync.Mutex
	bytes map[int64]*state
	last  atomic.Int64
}

func (s *besides) Serve(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		n := s.last.Add(1)
		go func() {
			defer c.Close()
			s.touchBad(n)
		}()
		s.touchBad(n)
	}
}

func (s *besides) touchBad(n int64) {
	s.mu.Lock()
	_, ok := s.bytes[n]
	s.mu.Unlock()
	if !ok {
		s.mu.Lock()
		s.bytes[n] = &state{} // want `split-lock: s\.bytes`
		s.mu.Unlock()
	}
}
