package accepted

import (
	"errors"
	"sync"
)

// A berth is made once for each name; while it is made, its name is booked, and a helper tells by an error that it is not free.
type berth struct {
	name  string
	boats map[string]bool
}

type marina struct {
	mu     sync.Mutex
	berths map[string]*berth
	booked map[string]bool
	dredge func(string) error
}

var (
	errTaken  = errors.New("taken")
	errBooked = errors.New("booked")
)

func (m *marina) book(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.berths[name] != nil {
		return errTaken
	}
	if m.booked[name] {
		return errBooked
	}
	m.booked[name] = true
	return nil
}

func (m *marina) unbook(name string) {
	m.mu.Lock()
	delete(m.booked, name)
	m.mu.Unlock()
}

// BuildOk takes its mark away in the section in which it puts the berth in.
func (m *marina) BuildOk(name string) error {
	if err := m.book(name); err != nil {
		return err
	}
	err := m.dredge(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.booked, name)
	if err != nil {
		return err
	}
	m.berths[name] = &berth{name: name, boats: map[string]bool{}}
	return nil
}

// BuildBookedOk keeps it until it is done.
func (m *marina) BuildBookedOk(name string) error {
	err := m.book(name)
	if err != nil {
		return err
	}
	defer m.unbook(name)
	if err := m.dredge(name); err != nil {
		return err
	}
	m.mu.Lock()
	m.berths[name] = &berth{name: name, boats: map[string]bool{}}
	m.mu.Unlock()
	return nil
}

func (m *marina) Moor(name, boat string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	b := m.berths[name]
	if b != nil {
		b.boats[boat] = true
	}
	return b != nil
}

// A quay is the same, with one that takes the mark away too early.
type quay struct {
	mu     sync.Mutex
	berths map[string]*berth
	booked map[string]bool
	dredge func(string) error
}

func (q *quay) book(name string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.berths[name] != nil {
		return errTaken
	}
	if q.booked[name] {
		return errBooked
	}
	q.booked[name] = true
	return nil
}

// BuildEarlyBad puts the berth in when its mark is gone.
func (q *quay) BuildEarlyBad(name string) error {
	if err := q.book(name); err != nil {
		return err
	}
	err := q.dredge(name)
	q.mu.Lock()
	delete(q.booked, name)
	q.mu.Unlock()
	if err != nil {
		return err
	}
	q.mu.Lock()
	q.berths[name] = &berth{name: name, boats: map[string]bool{}} // want `split-lock: q\.berths is read`
	q.mu.Unlock()
	return nil
}

func (q *quay) Moor(name, boat string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.berths[name]
	if b != nil {
		b.boats[boat] = true
	}
	return b != nil
}

// A jetty has one function that does not ask what the helper says.
type jetty struct {
	mu     sync.Mutex
	berths map[string]*berth
	booked map[string]bool
	dredge func(string) error
}

func (j *jetty) book(name string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.berths[name] != nil {
		return errTaken
	}
	if j.booked[name] {
		return errBooked
	}
	j.booked[name] = true
	return nil
}

// BuildAnywayBad goes on where another one has booked the name.
func (j *jetty) BuildAnywayBad(name string) error {
	if err := j.book(name); errors.Is(err, errTaken) {
		return err
	}
	err := j.dredge(name)
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.booked, name)
	if err != nil {
		return err
	}
	j.berths[name] = &berth{name: name, boats: map[string]bool{}} // want `split-lock: j\.berths is read`
	return nil
}

func (j *jetty) Moor(name, boat string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	b := j.berths[name]
	if b != nil {
		b.boats[boat] = true
	}
	return b != nil
}
