package looks

import (
	"errors"
	"sync"
)

type volume struct{ open bool }

func (v *volume) close() error { v.open = false; return nil }

type manager struct {
	// mu protects volumes.
	mu      sync.Mutex
	volumes map[int]*volume
}

func (m *manager) get(id int) (*volume, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.volumes[id]
	if !ok {
		return nil, errors.New("no volume")
	}
	return v, nil
}

func (m *manager) add(id int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.volumes[id] = &volume{open: true}
}

func (m *manager) migrate(id int) error {
	v, err := m.get(id)
	if err != nil {
		return err
	}
	v.open = true
	return nil
}

// The act alone lacks the lock, and stands in a literal.
func (m *manager) removeBad(id int, vol *volume, result chan<- error) {
	go func() {
		remove := func() error {
			if err := m.migrate(id); err != nil { // want `check-then-act: .*`
				return err
			}
			delete(m.volumes, id)

			if err := vol.close(); err != nil {
				return err
			}
			return nil
		}
		result <- remove()
	}()
}
