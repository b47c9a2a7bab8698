package syncmap

import (
	"errors"
	"log"
	"sync"
	"time"
)

// A map that only keeps a log from being flooded: two that are both told to log write one line too many.

type quietLog struct{ last sync.Map }

func (q *quietLog) speaksOk(topic string) bool {
	now := time.Now()
	if t, ok := q.last.Load(topic); ok && now.Sub(t.(time.Time)) < time.Minute {
		return false
	}
	q.last.Store(topic, now)
	return true
}

func (q *quietLog) Fail(topic string, err error) error {
	if q.speaksOk(topic) {
		log.Printf("%s failed: %v", topic, err)
	}
	return err
}

func (q *quietLog) Drop(topic string) {
	if !q.speaksOk(topic) {
		return
	}
	log.Printf("%s dropped", topic)
}

// One caller does more than log.

type limiter struct {
	last sync.Map
	jobs chan string
}

func (l *limiter) allowsBad(topic string) bool {
	now := time.Now()
	if t, ok := l.last.Load(topic); ok && now.Sub(t.(time.Time)) < time.Minute {
		return false
	}
	l.last.Store(topic, now) // want `sync-map: Load at line \d+ and Store here on l.last`
	return true
}

func (l *limiter) Note(topic string) {
	if l.allowsBad(topic) {
		log.Printf("%s", topic)
	}
}

func (l *limiter) Run(topic string) {
	if l.allowsBad(topic) {
		l.jobs <- topic
	}
}

// Callers learn nothing of the time that is put in, but that it went wrong, which they learn anyway.

var errUnknown = errors.New("unknown")

type shelf interface {
	GetCoin(name string) (*coin, error)
}

type banned struct {
	since sync.Map
	shelf shelf
}

func (b *banned) findOk(name string) (*coin, error) {
	if t, ok := b.since.Load(name); ok && time.Since(t.(time.Time)) < time.Minute {
		return nil, errUnknown
	}
	c, err := b.shelf.GetCoin(name)
	if err != nil {
		b.since.Store(name, time.Now())
		return nil, err
	}
	return c, nil
}

func (b *banned) Find(name string) (*coin, error) { return b.findOk(name) }

// The time is what callers get.

func (b *banned) SinceBad(name string) (time.Time, error) {
	if t, ok := b.since.Load(name); ok {
		return t.(time.Time), nil
	}
	now := time.Now()
	b.since.Store(name, now) // want `sync-map: Load at line \d+ and Store here on b.since`
	return now, nil
}

// Another function says until when to be quiet: who looked before that puts the time of now over it.

type hushed struct{ until sync.Map }

func (h *hushed) speaksBad(topic string) bool {
	now := time.Now()
	if t, ok := h.until.Load(topic); ok && now.Before(t.(time.Time)) {
		return false
	}
	h.until.Store(topic, now) // want `sync-map: Load at line \d+ and Store here on h.until`
	return true
}

func (h *hushed) Fail(topic string) {
	if h.speaksBad(topic) {
		log.Printf("%s failed", topic)
	}
}

func (h *hushed) Hush(topic string, until time.Time) { h.until.Store(topic, until) }

// Here others take up what is left, and bring more.

type stock struct {
	mu   sync.Mutex
	left map[string]int
}

func (s *stock) lastBad(k string) bool {
	s.mu.Lock()
	n := s.left[k]
	s.mu.Unlock()
	if n == 0 {
		return false
	}
	s.mu.Lock()
	s.left[k] = 0 // want `split-lock: s\.left`
	s.mu.Unlock()
	return true
}

func (s *stock) Use(k string) {
	if !s.lastBad(k) {
		log.Printf("no %s left", k)
	}
}

func (s *stock) Bring(k string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left[k] += n
}
