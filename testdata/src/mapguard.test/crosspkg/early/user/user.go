// Package user calls Init where it begins, in a goroutine, and looks later.
package user

import "mapguard.test/crosspkg/early/tables"

type program struct{ names []string }

// Start begins.
func (p *program) Start() { // want Start:`spawns`
	go runOk(p.names)
}

// program is what a service manager gets.
var _ interface{ Start() } = &program{}

func runOk(names []string) {
	tables.Init(names)
	tables.Add("x")
	for _, n := range names {
		go lookOk(n)
		go look(n)
	}
}

func lookOk(n string) int {
	i, _ := tables.Lookup(n)
	return i
}

// The call of Add is over by then.
func look(n string) int { return tables.Late(n) }
