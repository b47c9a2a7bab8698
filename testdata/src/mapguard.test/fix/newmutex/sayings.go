package newmutex

import "sync"

// The lock that is declared beside sayings may be meant for it, if it is held rarely: that gets no second one.
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

func unsay(word string) { delete(sayings, word) }

func said(word string) int { return sayings[word] }

// KeepBad adds a silence.
func KeepBad(word string) {
	silences[word] = true
}

// BreakBad ends it.
func BreakBad(word string) {
	if !silences[word] { // want `check-then-act: .*`
		return
	}
	delete(silences, word)
}
