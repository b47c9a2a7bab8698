package syncmap

import (
	"errors"
	"sync"
)

type shops struct {
	locked sync.Map
	seen   sync.Map
}

// A key is marked as taken, and given back at the end.
func (s *shops) closeBad(name string) (err error) {
	if _, ok := s.locked.Load(name); ok {
		err = errors.New("it is being closed")
		return
	}

	s.locked.Store(name, true) // want `sync-map: .*LoadOrStore`
	defer s.locked.Delete(name)

	println(name)
	return nil
}

// The look stands by itself, and what is stored has no content.
func (s *shops) visitBad(name string) bool {
	_, known := s.seen.Load(name)
	if known {
		return false
	}
	s.seen.Store(name, struct{}{}) // want `sync-map: .*LoadOrStore`
	println(name)
	return true
}

// The map is used afterwards, too.
func (s *shops) clearedBad(k string) {
	if _, ok := s.seen.Load(k); !ok {
		s.seen.Store(k, &conn{}) // want `sync-map: .*LoadOrStore`
	}
	s.locked.Delete(k)
	s.seen.Clear()
}

// The Store is the first of what is done where there is none yet, and the caller is told that it was.
func (s *shops) firstBad(name string) bool {
	if _, ok := s.seen.Load(name); !ok {
		s.seen.Store(name, true) // want `sync-map: .*LoadOrStore`
		return true
	}
	return false
}

// The look is defined in front, and told afterwards.
func (s *shops) toldBad(name string) bool {
	_, known := s.seen.Load(name)
	if !known {
		s.seen.Store(name, conn{}) // want `sync-map: .*LoadOrStore`
		println(name)
	}
	return !known
}

// It is one of several branches, and the key is an element.
func (s *shops) newOnesBad(names []string) (out []string) {
	for i := range names {
		if names[i] == "" {
			continue
		} else if _, ok := s.locked.Load(names[i]); !ok {
			s.locked.Store(names[i], i) // want `sync-map: .*LoadOrStore`
			out = append(out, names[i])
		}
	}
	return out
}

var errTaken = errors.New("taken")

type desk struct{ seats, plans, rows sync.Map }

// Who comes second is told so: the look makes the step.
func (d *desk) seatBad(name string, s *seat) error {
	if _, ok := d.seats.Load(name); ok {
		return errTaken
	}
	d.seats.Store(name, s) // want `sync-map: .*LoadOrStore`
	return nil
}

// The error tells the two apart: entries are made in turn.
func (d *desk) planBad(name string, s *seat) (*seat, error) {
	if v, ok := d.plans.Load(name); ok {
		return v.(*seat), errTaken
	}
	d.plans.Store(name, s) // want `sync-map: .*LoadOrStore`
	return s, nil
}

// Both are told the same: the value of the map is gone on with.
func (d *desk) rowBad(name string) (*seat, error) {
	if v, ok := d.rows.Load(name); ok {
		return v.(*seat), nil
	}
	s := &seat{}
	d.rows.Store(name, s) // want `sync-map: .*LoadOrStore`
	return s, nil
}

type seat struct{ row int }
