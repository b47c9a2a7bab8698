package refused

import (
	"errors"
	"sync"
)

type login struct{ seen int }

// P is a pointer with a name: it is not equal to what the entry holds.
type P *login

// The map is exported, so that no mutex in the package keeps out all that change it.
type logins struct{ Open sync.Map }

func (l *logins) of(k string) (*login, error) {
	v, ok := l.Open.Load(k)
	if !ok {
		return nil, errors.New("no login")
	}
	return v.(*login), nil
}

// A callee finds it, or says that it does.
func (l *logins) liftedBad(k string) error {
	found, err := l.of(k)
	if err != nil {
		return err
	}
	found.seen++
	l.Open.Store(k, found) // want `sync-map: .*comes back.*`
	return nil
}

func (l *logins) end(k string) { l.Open.Delete(k) }

// What it calls in between takes it out itself.
func (l *logins) callsBad(k string) {
	v, ok := l.Open.Load(k)
	if !ok {
		return
	}
	found := v.(*login)
	l.end(k)
	l.Open.Store(k, found) // want `sync-map: .*comes back.*`
}

func (l *logins) namedBad(k string) {
	v, ok := l.Open.Load(k)
	if !ok {
		return
	}
	found := P(v.(*login))
	found.seen++
	l.Open.Store(k, found) // want `sync-map: .*comes back.*`
}

// It may have found nothing.
func (l *logins) absentBad(k string) {
	v, _ := l.Open.Load(k)
	found, _ := v.(*login)
	l.Open.Store(k, found) // want `sync-map: .*comes back.*`
}
