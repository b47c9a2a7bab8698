package accepted

import "sync"

// A Machine's helpers run under its lock, by other ways than a plain call.
type Machine struct {
	mu    sync.Mutex
	nodes map[string]*item // guarded by mu
}

// Get looks up.
func (m *Machine) Get(k string) *item { m.mu.Lock(); defer m.mu.Unlock(); return m.nodes[k] }

// Put inserts.
func (m *Machine) Put(k string) { m.mu.Lock(); defer m.mu.Unlock(); m.nodes[k] = &item{} }

// A table of methods, of which one is called under the lock.

var steps = map[string]func(*Machine, string){"join": (*Machine).FP_joinOk, "leave": (*Machine).FP_leaveOk}

// What stands in a table of functions can run from anywhere, as far as is known,
// not only from stepOk.
// It would take following calls through a package-level table of functions that
// never changes.
func (m *Machine) FP_joinOk(k string) {
	if m.nodes[k] == nil { // want `check-then-act: `
		m.nodes[k] = &item{}
	}
}

// As above.
// It would take following calls through a package-level table of functions that
// never changes.
func (m *Machine) FP_leaveOk(k string) { delete(m.nodes, k) } // want `unguarded-access: `

func (m *Machine) stepOk(op, k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := steps[op]; f != nil {
		f(m, k)
	}
}

// A Tx has the lock from its begin to its end.
type Tx struct{ m *Machine }

// Begin takes the lock.
func (m *Machine) Begin() *Tx { m.mu.Lock(); return &Tx{m} }

// End gives it up.
func (t *Tx) End() { t.m.mu.Unlock() }

// EnsureOk inserts what is missing: between Begin and End, where alone there is
// a Tx.
func (t *Tx) EnsureOk(k string) {
	if t.m.nodes[k] == nil {
		t.m.nodes[k] = &item{}
	}
}

func (m *Machine) beginOk(k string) {
	t := m.Begin()
	defer t.End()
	t.EnsureOk(k)
}

// An update is the same for a closure.
type update struct{ m *Machine }

// Update runs f under the lock.
func (m *Machine) Update(f func(*update) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return f(&update{m})
}

// The literal finds the map through its parameter, which Update gives it.
func (m *Machine) UpdateOk(k string) error {
	return m.Update(func(u *update) error {
		if u.m.nodes[k] == nil {
			u.m.nodes[k] = &item{}
		}
		return nil
	})
}
