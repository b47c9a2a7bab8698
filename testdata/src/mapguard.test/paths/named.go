package paths

import "sync"

// A table is a named map type that its own methods change.
type table map[string]*conn

func (t table) has(k string) bool { return t[k] != nil } // want `check-then-act: .*w\.t`

func (t table) put(k string) { t[k] = &conn{} }

func (t table) ensure(k string) {
	if t[k] == nil { // want `check-then-act: .*w\.t`
		t[k] = &conn{}
	}
}

func (t *table) reset() { *t = make(table) }

type withTable struct {
	mu sync.Mutex
	t  table // guarded by mu
}

// The report stands in the map's method, not here where the lock is missing.
func (w *withTable) FN_methodsBad(k string) {
	if !w.t.has(k) {
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

// As above.
func (w *withTable) FN_ensureBad(k string) {
	w.t.ensure(k)
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
func helperCheck(m map[string]*conn, k string) bool { _, ok := m[k]; return ok } // want `check-then-act: .*r\.direct` `check-then-act: .*w\.t`

func helperAct(m map[string]*conn, k string) { m[k] = &conn{} }

// The report stands in the helper, not here where the lock is missing.
func (r *registry) FN_parameterBad(k string) {
	if !helperCheck(r.direct, k) {
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
// The report stands in the helper.
func (w *withTable) FN_convertedBad(k string) {
	if !helperCheck(map[string]*conn(w.t), k) {
		helperAct(w.t, k)
	}
}
