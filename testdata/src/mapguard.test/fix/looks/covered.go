package looks

import (
	"io"
	"os"
	"sync"
)

type fetched struct {
	mu sync.Mutex
	m  map[string]string // guarded by mu
}

func (f *fetched) put(k string) { f.mu.Lock(); defer f.mu.Unlock(); f.m[k] = k }

func openFile(k string) (*os.File, error) { return os.Open(k) }

// The file is opened before the section.
func (f *fetched) beforeBad(k string) (string, error) {
	if v, ok := f.m[k]; ok { // want `check-then-act: .*`
		return v, nil
	}
	file, err := openFile(k)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(file)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.m[k] = string(text)
	return f.m[k], err
}

// What is deferred in front of the section runs behind it.
func (f *fetched) behindBad(k string, file *os.File) string {
	v, ok := f.m[k] // want `check-then-act: .*`
	defer file.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if ok {
		return v
	}
	f.m[k] = file.Name()
	return f.m[k]
}
