package copies

import (
	"sync"
)

type sender interface{ send(string) bool }

type senders struct {
	mu sync.RWMutex
	// byName is guarded by mu.
	byName map[string]sender
}

func (s *senders) put(k string, one sender) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byName[k] = one
}

// A copy of the map is counted and walked.
func (s *senders) sendBad(text string) int {
	text += "!"
	n := len(s.byName)
	if n == 0 {
		return 0
	}
	if text == "!" {
		for _, one := range s.byName { // want `unguarded-access: .*`
			one.send("nothing")
		}
		return n
	}
	for name, one := range s.byName {
		one.send(name + text)
	}
	return n
}
