package registration

// A noter registers what comes in while it runs: the name says start-up, the
// goroutines do not.
type noter struct{ last map[string]int }

func newNoter() *noter { return &noter{last: make(map[string]int)} }

func (n *noter) lastOf(ref string) int { return n.last[ref] }

func (n *noter) RegisterTimeBad(ref string, t int) {
	if t > n.lastOf(ref) { // want `check-then-act: n.last is read here in noter.lastOf, then written at line 13`
		n.last[ref] = t
	}
}

// Note notes what comes from two sources.
func Note(a, b <-chan string) {
	n := newNoter()
	go func() {
		for ref := range a {
			n.RegisterTimeBad(ref, 1)
		}
	}()
	go func() {
		for ref := range b {
			n.RegisterTimeBad(ref, 2)
		}
	}()
}

// A table is filled before the goroutine starts that reads it.
type table struct{ rows map[string]int }

// RegisterRowOk fills it.
func (t *table) RegisterRowOk(name string, row int) { t.rows[name] = row }

// ServeOk reads what was registered.
func (t *table) ServeOk(names <-chan string, out chan<- int) {
	go func() {
		for name := range names {
			out <- t.rows[name]
		}
	}()
}
