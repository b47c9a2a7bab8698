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
