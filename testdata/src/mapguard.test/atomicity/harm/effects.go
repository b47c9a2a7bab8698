package harm

import (
	"errors"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// What is stored is plain; what is done before it is stored is done twice.
type service struct {
	mu      sync.Mutex
	started map[string]bool
	ports   map[string]int
	state   map[string]string
	queue   chan string
	hooks   []string
	opened  atomic.Int64
	wg      sync.WaitGroup
	ready   func(string)
}

func (s *service) run(string) {}

func (s *service) up(k string) bool { s.mu.Lock(); defer s.mu.Unlock(); return s.started[k] }

func (s *service) setUp(k string) { s.mu.Lock(); defer s.mu.Unlock(); s.started[k] = true }

func (s *service) startBad(k string) {
	if s.up(k) {
		return
	}
	go s.run(k)
	s.setUp(k) // want `split-lock: .*high`
}

func (s *service) startInGroupBad(k string) {
	if !s.up(k) {
		s.wg.Go(func() { s.run(k) })
		s.setUp(k) // want `split-lock: .*high`
	}
}

func (s *service) registerBad(mux *http.ServeMux, path string) {
	if s.up(path) {
		return
	}
	mux.HandleFunc(path, func(http.ResponseWriter, *http.Request) {})
	s.setUp(path) // want `split-lock: .*high`
}

func (s *service) listenBad(addr string) error {
	if s.up(addr) {
		return errors.New("already listening")
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	go http.Serve(l, nil)
	s.setUp(addr) // want `split-lock: .*high`
	return nil
}

func (s *service) enqueueBad(k string) {
	s.mu.Lock()
	queued := s.state[k] == "queued"
	s.mu.Unlock()
	if !queued {
		s.queue <- k
		s.mu.Lock()
		s.state[k] = "queued" // want `split-lock: .*high`
		s.mu.Unlock()
	}
}

// As it says "first", it counts once.
func (s *service) countBad(k string) {
	if s.up(k) {
		return
	}
	s.opened.Add(1)
	s.setUp(k) // want `split-lock: .*high`
}

func (s *service) callbackBad(k string) {
	if !s.up(k) {
		s.ready(k)
		s.setUp(k) // want `split-lock: .*, low`
	}
}

func (s *service) createBad(dir string) error {
	if s.up(dir) {
		return nil
	}
	f, err := os.Create(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	s.setUp(dir) // want `split-lock: .*, low`
	return nil
}

// The loser's change of another field comes on top. A store into a field is not
// taken for an effect.
// It would take knowing which stores into fields add up, and which only set the
// same value again.
func (s *service) FN_appendBad(k string) {
	if s.up(k) {
		return
	}
	s.mu.Lock()
	s.hooks = append(s.hooks, k)
	s.mu.Unlock()
	s.setUp(k)
}

// Afterwards, under the same stale decision.
func (s *service) afterwardsBad(k string) {
	if s.up(k) {
		return
	}
	s.setUp(k) // want `split-lock: .*high`
	go s.run(k)
}

// Two decide to delete, and both do what comes with it. A delete that only
// depends on presence is low, whatever else the check decides on.
// It would take counting what is done to a wait group as an effect of
// deletions, too, where it ends what another one waits for.
func (s *service) FN_stopBad(k string) {
	if !s.up(k) {
		return
	}
	s.wg.Done()
	s.mu.Lock()
	delete(s.started, k)
	s.mu.Unlock()
}

// The listener is part of how the port is worked out, and not taken for an
// effect: equal numbers would serve alike.
// It would take telling the number of a resource that is open, which is another
// one for each, from a number that is computed.
func (s *service) FN_portBad(addr string) (int, error) {
	s.mu.Lock()
	p, ok := s.ports[addr]
	s.mu.Unlock()
	if ok {
		return p, nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return 0, err
	}
	p = l.Addr().(*net.TCPAddr).Port
	s.mu.Lock()
	s.ports[addr] = p
	s.mu.Unlock()
	return p, nil
}

// Looking at other things is no effect.
func (s *service) looksOk(k string) {
	if s.up(k) {
		return
	}
	if _, err := os.Stat(k); err != nil {
		return
	}
	s.setUp(k)
}

// The runtime only tells.
func (s *service) tellsOk(k string, pc uintptr) {
	if s.up(k) {
		return
	}
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	if frame.Function != k {
		s.setUp(k)
	}
}

// The effect does not depend on the check.
func (s *service) alwaysOk(k string) {
	up := s.up(k)
	s.queue <- k
	if !up {
		s.setUp(k)
	}
}

type member struct{ closed bool }

func (m *member) Close() error { m.closed = true; return nil }

type members struct {
	mu sync.Mutex
	m  map[string]*member
}

// Two find it and close it: nothing shows that it must be done once.
func (m *members) closeTwiceOk(k string) {
	m.mu.Lock()
	v, ok := m.m[k]
	m.mu.Unlock()
	if !ok {
		return
	}
	v.Close()
	m.mu.Lock()
	delete(m.m, k)
	m.mu.Unlock()
}

func (m *members) takeTwiceBad(k string) *member {
	m.mu.Lock()
	v := m.m[k]
	m.mu.Unlock()
	if v == nil {
		return nil
	}
	m.mu.Lock()
	delete(m.m, k) // want `split-lock: `
	m.mu.Unlock()
	return v
}

func (m *members) closeOnceOk(k string) {
	m.mu.Lock()
	v, ok := m.m[k]
	delete(m.m, k)
	m.mu.Unlock()
	if ok {
		v.Close()
	}
}
