package witness_test

import (
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/sharing"
	"github.com/mapguard/mapguard/analyzer/internal/trial"
)

// memo gets or creates an Info in two sections.
const memo = `package p

import "sync"

type S struct {
	mu sync.Mutex
	m  map[string]*Info
	n  int
}

var load func(string) *Info

func (s *S) Get(k string) *Info {
	s.mu.Lock()
	v, ok := s.m[k]
	s.mu.Unlock()
	if ok {
		return v
	}
	v = MADE
	s.mu.Lock()
	s.m[k] = v
	s.mu.Unlock()
	return v
}

func (s *S) Drop(k string) { s.mu.Lock(); defer s.mu.Unlock(); delete(s.m, k) }
`

// concurrent is memo with a concurrent map.
const concurrent = `package p

import "sync"

type Info struct { Name string; Size int }

type S struct{ m sync.Map }

func (s *S) Get(k string) any {
	if v, ok := s.m.Load(k); ok {
		return v
	}
	STORE
}

func (s *S) put(k string, v *Info) { s.m.Store(k, v) }

func (s *S) Drop(k string) { s.m.Delete(k) }
`

const (
	info = "\ntype Info struct { Name string; Size int }\n"
	made = "&Info{Name: k, Size: len(k)}"
)

// What is worked out from a key is of high confidence only where something shows that it
// matters which of two objects a caller has.
func TestMadeTwice(t *testing.T) {
	for name, c := range map[string]struct {
		src, made string
		want      sharing.Confidence
	}{
		"says the same":     {info, made, sharing.Medium},
		"changes":           {info + "func (i *Info) Grow() { i.Size++ }", made, sharing.High},
		"is compared":       {info + "func (i *Info) Is(o *Info) bool { return i == o }", made, sharing.High},
		"is a token":        {"type Info struct{ Name string }", "&Info{k}", sharing.High},
		"has a lock":        {"type Info struct { Name string; mu sync.Mutex }", "&Info{Name: k}", sharing.High},
		"has a channel":     {"type Info struct { Name string; c chan int }", "&Info{Name: k}", sharing.High},
		"is sent":           {info + "var told = make(chan *Info)\nfunc tell(k string) *Info { v := " + made + "; told <- v; return v }", "tell(k)", sharing.High},
		"is made by a call": {info + "func read(k string) *Info { return " + made + " }", "read(k)", sharing.Medium},
		"begins goroutine":  {info + "func begin(s *S, k string) *Info { go s.Drop(k); return " + made + " }", "begin(s, k)", sharing.High},
	} {
		v := trial.Run(t, strings.Replace(memo, "MADE", c.made, 1)+c.src).Pair("S.Get")
		if v.Confidence != c.want {
			t.Errorf("%s: %s (%s), want %s", name, v.Confidence, v.Grade.Text(), c.want)
		}
	}
}

func TestMadeTwiceInConcurrentMap(t *testing.T) {
	for store, want := range map[string]sharing.Confidence{
		"v := " + made + "; s.m.Store(k, v); return v":                                     sharing.Medium,
		"var v any = new(int); s.m.Store(k, v); return v":                                  sharing.High,
		"v := " + made + "; s.put(k, v); return v":                                         sharing.High,
		"v := make(chan int); s.m.Store(k, v); return v":                                   sharing.High,
		"v := any(" + made + "); if k == \"\" { v = new(int) }; s.m.Store(k, v); return v": sharing.High,
	} {
		v := trial.Run(t, strings.Replace(concurrent, "STORE", store, 1)).Pair("S.Get")
		if v.Confidence != want {
			t.Errorf("%s: %s (%s), want %s", store, v.Confidence, v.Grade.Text(), want)
		}
	}
}
