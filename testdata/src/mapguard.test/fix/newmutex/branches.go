package newmutex

import (
	"context"
	"fmt"
	"regexp"
	"time"
)

// Seen is safe for concurrent use. A method of it is kept as a function.
type Seen struct {
	client func(context.Context, string) bool
	onDrop func(string)
	since  map[string]time.Time
}

// NewSeen returns one that is empty.
func NewSeen(client func(context.Context, string) bool) *Seen {
	s := &Seen{client: client, since: make(map[string]time.Time)}
	s.onDrop = s.drop
	return s
}

// AskBad asks long where the name has been seen long ago: the branch gives the lock
// back, and deletes only what was found.
func (s *Seen) AskBad(ctx context.Context, name string, start chan<- bool) bool {
	start <- true
	if spotted, found := s.since[name]; !found { // want `check-then-act: .*`
		s.since[name] = time.Now()
	} else {
		if time.Since(spotted) > time.Minute {
			if s.client(ctx, name) {
				delete(s.since, name)
			}
			return true
		}
	}
	start <- false
	return false
}

func (s *Seen) drop(name string) { delete(s.since, name) } // want `unguarded-access: .*`

// Watched is safe for concurrent use. Literals use the map.
type Watched struct {
	count map[string]int
	run   func(func())
}

// AddBad adds a name, and drops it later.
func (w *Watched) AddBad(name string) bool {
	if _, ok := w.count[name]; ok { // want `check-then-act: .*`
		return false
	}
	w.count[name] = 1
	w.run(func() { delete(w.count, name) })
	return true
}

var patterns map[string][]*regexp.Regexp

// Forget starts anew.
func Forget() {
	patterns = make(map[string][]*regexp.Regexp)
}

// Learn adds a pattern.
func Learn(name string, re *regexp.Regexp) { patterns[name] = append(patterns[name], re) } // want `check-then-act: .*`

// MatchBad looks in the head, and walks what is under the key in a branch that runs long.
func MatchBad(name string, test func(*regexp.Regexp) bool) bool {
	if _, ok := patterns[name]; ok { // want `unguarded-access: .*`
		for _, re := range patterns[name] {
			if test(re) {
				return true
			}
		}
	}
	return false
}

// Stamped is safe for concurrent use. What gives the stamps is of another module, and
// was there before the object.
type Stamped struct {
	stamp fmt.Stringer
	own   fmt.Stringer
	by    map[string]string
}

type fixedStamp struct{}

func (fixedStamp) String() string { return "now" }

// NewStamped returns one that is empty.
func NewStamped(stamp fmt.Stringer) *Stamped {
	return &Stamped{stamp: stamp, own: fixedStamp{}, by: make(map[string]string)}
}

// AddBad adds a name.
func (s *Stamped) AddBad(name string) bool {
	if _, ok := s.by[name]; ok { // want `check-then-act: .*`
		return false
	}
	s.by[name] = s.stamp.String() + s.own.String()
	return true
}

// Claims is safe for concurrent use. One branch returns, and the other one runs long.
type Claims struct {
	held map[string]int
	ask  func(string) bool
}

// ClaimBad claims a name.
func (c *Claims) ClaimBad(name string) bool {
	if _, ok := c.held[name]; !ok { // want `check-then-act: .*`
		c.held[name] = 1
		return true
	} else {
		return c.ask(name)
	}
}

// Expires is safe for concurrent use. What follows the statement runs without the lock.
type Expires struct {
	until map[string]int64
	ask   func(string) bool
}

// DropBad drops a name that is over.
func (e *Expires) DropBad(name string, now int64) bool {
	if end, ok := e.until[name]; ok { // want `check-then-act: .*`
		if end < now && e.ask(name) {
			delete(e.until, name)
		}
		return true
	}
	return e.ask(name)
}

// Set sets when a name is over.
func (e *Expires) Set(name string, end int64) { e.until[name] = end } // want `unguarded-access: .*`

// Picked is safe for concurrent use. The section ends behind a switch statement.
type Picked struct {
	seen map[string]int
}

// PickBad picks a name.
func (p *Picked) PickBad(name string, n int, done chan<- bool) {
	_, ok := p.seen[name] // want `check-then-act: .*`
	switch {
	case ok:
	case n > 0:
		p.seen[name] = n
	}
	done <- true
}
