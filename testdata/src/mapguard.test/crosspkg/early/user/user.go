// Package user calls Init where it begins, in a goroutine, and looks later.
package user

import "mapguard.test/crosspkg/early/tables"

type program struct{ names []string }

// Start begins.
func (p *program) Start() { // want Start:`spawns`
	go runBad(p.names)
}

// program is what a service manager gets.
var _ interface{ Start() } = &program{}

func runBad(names []string) {
	tables.Init(names)
	tables.Add("x") // want `goroutine-race: tables.late .*another goroutine like it`
	for _, n := range names {
		go lookOk(n)
		go look(n)
	}
}

func lookOk(n string) int {
	i, _ := tables.Lookup(n)
	return i
}

func look(n string) int { return tables.Late(n) } // its finding is that of the call of Add
