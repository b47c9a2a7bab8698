package threads

import "sync/atomic"

// The claimer of a flag that is never set back is the only one to do so.

type lazy struct {
	claimed atomic.Bool
	rows    map[string]int
}

func (l *lazy) fillOk() {
	if !l.claimed.CompareAndSwap(false, true) {
		return
	}
	l.rows = make(map[string]int)
	l.rows["a"] = 1
}

func (l *lazy) Start() {
	go l.fillOk()
	l.fillOk()
}

type first struct {
	n    atomic.Int32
	rows map[string]int
}

func (f *first) Start(keys []string) {
	for range keys {
		go func() {
			if f.n.Add(1) == 1 {
				f.rows["a"] = 1
			}
		}()
	}
}

// One that is set back is claimed again.

type busy struct {
	claimed atomic.Bool
	rows    map[string]int
}

func (b *busy) runBad(done chan<- bool) {
	if !b.claimed.CompareAndSwap(false, true) {
		done <- true
	}
	b.rows["a"] = 1 // want `b\.rows is written`
	b.claimed.Store(false)
}

func (b *busy) Start(done chan<- bool) {
	for range 4 {
		go b.runBad(done)
	}
}
