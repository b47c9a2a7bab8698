// Package slow calls another module while it makes what a map lacks.
package slow

import "github.com/coreos/go-iptables/iptables"

// Chains are safe for concurrent use. A chain is made once, by another module, which takes long.
type Chains struct {
	tables *iptables.IPTables
	made   map[string]bool
}

// EnsureBad makes a chain, and others wait for it.
func (c *Chains) EnsureBad(name string) error {
	if c.made[name] { // want `check-then-act: .*`
		return nil
	}
	if c.tables == nil {
		t, err := iptables.New()
		if err != nil {
			return err
		}
		c.tables = t
	}
	if err := c.tables.NewChain("filter", name); err != nil {
		return err
	}
	c.made[name] = true
	return nil
}

// Opened is safe for concurrent use. One that comes second can be dropped: nothing is held meanwhile.
type Opened struct {
	tables map[string]*iptables.IPTables
}

// GetBad opens one.
func (o *Opened) GetBad(name string) *iptables.IPTables {
	if t, ok := o.tables[name]; ok { // want `check-then-act: .*`
		return t
	}
	t, err := iptables.New()
	if err != nil {
		return nil
	}
	o.tables[name] = t
	return t
}
