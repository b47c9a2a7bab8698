package harm

import "sync"

// An Abstract says what its text does: nothing shows that it matters which of two a caller
// has, and other packages may write it.
type Abstract struct {
	Title string
	Words int
}

type abstracts struct {
	mu  sync.Mutex
	all map[string]*Abstract
}

func (a *abstracts) ofBad(text string) *Abstract {
	a.mu.Lock()
	found, ok := a.all[text]
	a.mu.Unlock()
	if ok {
		return found
	}
	made := &Abstract{Title: text, Words: len(text)}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[text] = made // want `split-lock: .*a\.all`
	return made
}
