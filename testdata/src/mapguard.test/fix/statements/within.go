package statements

import (
	"errors"
	"sync"
)

// An option is set by its own function, which runs in the section already.
type option struct{ set func(string) error }

type options struct {
	mu sync.Mutex
	m  map[string]*option // guarded by mu
}

func (o *options) setBad(k, v string) error {
	opt := o.m[k] // want `check-then-act: .*`
	o.mu.Lock()
	defer o.mu.Unlock()
	if opt == nil {
		return errors.New("no option " + k)
	}
	if err := opt.set(v); err != nil {
		return err
	}
	o.m[k] = opt
	return nil
}

func (o *options) add(k string, set func(string) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.m[k] = &option{set}
}
