// Package main is a program: nothing else can name its fields.
package main

import (
	"errors"
	"net/http"
	"os"
	"sync"
)

var errUnknown = errors.New("unknown")

// A Sender is called by the server of the program, in many goroutines.
type Sender struct {
	ByName map[string]string
}

// ServeHTTP sends.
func (s *Sender) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPut {
		s.configure(r.URL.Path, r.URL.RawQuery)
		return
	}
	to, _ := s.find(r.URL.Path)
	reopenBad(to)
	defer closeFound(to)
	syncFound(to, r.URL.Path)
	_, _ = w.Write([]byte(to))
}

func (s *Sender) find(name string) (string, error) {
	to, ok := s.ByName[name] // want `unguarded-access: .*`
	if !ok {
		return "", errUnknown
	}
	return to, nil
}

func (s *Sender) configure(name, to string) {
	s.ByName[name] = to
}

var (
	compiled     map[string]int
	compiledLock sync.Mutex
)

// The map is made without the lock; the section behind it begins earlier.
func compileBad(text string) int {
	if compiled == nil { // want `check-then-act: .*`
		compiled = make(map[string]int)
	}

	compiledLock.Lock()
	n, ok := compiled[text]
	compiledLock.Unlock()
	if ok {
		return n
	}
	made, err := os.ReadFile(text)
	if err != nil {
		return 0
	}
	n = len(made)
	compiledLock.Lock()
	defer compiledLock.Unlock()
	if first, ok := compiled[text]; ok {
		return first
	}
	compiled[text] = n
	return n
}

func main() {
	for range 2 {
		go compileBad("a")
	}
	_ = http.ListenAndServe("localhost:8080", &Sender{ByName: make(map[string]string)})
}

var opened = make(map[string]*os.File)

func reopenBad(name string) {
	f, err := os.Open(name)
	if err == nil {
		opened[name] = f // want `unguarded-access: .*`
	}
}

// What the condition finds is what is closed.
func closeFound(name string) error {
	if opened[name] != nil {
		return opened[name].Close()
	}
	return nil
}

// It is looked up anew behind a call, and where the name is another one.
func syncFound(name, old string) {
	if opened[name] != nil {
		os.Remove(old)
		opened[name].Sync()
	}
	if opened[name] != nil {
		opened[old].Sync()
	}
}
