package owned

import "time"

// A lifecycle is what a registry calls later.
type lifecycle interface{ Create(name string) error }

type registry interface {
	AddLifecycle(name string, l lifecycle)
	Check(l lifecycle) error
}

// A tracker is known to a registry by what that gets, before its goroutine starts.
type tracker struct{ counts map[string]int }

type tracking struct{ t *tracker }

func startTracker(r registry) {
	t := &tracker{counts: make(map[string]int)}
	r.AddLifecycle("a", &tracking{t})
	go t.watchOk()
}

// Create notes a name.
func (l *tracking) Create(name string) error {
	l.t.setBad(name)
	return nil
}

func (t *tracker) setBad(name string) {
	t.counts[name] = 0 // want `unguarded-access: t.counts is written without a lock`
}

func (t *tracker) watchOk() {
	for range time.Tick(time.Second) {
		t.countBad("a")
	}
}

func (t *tracker) countBad(name string) int {
	if t.counts[name] == 0 { // want `check-then-act: t.counts is read here, then written`
		t.counts[name] = 1
	}
	return t.counts[name]
}

// What is checked is not kept.
type lone struct{ counts map[string]int }

type checking struct{ l *lone }

func startLone(r registry) {
	l := &lone{counts: make(map[string]int)}
	if r.Check(&checking{l}) == nil {
		go l.watchOk()
	}
}

// Create notes a name.
func (c *checking) Create(name string) error {
	c.l.counts[name] = 0
	return nil
}

func (l *lone) watchOk() {
	for range time.Tick(time.Second) {
		if l.counts["a"] == 0 {
			l.counts["a"] = 1
		}
	}
}

// A summed has all to itself: the table that it hands its parts to is its own, and no goroutine gets them.
type summed struct{ counts map[string]int }

// Create notes a name.
func (s *summed) Create(name string) error {
	s.counts[name]++
	return nil
}

func sumOk(r registry, names []string) map[string]int {
	s := &summed{counts: make(map[string]int)}
	r.AddLifecycle("sum", s)
	for _, n := range names {
		if s.counts[n] == 0 {
			s.counts[n] = 1
		}
	}
	return s.counts
}
