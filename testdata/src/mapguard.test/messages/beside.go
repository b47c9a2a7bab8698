package messages

// One goroutine alone makes the pair; what another one does comes in between.
type ledger struct {
	lines map[string]int
	names chan string
	late  chan string
}

// NewLedger starts both.
func NewLedger() *ledger {
	l := &ledger{lines: make(map[string]int), names: make(chan string), late: make(chan string)}
	go l.fill()
	go func() {
		for name := range l.late {
			l.lines[name] = -1 // reported
		}
	}()
	return l
}

func (l *ledger) fill() {
	for name := range l.names {
		if _, ok := l.lines[name]; !ok { // reported
			l.lines[name] = 1
		}
	}
}
