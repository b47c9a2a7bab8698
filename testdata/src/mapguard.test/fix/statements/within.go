package statements

import (
	"errors"
	"io"
	"os"
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

// A fetcher holds its lock while it fetches: what is called there, and what is deferred behind the release, runs under it already.
type fetcher struct {
	mu sync.Mutex
	m  map[string]string // guarded by mu
}

func open(k string) (*os.File, error) { return os.Open(k) }

func (f *fetcher) fetchBad(k string) (string, error) {
	if v, ok := f.m[k]; ok { // want `check-then-act: .*`
		return v, nil
	}

	f.mu.Lock()
	defer f.mu.Unlock()

	file, err := open(k)
	if err != nil {
		return "", err
	}
	defer func() { file.Close() }()
	text, err := io.ReadAll(file)
	if err != nil {
		return "", err
	}
	f.m[k] = string(text)
	return f.m[k], nil
}

// What is deferred behind the release runs before it.
func (f *fetcher) closeBad(k string, file *os.File) (string, error) {
	if v, ok := f.m[k]; ok { // want `check-then-act: .*`
		return v, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	defer file.Sync()
	f.m[k] = file.Name()
	return f.m[k], nil
}
