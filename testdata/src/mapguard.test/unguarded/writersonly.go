package unguarded

// Marks is safe for use by multiple goroutines. Nothing here reads it, but two
// writers are enough.
type Marks struct{ m map[string]bool }

// SetBad sets a mark.
func (m *Marks) SetBad(k string) { m.m[k] = true } // want `unguarded-access: `

// Notes are for one goroutine at a time.
type Notes struct{ m map[string]bool }

// SetOk sets a note.
func (n *Notes) SetOk(k string) { n.m[k] = true }

// Ticket is not safe to be shared by multiple goroutines.
type Ticket struct{ m map[string]bool }

// SetOk sets a flag.
func (t *Ticket) SetOk(k string) { t.m[k] = true }
