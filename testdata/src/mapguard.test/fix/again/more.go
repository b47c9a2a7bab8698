package again

import "sync"

// The entry's absence is one of two conditions.

type watcher struct {
	sync.RWMutex
	watched map[string]bool
	every   int
	done    chan string
}

func (w *watcher) poll(name string) {
	for range w.every {
		println(name)
	}
}

func (w *watcher) seen(name string) bool {
	w.RLock()
	defer w.RUnlock()
	return w.watched[name]
}

func (w *watcher) startBad(name string) bool {
	if w.every > 9 {
		w.Lock()
		delete(w.watched, name)
		w.Unlock()
		w.done <- name
	}

	w.RLock()
	_, ok := w.watched[name]
	w.RUnlock()

	if w.every > 0 && !ok {
		w.Lock()

		// noted
		w.watched[name] = true // want `split-lock: .*`
		go w.poll(name)
		w.Unlock()
	}
	println(name)
	return <-w.done == name
}
