// Package low holds stale checks that do no harm: they are shown at low
// confidence alone.
package low

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
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

type door struct{ shut bool }

func (d *door) Close() { d.shut = true }

type house struct {
	mu    sync.Mutex
	doors map[string]*door
}

func (h *house) shutThenDropBad(k string) {
	h.mu.Lock()
	d := h.doors[k]
	h.mu.Unlock()
	if d == nil {
		return
	}
	d.Close()
	h.mu.Lock()
	delete(h.doors, k) // want `split-lock: .*low`
	h.mu.Unlock()
}

func (h *house) dropThenShutBad(k string) {
	h.mu.Lock()
	d := h.doors[k]
	h.mu.Unlock()
	if d == nil {
		return
	}
	h.mu.Lock()
	delete(h.doors, k) // want `split-lock: .*low`
	h.mu.Unlock()
	d.Close()
}

// All go, whatever became of the one.
func (h *house) emptyBad(k string) {
	h.mu.Lock()
	_, ok := h.doors[k]
	h.mu.Unlock()
	if ok {
		h.mu.Lock()
		clear(h.doors) // want `split-lock: .*low`
		h.mu.Unlock()
	}
}

// An object of another package, of which nothing shows that it has state.
type pages struct {
	mu   sync.Mutex
	at   map[string]*url.URL
	seen map[string]time.Time
}

func (p *pages) parsedBad(s string) (*url.URL, error) {
	p.mu.Lock()
	u, ok := p.at[s]
	p.mu.Unlock()
	if ok {
		return u, nil
	}
	u, err := url.Parse(s)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.at[s] = u // want `split-lock: .*low`
	p.mu.Unlock()
	return u, nil
}

// The time is another one, and goes nowhere else.
func (p *pages) noteBad(s string) {
	p.mu.Lock()
	last := p.seen[s]
	p.mu.Unlock()
	if time.Since(last) > time.Minute {
		p.mu.Lock()
		p.seen[s] = time.Now() // want `split-lock: .*low`
		p.mu.Unlock()
	}
}
