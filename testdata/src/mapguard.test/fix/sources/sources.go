// Package sources calls methods that only give a value: these may run in a section.
package sources

import (
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/controller"
)

type stamps struct {
	mu   sync.Mutex
	m    map[string]uint64 // guarded by mu
	by   controller.Counter
	seal controller.Counter
}

type fixed struct{ n uint64 }

func (f fixed) Reading() uint64 { return f.n }

func newStamps(by controller.Counter) *stamps {
	return &stamps{by: by, seal: fixed{1}, m: make(map[string]uint64)}
}

// Who makes the object gives the source.
func (s *stamps) byBad(k string) {
	s.mu.Lock()
	_, ok := s.m[k]
	s.mu.Unlock()
	if ok {
		return
	}
	v := s.by.Reading()
	s.mu.Lock()
	s.m[k] = v // want `split-lock: .*`
	s.mu.Unlock()
}

// The package's own value is put into the field.
func (s *stamps) sealBad(k string) {
	s.mu.Lock()
	_, ok := s.m[k]
	s.mu.Unlock()
	if ok {
		return
	}
	v := s.seal.Reading()
	s.mu.Lock()
	s.m[k] = v // want `split-lock: .*`
	s.mu.Unlock()
}
