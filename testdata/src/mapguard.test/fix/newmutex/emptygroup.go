package newmutex

import ()

// The group of imports is empty.
type emptyGroup struct{ counts map[string]int }

func (e *emptyGroup) start() {
	for range 3 {
		go e.addBad("a")
	}
}

func (e *emptyGroup) addBad(k string) {
	e.counts[k] = 1 // want `goroutine-race: e\.counts is written`
}
