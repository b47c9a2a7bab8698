// Package making has constructors that do with a new object what one goroutine does later.
package making

import (
	"sync"
	"time"
)

type feed struct{ name string }

// A mirror is for those who read: its loop alone changes it.
type mirror struct {
	mu    sync.RWMutex
	feeds map[string]*feed
	names func() []string
}

func NewMirror(names func() []string) *mirror {
	m := &mirror{feeds: map[string]*feed{}, names: names}
	m.pullOk()
	m.prune()
	go m.loop()
	return m
}

func (m *mirror) loop() {
	for range time.Tick(time.Second) {
		m.pullOk()
		m.prune()
	}
}

func (m *mirror) pullOk() {
	for _, n := range m.names() {
		m.mu.RLock()
		f := m.feeds[n]
		m.mu.RUnlock()
		if f == nil {
			f = &feed{n}
			m.mu.Lock()
			m.feeds[n] = f
			m.mu.Unlock()
		}
		println(f.name)
	}
}

func (m *mirror) prune() {
	for _, n := range m.oldOk() {
		m.mu.Lock()
		delete(m.feeds, n)
		m.mu.Unlock()
	}
}

func (m *mirror) oldOk() (old []string) {
	for n, f := range m.feeds {
		if f.name == "" {
			old = append(old, n)
		}
	}
	return old
}

func (m *mirror) LenOk() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.feeds)
}

// The look and the act have functions of their own, which helpers call; a literal runs the loop.
type mirrorParts struct {
	mu    sync.RWMutex
	feeds map[string]*feed
}

func NewMirrorParts(names []string) *mirrorParts {
	m := new(mirrorParts)
	m.feeds = map[string]*feed{}
	if len(names) > 0 {
		m.first(names)
	}
	go func() {
		for {
			time.Sleep(time.Second)
			m.pullOk(names)
		}
	}()
	return m
}

func (m *mirrorParts) first(names []string) { m.pullOk(names) }

func (m *mirrorParts) pullOk(names []string) {
	for _, n := range names {
		if !m.has(n) {
			m.put(n, &feed{n})
		}
	}
}

func (m *mirrorParts) has(n string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	_, ok := m.feeds[n]
	return ok
}

func (m *mirrorParts) put(n string, f *feed) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.feeds[n] = f
}

// The goroutine runs already when the constructor does it.
type mirrorLate struct {
	mu    sync.RWMutex
	feeds map[string]*feed
}

func NewMirrorLate(names []string) *mirrorLate {
	m := &mirrorLate{feeds: map[string]*feed{}}
	go m.loop(names)
	m.pullBad(names)
	return m
}

func (m *mirrorLate) loop(names []string) {
	for range time.Tick(time.Second) {
		m.pullBad(names)
	}
}

func (m *mirrorLate) pullBad(names []string) {
	for _, n := range names {
		m.mu.RLock()
		f := m.feeds[n]
		m.mu.RUnlock()
		if f == nil {
			m.mu.Lock()
			m.feeds[n] = &feed{n} // want `split-lock: m\.feeds`
			m.mu.Unlock()
		}
	}
}

// Callers do it as well.
type mirrorOpen struct {
	mu    sync.RWMutex
	feeds map[string]*feed
}

func NewMirrorOpen(names []string) *mirrorOpen {
	m := &mirrorOpen{feeds: map[string]*feed{}}
	m.pullBad(names)
	go m.loop(names)
	return m
}

func (m *mirrorOpen) Refresh(names []string) { m.pullBad(names) }

func (m *mirrorOpen) loop(names []string) {
	for range time.Tick(time.Second) {
		m.pullBad(names)
	}
}

func (m *mirrorOpen) pullBad(names []string) {
	for _, n := range names {
		m.mu.RLock()
		f := m.feeds[n]
		m.mu.RUnlock()
		if f == nil {
			m.mu.Lock()
			m.feeds[n] = &feed{n} // want `split-lock: m\.feeds`
			m.mu.Unlock()
		}
	}
}

// The constructor shows the object to others before.
type mirrorKnown struct {
	mu    sync.RWMutex
	feeds map[string]*feed
}

var lastMirror *mirrorKnown

func NewMirrorKnown(names []string) *mirrorKnown {
	m := &mirrorKnown{feeds: map[string]*feed{}}
	lastMirror = m
	m.pullBad(names)
	go m.loop(names)
	return m
}

func (m *mirrorKnown) loop(names []string) {
	for range time.Tick(time.Second) {
		m.pullBad(names)
	}
}

func RefreshLast(names []string) { lastMirror.pullBad(names) }

func (m *mirrorKnown) pullBad(names []string) {
	for _, n := range names {
		m.mu.RLock()
		f := m.feeds[n]
		m.mu.RUnlock()
		if f == nil {
			m.mu.Lock()
			m.feeds[n] = &feed{n} // want `split-lock: m\.feeds`
			m.mu.Unlock()
		}
	}
}

// There are two such goroutines.
type mirrorTwo struct {
	mu    sync.RWMutex
	feeds map[string]*feed
}

func NewMirrorTwo(names, more []string) *mirrorTwo {
	m := &mirrorTwo{feeds: map[string]*feed{}}
	m.pullBad(names)
	go m.loop(names)
	go m.loop(more)
	return m
}

func (m *mirrorTwo) loop(names []string) {
	for range time.Tick(time.Second) {
		m.pullBad(names)
	}
}

func (m *mirrorTwo) pullBad(names []string) {
	for _, n := range names {
		m.mu.RLock()
		f := m.feeds[n]
		m.mu.RUnlock()
		if f == nil {
			m.mu.Lock()
			m.feeds[n] = &feed{n} // want `split-lock: m\.feeds`
			m.mu.Unlock()
		}
	}
}

// Others may have the object that is brought up.
type mirrorGiven struct {
	mu    sync.RWMutex
	feeds map[string]*feed
}

func NewMirrorGiven() *mirrorGiven { return &mirrorGiven{feeds: map[string]*feed{}} }

func (m *mirrorGiven) Watch(names []string) {
	m.pullBad(names)
	go m.loop(names)
}

func (m *mirrorGiven) loop(names []string) {
	for range time.Tick(time.Second) {
		m.pullBad(names)
	}
}

func (m *mirrorGiven) pullBad(names []string) {
	for _, n := range names {
		m.mu.RLock()
		f := m.feeds[n]
		m.mu.RUnlock()
		if f == nil {
			m.mu.Lock()
			m.feeds[n] = &feed{n} // want `split-lock: m\.feeds`
			m.mu.Unlock()
		}
	}
}
