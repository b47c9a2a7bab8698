// Package lib makes its maps when they are first asked for.
package lib

import "sync"

// A Table is filled once.
type Table struct {
	once sync.Once
	mu   sync.Mutex
	rows map[string]int
}

func (t *Table) fill() { t.rows = map[string]int{"first": 1} }

// Row fills the table first.
func (t *Table) Row(k string) int { // want Row:`.`
	t.once.Do(t.fill)
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rows[k]
}

// Open has no lock at all.
type Open struct{ rows map[string]int }

// Set puts a row in.
func (o *Open) Set(k string) { o.rows[k] = 1 } // want Set:`.`
