package newmutex

import "sync"

// The lock that is declared beside sayings is meant for it, if it is held rarely: that gets no second one.
var (
	sayingsMu sync.Mutex
	sayings   = make(map[string]int)
	silences  = make(map[string]bool)
)

func say(word string) {
	sayingsMu.Lock()
	defer sayingsMu.Unlock()
	sayings[word] = 1
}

// UnsayBad takes one back.
func UnsayBad(word string) {
	delete(sayings, word) // want `unguarded-access: .*`
}

// UnsayAllBad takes all back.
func UnsayAllBad() {
	clear(sayings) // want `unguarded-access: .*`
}

// SaidBad reads.
func SaidBad(word string) int {
	return sayings[word] // want `unguarded-access: .*`
}

// KeepBad adds a silence.
func KeepBad(word string) {
	silences[word] = true // want `unguarded-access: .*`
}

// BreakBad ends it.
func BreakBad(word string) {
	if !silences[word] { // want `check-then-act: .*`
		return
	}
	delete(silences, word)
}
