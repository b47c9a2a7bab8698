package store

import "strconv"

// Taken is the error that something is taken.
type Taken struct{ Name string }

// Error says so.
func (t *Taken) Error() string { return strconv.Quote(t.Name) + " is taken" }

// Refuse returns an error, always.
func Refuse(name string) error { return &Taken{name} }
