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
