// Package low holds stale checks that do no harm: they are shown at low
// confidence alone.
package low

import (
	"regexp"
	"strings"
	"sync"
)

type memo struct {
	mu   sync.RWMutex
	text map[string]string
	exps map[string]*regexp.Regexp
	sets map[string]struct{}
}

func (m *memo) textBad(k string) string {
	m.mu.RLock()
	s, ok := m.text[k]
	m.mu.RUnlock()
	if !ok {
		s = strings.ToUpper(k)
		m.mu.Lock()
		m.text[k] = s // want `split-lock: .*low`
		m.mu.Unlock()
	}
	return s
}

func (m *memo) regexpBad(k string) *regexp.Regexp {
	m.mu.RLock()
	re, ok := m.exps[k]
	m.mu.RUnlock()
	if !ok {
		re = regexp.MustCompile(k)
		m.mu.Lock()
		m.exps[k] = re // want `split-lock: .*low`
		m.mu.Unlock()
	}
	return re
}

func (m *memo) memberBad(k string) {
	m.mu.RLock()
	_, ok := m.sets[k]
	m.mu.RUnlock()
	if !ok {
		m.mu.Lock()
		m.sets[k] = struct{}{} // want `split-lock: .*low`
		m.mu.Unlock()
	}
}

func (m *memo) deleteBad(k string) {
	m.mu.RLock()
	_, ok := m.sets[k]
	m.mu.RUnlock()
	if ok {
		m.mu.Lock()
		delete(m.sets, k) // want `split-lock: .*low`
		m.mu.Unlock()
	}
}

func (m *memo) wholeOk(k string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.text[k]
	if !ok {
		s = strings.ToUpper(k)
		m.text[k] = s
	}
	return s
}
