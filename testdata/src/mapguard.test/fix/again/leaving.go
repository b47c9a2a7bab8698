package again

import (
	"errors"
	"sync"
)

var errNoShelf = errors.New("no such shelf")

type shelf struct{ books []string }

type library struct {
	mu      sync.RWMutex // protects shelves
	shelves map[string]*shelf
}

// Who does not want a shelf made has left before the section begins.
func (l *library) shelfBad(name string, create bool, use func(*shelf)) error {
	l.mu.RLock()
	s, ok := l.shelves[name]
	l.mu.RUnlock()
	if !ok {
		if !create {
			return errors.Join(errNoShelf, errors.New(name))
		}
		l.mu.Lock()
		s = &shelf{}
		l.shelves[name] = s // want `split-lock: .*`
		l.mu.Unlock()
	}
	use(s)
	return nil
}

// A section waits, so none is to begin anew in what may be waited for.
func (l *library) drain(books <-chan string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for b := range books {
		l.shelves[""].books = append(l.shelves[""].books, b)
	}
}

type account struct{ owner string }

type bank struct {
	sync.RWMutex // protects accounts
	accounts     map[string]*account
}

// The embedded lock is written out.
func (b *bank) accountBad(owner string, open func(string) (*account, error)) (*account, error) {
	b.RWMutex.RLock()
	if a, ok := b.accounts[owner]; ok {
		b.RWMutex.RUnlock()
		return a, nil
	}
	b.RWMutex.RUnlock()
	b.RWMutex.Lock()
	a, err := open(owner)
	if err != nil {
		b.RWMutex.Unlock()
		return nil, err
	}
	b.accounts[owner] = a // want `split-lock: .*`
	b.RWMutex.Unlock()
	return a, nil
}

type family struct{ name string }

type households struct {
	mu       sync.RWMutex // protects families
	families map[string]*family
	found    func(string) (*family, error)
}

// The first look goes into a result that has a name; the answer sets it anew.
func (h *households) familyBad(name string) (f *family, err error) {
	var ok bool
	h.mu.RLock()
	f, ok = h.families[name]
	h.mu.RUnlock()
	if ok {
		return f, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	f, err = h.found(name)
	if err != nil {
		return nil, err
	}
	h.families[name] = f // want `split-lock: .*`
	return f, nil
}
