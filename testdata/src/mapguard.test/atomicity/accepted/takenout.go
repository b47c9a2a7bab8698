package accepted

import (
	"errors"
	"sync"
	"time"
)

// A message that is taken out of the map is the taker's until it is put back,
// which is refused where another one has come in.

type message struct {
	id, owner int
	since     time.Time
	pri       int64
}

type flight struct {
	mu   sync.Mutex
	msgs map[int]*message
	max  time.Duration
}

func (f *flight) pop(owner, id int) (*message, error) {
	f.mu.Lock()
	m, ok := f.msgs[id]
	if !ok {
		f.mu.Unlock()
		return nil, errors.New("not in flight")
	}
	if m.owner != owner {
		f.mu.Unlock()
		return nil, errors.New("not yours")
	}
	delete(f.msgs, id)
	f.mu.Unlock()
	return m, nil
}

func (f *flight) push(m *message) error {
	f.mu.Lock()
	_, ok := f.msgs[m.id]
	if ok {
		f.mu.Unlock()
		return errors.New("in flight")
	}
	f.msgs[m.id] = m
	f.mu.Unlock()
	return nil
}

func (f *flight) touchOk(owner, id int, timeout time.Duration) error {
	m, err := f.pop(owner, id)
	if err != nil {
		return err
	}
	until := time.Now().Add(timeout)
	if until.Sub(m.since) >= f.max {
		until = m.since.Add(f.max)
	}
	m.pri = until.UnixNano()
	if err := f.push(m); err != nil {
		return err
	}
	return nil
}
