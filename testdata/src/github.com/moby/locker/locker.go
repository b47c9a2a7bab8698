// Package locker is a stub.
package locker

type Locker struct{}

func New() *Locker { return &Locker{} }

func (l *Locker) Lock(name string) {}

func (l *Locker) Unlock(name string) error { return nil }
