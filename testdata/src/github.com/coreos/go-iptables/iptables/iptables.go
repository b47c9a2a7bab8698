// Package iptables stands in for the library.
package iptables

// An IPTables runs the command.
type IPTables struct{}

// An Option sets something.
type Option func(*IPTables)

// New returns one.
func New(opts ...Option) (*IPTables, error)

// NewChain makes a chain, by a command that it runs.
func (t *IPTables) NewChain(table, chain string) error

// WaitFor waits for a packet. The library has no such method.
func (t *IPTables) WaitFor(chain string) error
