// Package user hires boats in another package.
package user

import "mapguard.test/lockstates/hired/lib"

func rowOk(p *lib.Pier, name, oar string) {
	b, _ := p.Hire(name)
	defer b.Mu.Unlock()
	if _, ok := b.Oars[oar]; !ok {
		b.Oars[oar] = 1
	}
}

func rowLateBad(p *lib.Pier, name, oar string) {
	b, _ := p.Hire(name)
	b.Mu.Unlock()
	if _, ok := b.Oars[oar]; !ok { // want `check-then-act: .*Oars is read here, then written`
		b.Oars[oar] = 1
	}
}

// Row uses both.
func Row(p *lib.Pier, name string) {
	rowOk(p, name, "left")
	rowLateBad(p, name, "right")
}
