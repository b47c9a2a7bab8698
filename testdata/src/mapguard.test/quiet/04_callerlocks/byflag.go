package callerlocks

import (
	"errors"
	"sync"
)

// An order of a mill comes with the lock of the mill's workers, if it is one to grind, or with that of those who look on. What gets
// such an order has the lock, by whichever way it comes to the mill.
type Mill struct {
	looking sync.RWMutex
	working sync.Mutex // guards wheels
	sacks   map[string]int
	wheels  map[*Wheel]bool
}

type Order struct {
	grinds bool
	over   bool
	at     *Mill
}

type Wheel struct{ of *Mill }

var errLooksOn = errors.New("order to look on")

func newOrder(m *Mill, grinds bool) *Order { return &Order{grinds: grinds, at: m} }

func (m *Mill) Take(grinds bool) (*Order, error) {
	if !grinds {
		m.looking.RLock()
		return newOrder(m, false), nil
	}
	m.working.Lock()
	return newOrder(m, true), nil
}

func (m *Mill) End(o *Order) {
	if o.grinds {
		m.working.Unlock()
	} else {
		m.looking.RUnlock()
	}
	o.over = true
}

func (m *Mill) AddOk(o *Order) (*Wheel, error) {
	if !o.grinds {
		return nil, errLooksOn
	}
	w := &Wheel{of: m}
	m.wheels[w] = true
	return w, nil
}

func (w *Wheel) RemoveOk(o *Order) error {
	if !o.grinds {
		return errLooksOn
	}
	delete(w.of.wheels, w)
	return nil
}

// The order may be one to look on.
func (w *Wheel) StopBad(o *Order) {
	w.of.wheels[w] = false // want `unguarded-access: .*wheels.*, low`
}

func (w *Wheel) TurnBad(o *Order) {
	if o.grinds {
		return
	}
	w.of.wheels[w] = true // want `unguarded-access: .*wheels.*, low`
}

// It says that it is over, which is another flag.
func (w *Wheel) HaltBad(o *Order) {
	if o.over {
		return
	}
	w.of.wheels[w] = false // want `unguarded-access: .*wheels.*, low`
}

// The order ends before the map is changed.
func (w *Wheel) EndBad(o *Order) {
	if !o.grinds {
		return
	}
	w.of.End(o)
	delete(w.of.wheels, w) // want `unguarded-access: .*wheels.*, low`
}

func Grind(m *Mill) error {
	o, err := m.Take(true)
	if err != nil {
		return err
	}
	defer m.End(o)
	_, err = m.AddOk(o)
	return err
}

func (m *Mill) Wheels() int {
	m.working.Lock()
	defer m.working.Unlock()
	return len(m.wheels)
}

func (m *Mill) Clear() {
	m.working.Lock()
	defer m.working.Unlock()
	clear(m.wheels)
}

func (m *Mill) Pairs() (n int) {
	m.working.Lock()
	defer m.working.Unlock()
	for _, on := range m.wheels {
		if on {
			n++
		}
	}
	return n
}
