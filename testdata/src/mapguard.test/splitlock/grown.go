package splitlock

import (
	"slices"
	"sync"
)

// A Mailer sends.
type Mailer interface{ Send(name string) error }

// Mails are sent once.
type Mails struct {
	out  Mailer
	mu   sync.RWMutex
	sent map[string][]string // topic to receivers
	last map[string]string
}

func (m *Mails) hasSent(topic, name string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Contains(m.sent[topic], name)
}

func (m *Mails) note(topic, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent[topic] = append(m.sent[topic], name)
}

// What is added to what the entry holds by then stands there twice.
func (m *Mails) SendBad(topic, name string) error {
	if m.hasSent(topic, name) {
		return nil
	}
	if err := m.out.Send(name); err != nil {
		return err
	}
	m.note(topic, name) // want `split-lock: m\.sent is read at line 33 and written here`
	return nil
}

// The entry is looked at once more before anything is added to it.
func (m *Mails) SendOk(topic, name string) error {
	if m.hasSent(topic, name) {
		return nil
	}
	if err := m.out.Send(name); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.Contains(m.sent[topic], name) {
		m.sent[topic] = append(m.sent[topic], name)
	}
	return nil
}

func (m *Mails) lastIs(topic, name string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.last[topic] == name
}

// The entry says what was done last: it is the same, however many come.
func (m *Mails) MarkOk(topic, name string) error {
	if m.lastIs(topic, name) {
		return nil
	}
	if err := m.out.Send(name); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last[topic] = name
	return nil
}
