package callbacks

import (
	"bytes"
	"flag"
	"sync"
)

// A function that is not known most likely asks at once a method that answers, and
// keeps one that is told something.

type alphabet struct {
	mu    sync.Mutex
	runes map[rune]bool
	flags map[string]bool
}

func (a *alphabet) hasOk(r rune) bool { return a.runes[r] }

func (a *alphabet) FirstOk(text []byte) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return bytes.IndexFunc(text, a.hasOk)
}

func (a *alphabet) AddOk(r rune) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.runes[r] = true
}

func (a *alphabet) setBad(name string) error {
	a.flags[name] = true // want `unguarded-access: .*a\.flags`
	return nil
}

func (a *alphabet) ParseOk(set *flag.FlagSet) {
	a.mu.Lock()
	defer a.mu.Unlock()
	set.Func("letter", "", a.setBad)
	clear(a.flags)
}

func (a *alphabet) KnowsOk(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.flags[name]
}
