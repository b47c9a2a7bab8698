package refused

import (
	"os"
	"sync"
)

// A handle is looked up, ended, and deleted, in ways in which it cannot be deleted where it is looked up.
type handles struct {
	mu sync.Mutex
	// byName is guarded by mu.
	byName map[string]*os.File
	last   *handleName
}

type handleName struct{ text string }

func (h *handles) put(k string, f *os.File) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.byName[k] = f
}

func (h *handles) other(k, other string) {
	if f, ok := h.byName[k]; ok { // want `.*`
		f.Close()
		delete(h.byName, other)
	}
}

func (h *handles) changed(k string) {
	if f, ok := h.byName[k]; ok { // want `.*`
		k = f.Name()
		f.Close()
		delete(h.byName, k)
	}
}

// Others may give the field another name meanwhile.
func (h *handles) ofLast() {
	if f, ok := h.byName[h.last.text]; ok { // want `.*`
		f.Close()
		delete(h.byName, h.last.text)
	}
}

// What cannot be closed stays.
func (h *handles) kept(k string) error {
	if f, ok := h.byName[k]; ok { // want `.*`
		if err := f.Close(); err != nil {
			return err
		}
		delete(h.byName, k)
	}
	return nil
}

func (h *handles) counted(k string) int {
	if f, ok := h.byName[k]; ok { // want `.*`
		f.Close()
		delete(h.byName, k)
	}
	return len(h.byName)
}

func (h *handles) seen(k string) {
	if f, ok := h.byName[k]; ok { // want `.*`
		f.Close()
		h.report()
		delete(h.byName, k)
	}
}

func (h *handles) report() {
	h.mu.Lock()
	n := len(h.byName)
	h.mu.Unlock()
	println(n)
}

func (h *handles) seenBeside(k string) {
	if f, ok := h.byName[k]; ok { // want `.*`
		go func() {
			h.mu.Lock()
			defer h.mu.Unlock()
			println(h.byName[k].Name())
		}()
		f.Close()
		delete(h.byName, k)
	}
}

// Not each entry that is found is deleted.
func (h *handles) some(k string, all bool) {
	if f, ok := h.byName[k]; ok && all { // want `.*`
		f.Close()
		delete(h.byName, k)
	}
}

func (h *handles) sometimes(k string, all bool) {
	if f, ok := h.byName[k]; ok { // want `.*`
		f.Close()
		if all {
			os.Remove(k)
			delete(h.byName, k)
		}
	}
}

func (h *handles) headed(k string) {
	f, ok := h.byName[k] // want `.*`
	if n := len(k); ok {
		println(n)
		f.Close()
		delete(h.byName, k)
	}
}

func (h *handles) jumps(k string) {
	if f, ok := h.byName[k]; ok { // want `.*`
	again:
		if f.Close() == nil {
			goto again
		}
		delete(h.byName, k)
	}
}

func (h *handles) said(k string) {
	if f, ok := h.byName[k]; /* it is there */ ok { // want `.*`
		f.Close()
		delete(h.byName, k)
	}
}

// The deletion has more than a line.
func (h *handles) inTwoLines(k string) {
	if f, ok := h.byName[k]; ok { // want `.*`
		os.Remove(k)
		f.Close()
		delete(h.byName,
			k)
	}
}

func (h *handles) value(k string) {
	if f := h.byName[k]; f != nil { // want `.*`
		f.Close()
		delete(h.byName, k)
	}
}

func (h *handles) deferred(k string) {
	if f, ok := h.byName[k]; ok { // want `.*`
		f.Close()
		defer delete(h.byName, k)
	}
}

var lastHandle = "none"

func renameLast(k string) { lastHandle = k }

// What runs in between gives the variable another name.
func (h *handles) ofPackage() {
	if f, ok := h.byName[lastHandle]; ok { // want `.*`
		f.Close()
		renameLast(f.Name())
		delete(h.byName, lastHandle)
	}
}

// It says itself that the entry may stay.
func (h *handles) panics(k string) {
	if f, ok := h.byName[k]; ok { // want `.*`
		if err := f.Close(); err != nil {
			panic(err)
		}
		delete(h.byName, k)
	}
}

// There are two sets of handles: what runs in between puts one in place of the other.
type handleSets struct {
	now *handles
}

var handlesNow = &handles{byName: make(map[string]*os.File)}

func swapHandles(h *handles) { handlesNow = h }

func endInNow(k string, next *handles) {
	if f, ok := handlesNow.byName[k]; ok { // want `.*`
		f.Close()
		swapHandles(next)
		delete(handlesNow.byName, k)
	}
}

func (s *handleSets) swap(h *handles) { s.now = h }

func (s *handleSets) end(k string, next *handles) {
	if f, ok := s.now.byName[k]; ok { // want `.*`
		f.Close()
		s.swap(next)
		delete(s.now.byName, k)
	}
}

// A sleeper looks itself up when it is told to end, and is waited for.
type sleepers struct {
	mu sync.Mutex
	// byName is guarded by mu.
	byName map[string]*sleeper
}

type sleeper struct {
	name       string
	stop, done chan bool
}

func (w *sleepers) start(k string) {
	one := &sleeper{k, make(chan bool), make(chan bool)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.byName[k] = one
	go w.run(one)
}

func (w *sleepers) run(one *sleeper) {
	<-one.stop
	w.mu.Lock()
	_, known := w.byName[one.name]
	w.mu.Unlock()
	if known {
		os.Remove(one.name)
	}
	close(one.done)
}

func (w *sleepers) end(k string) {
	if one, ok := w.byName[k]; ok { // want `.*`
		close(one.stop)
		<-one.done
		delete(w.byName, k)
	}
}
