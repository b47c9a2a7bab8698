package driver_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer"
)

const printing = `
-- go.mod --
module example.org/printing

go 1.26
-- main.go --
package main

import (
	"fmt"
	"os"
	"sync"
	"text/template"

	"example.org/printing/internal/store"
)

var (
	mu sync.Mutex
	_  = template.New
)

func main() {
	s := store.New()
	for i := range 3 {
		go func() {
			s.Mu.Lock()
			s.Add(fmt.Sprint(i))
			fmt.Println(s.Refill(), s.Cause())
			s.Mu.Unlock()
		}()
	}
	fmt.Fprintln(os.Stdout, "begins", s)
	select {}
}
-- internal/store/store.go --
package store

import "sync"

type Store struct {
	Mu sync.Mutex
	m  map[string]int // guarded by Mu
}

func New() *Store { return &Store{m: make(map[string]int)} }

func (s *Store) Add(k string) { s.m[k]++ }

func (s *Store) String() string {
	if s.m["a"] > 0 {
		return "full"
	}
	return "empty"
}

func (s *Store) Refill() error {
	s.m["b"]++
	return nil
}

func (s *Store) Cause() error {
	if s.m["c"] > 0 {
		return nil
	}
	return nil
}
`

// Who prints a value calls the methods that format it or tell its cause, and no others. A template calls
// any.
func TestPrinted(t *testing.T) {
	want := []string{"store.go:15 medium", "store.go:27 medium"}
	if got := lines(analyse(t, module(t, printing), analyzer.Config{}, "./...").Findings); !slices.Equal(got, want) {
		t.Errorf("printed: there are %v, want %v", got, want)
	}
	rendered := strings.Replace(printing, `fmt.Fprintln(os.Stdout, "begins", s)`, `template.Must(template.New("t").Parse("{{.}}")).Execute(os.Stdout, s)`, 1)
	want = []string{"store.go:12 medium", "store.go:15 medium", "store.go:22 medium", "store.go:27 medium"}
	if got := lines(analyse(t, module(t, rendered), analyzer.Config{}, "./...").Findings); !slices.Equal(got, want) {
		t.Errorf("rendered: there are %v, want %v", got, want)
	}
}
