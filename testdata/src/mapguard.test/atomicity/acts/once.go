package acts

import (
	"sync"
	"time"
)

// A map that tells whether something was done already, and what is done when
// it was not: everybody who finds it undone does it.
type watcher struct {
	mu     sync.Mutex
	seen   map[string]struct{}  // guarded by mu
	done   map[string]bool      // guarded by mu
	last   map[string]time.Time // guarded by mu
	mail   chan string
	notify func(string)
}

func (w *watcher) watch(string) {}

func listen(string) error { return nil }

func (w *watcher) startBad(k string) {
	w.mu.Lock()
	_, ok := w.seen[k]
	w.mu.Unlock()
	if ok {
		return
	}
	go w.watch(k)
	w.mu.Lock()
	w.seen[k] = struct{}{} // want `split-lock: `
	w.mu.Unlock()
}

func (w *watcher) startOk(k string) {
	w.mu.Lock()
	_, ok := w.seen[k]
	w.seen[k] = struct{}{}
	w.mu.Unlock()
	if !ok {
		go w.watch(k)
	}
}

// The side effect comes after the mark; two have decided to do it all the same.
func (w *watcher) startAfterwardsBad(k string) {
	w.mu.Lock()
	_, ok := w.seen[k]
	w.mu.Unlock()
	if ok {
		return
	}
	w.mu.Lock()
	w.seen[k] = struct{}{} // want `split-lock: `
	w.mu.Unlock()
	go w.watch(k)
}

func (w *watcher) listenBad(addr string) error {
	w.mu.Lock()
	up := w.done[addr]
	w.mu.Unlock()
	if up {
		return nil
	}
	if err := listen(addr); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done[addr] = true // want `split-lock: .*, low`
	return nil
}

func (w *watcher) listenOk(addr string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done[addr] {
		return nil
	}
	if err := listen(addr); err != nil {
		return err
	}
	w.done[addr] = true
	return nil
}

func (w *watcher) sendBad(k string) {
	w.mu.Lock()
	_, ok := w.seen[k]
	w.mu.Unlock()
	if !ok {
		w.mail <- k
		w.mu.Lock()
		w.seen[k] = struct{}{} // want `split-lock: `
		w.mu.Unlock()
	}
}

func (w *watcher) callbackBad(k string) {
	w.mu.Lock()
	told := w.done[k]
	w.mu.Unlock()
	if !told {
		w.notify(k)
		w.mu.Lock()
		w.done[k] = true // want `split-lock: .*, low`
		w.mu.Unlock()
	}
}

// At most once a minute, it says.
func (w *watcher) throttleBad(k string) {
	w.mu.Lock()
	t := w.last[k]
	w.mu.Unlock()
	if time.Since(t) < time.Minute {
		return
	}
	w.mail <- k
	w.mu.Lock()
	w.last[k] = time.Now() // want `split-lock: .*, low`
	w.mu.Unlock()
}

func (w *watcher) throttleOk(k string) {
	w.mu.Lock()
	if time.Since(w.last[k]) < time.Minute {
		w.mu.Unlock()
		return
	}
	w.last[k] = time.Now()
	w.mu.Unlock()
	w.mail <- k
}

func (w *watcher) marked(k string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, ok := w.seen[k]
	return ok
}

func (w *watcher) mark(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen[k] = struct{}{}
}

func (w *watcher) helpersBad(k string) {
	if w.marked(k) {
		return
	}
	w.notify(k)
	w.mark(k) // want `split-lock: .*, low`
}

// firstTime looks and marks at once.
func (w *watcher) firstTime(k string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.seen[k]; ok {
		return false
	}
	w.seen[k] = struct{}{}
	return true
}

func (w *watcher) firstTimeOk(k string) {
	if w.firstTime(k) {
		w.notify(k)
	}
}

// Marking twice is all that can happen.
func (w *watcher) onlyMarksOk(k string) {
	if !w.marked(k) {
		w.mark(k)
	}
}

// The mark is taken away again by the one that finds it: two find it.
func (w *watcher) finishBad(k string) {
	w.mu.Lock()
	_, ok := w.seen[k]
	w.mu.Unlock()
	if !ok {
		return
	}
	w.notify(k)
	w.mu.Lock()
	delete(w.seen, k) // want `split-lock: .*, low`
	w.mu.Unlock()
}

func (w *watcher) finishOk(k string) {
	w.mu.Lock()
	_, ok := w.seen[k]
	delete(w.seen, k)
	w.mu.Unlock()
	if ok {
		w.notify(k)
	}
}

// In progress: one begins, the others go away.
func (w *watcher) inProgressOk(k string) {
	w.mu.Lock()
	if w.done[k] {
		w.mu.Unlock()
		return
	}
	w.done[k] = true
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.done, k)
		w.mu.Unlock()
	}()
	w.notify(k)
}
