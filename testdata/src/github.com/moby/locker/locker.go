// Package locker stands in for github.com/moby/locker.
package locker

// A Locker has a lock for each name.
type Locker struct{ waiters uint32 }

func New() *Locker

func (l *Locker) Lock(name string)

func (l *Locker) Unlock(name string) error

// A Leaser may give no lock, and says so.
type Leaser struct{ waiters uint32 }

func (l *Leaser) Lock(name string) bool

func (l *Leaser) Unlock(name string)
