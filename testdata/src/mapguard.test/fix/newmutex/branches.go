package newmutex

import (
	"context"
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

func (s *Seen) drop(name string) { delete(s.since, name) }

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

// ForgetBad starts anew.
func ForgetBad() {
	patterns = make(map[string][]*regexp.Regexp) // want `unguarded-access: .*`
}

// Learn adds a pattern.
func Learn(name string, re *regexp.Regexp) { patterns[name] = append(patterns[name], re) }

// Match looks in the head, and walks what is under the key in a branch that runs long.
func Match(name string, test func(*regexp.Regexp) bool) bool {
	if _, ok := patterns[name]; ok {
		for _, re := range patterns[name] {
			if test(re) {
				return true
			}
		}
	}
	return false
}
