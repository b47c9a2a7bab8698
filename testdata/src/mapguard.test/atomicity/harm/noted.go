package harm

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// What the entry says decides that something is done, and then it is noted.
type keeper struct {
	mu    sync.Mutex
	state map[string]string
	tries map[string]int
	seen  map[string]record
	out   io.Writer
	drop  func(string)
}

type record struct {
	at   time.Time
	text string
}

func (k *keeper) stateOf(id string) string { k.mu.Lock(); defer k.mu.Unlock(); return k.state[id] }

func (k *keeper) note(id, state string) { k.mu.Lock(); defer k.mu.Unlock(); k.state[id] = state }

func (k *keeper) notesBad(id string) {
	if k.stateOf(id) == "old" {
		k.drop(id)
		k.note(id, "gone") // want `split-lock: .*, low`
	}
}

// The entry is set first, and says who does it: both do.
func (k *keeper) claimsBad(id string) {
	if k.stateOf(id) != "busy" {
		k.note(id, "busy") // want `split-lock: .*, low`
		k.drop(id)
	}
}

// A goroutine lives on, wherever it begins.
func (k *keeper) startsBad(id string) {
	if k.stateOf(id) == "old" {
		go k.drop(id)
		k.note(id, "gone") // want `split-lock: .*high`
	}
}

func (k *keeper) triesOf(id string) int { k.mu.Lock(); defer k.mu.Unlock(); return k.tries[id] }

func (k *keeper) tried(id string) { k.mu.Lock(); defer k.mu.Unlock(); k.tries[id]++ }

// A number that counts is a limit.
func (k *keeper) limitBad(id string) error {
	if k.triesOf(id) > 3 {
		return errors.New("too many tries")
	}
	k.drop(id)
	k.tried(id) // want `split-lock: .*high`
	return nil
}

func (k *keeper) tell(format string, args ...any) {
	if k.out != nil {
		fmt.Fprintf(k.out, format, args...)
	}
}

// A line too many in a log of one's own.
func (k *keeper) tellsBad(id string) {
	k.mu.Lock()
	_, ok := k.state[id]
	k.mu.Unlock()
	if ok {
		return
	}
	k.tell("new: %s", id)
	k.mu.Lock()
	k.state[id] = "new" // want `split-lock: .*, low`
	k.mu.Unlock()
}

// Each field is set anew: nothing of the old record is kept.
func (k *keeper) renewsBad(id, text string) string {
	k.mu.Lock()
	r, ok := k.seen[id]
	k.mu.Unlock()
	if ok && r.at.After(time.Now()) {
		return r.text
	}
	k.drop(id)
	k.mu.Lock()
	defer k.mu.Unlock()
	r.text = text
	r.at = time.Now()
	k.seen[id] = r // want `split-lock: .*, low`
	return text
}

// Another goroutine's text is lost.
func (k *keeper) keepsBad(id string) {
	k.mu.Lock()
	r := k.seen[id]
	k.mu.Unlock()
	if r.at.After(time.Now()) {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	r.at = time.Now()
	k.seen[id] = r // want `split-lock: .*high`
}
