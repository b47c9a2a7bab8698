// Package user starts goroutines that ask.
package user

import "mapguard.test/crosspkg/once/lib"

type desk struct {
	table *lib.Table
	open  *lib.Open
}

func (d *desk) askOk() {
	go d.table.Row("a")
	go d.table.Row("b")
}

func (d *desk) setBad() {
	go d.open.Set("a") // want `goroutine-race: `
	go d.open.Set("b")
}
