package paths

import "sync"

// A table is a named map type that its own methods change.
type table map[string]*conn

func (t table) has(k string) bool { return t[k] != nil }

func (t table) put(k string) { t[k] = &conn{} }

func (t table) ensure(k string) {
	if t[k] == nil {
		t[k] = &conn{}
	}
}

func (t *table) reset() { *t = make(table) }

type withTable struct {
	mu sync.Mutex
	t  table // guarded by mu
}

// The map's methods do not know of the lock: their callers are to take it.
func (w *withTable) methodsBad(k string) {
	if !w.t.has(k) { // want `check-then-act: .*w\.t`
		w.t.put(k)
	}
}

func (w *withTable) methodsOk(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.t.has(k) {
		w.t.put(k)
	}
}

func (w *withTable) ensureBad(k string) {
	w.t.ensure(k) // want `check-then-act: .*w\.t`
}

func (w *withTable) ensureOk(k string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t.ensure(k)
}

func (w *withTable) pointerMethodBad() {
	if len(w.t) > 100 { // want `check-then-act: .*w\.t`
		w.t.reset()
	}
}

func (w *withTable) pointerMethodOk() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.t) > 100 {
		w.t.reset()
	}
}

// helperCheck and helperAct take the map as a parameter.
func helperCheck(m map[string]*conn, k string) bool { _, ok := m[k]; return ok }

func helperAct(m map[string]*conn, k string) { m[k] = &conn{} }

func (r *registry) parameterBad(k string) {
	if !helperCheck(r.direct, k) { // want `check-then-act: .*r\.direct`
		helperAct(r.direct, k)
	}
}

func (r *registry) parameterOk(k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !helperCheck(r.direct, k) {
		helperAct(r.direct, k)
	}
}

// A named map is converted to a plain one on the way.
func (w *withTable) convertedBad(k string) {
	if !helperCheck(map[string]*conn(w.t), k) { // want `check-then-act: .*w\.t`
		helperAct(w.t, k)
	}
}
