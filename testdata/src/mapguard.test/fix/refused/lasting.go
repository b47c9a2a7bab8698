package refused

import "github.com/coreos/go-iptables/iptables"

// Watched is safe for concurrent use. What it waits for may never come.
type Watched struct {
	tables *iptables.IPTables
	seen   map[string]bool
}

// FirstBad waits for the first packet in a chain.
func (w *Watched) FirstBad(chain string) error {
	if w.seen[chain] { // want `check-then-act: .*`
		return nil
	}
	if err := w.tables.WaitFor(chain); err != nil {
		return err
	}
	w.seen[chain] = true
	return nil
}

// Hooked is safe for concurrent use. What it gives away may call it back.
type Hooked struct {
	made map[string]bool
}

// OpenBad opens one.
func (h *Hooked) OpenBad(name string) error {
	if h.made[name] { // want `check-then-act: .*`
		return nil
	}
	if _, err := iptables.New(func(*iptables.IPTables) { _ = h.OpenBad("base") }); err != nil {
		return err
	}
	h.made[name] = true
	return nil
}
