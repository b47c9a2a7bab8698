package threads

import (
	"sync"
	"sync/atomic"
)

// What is filled before an atomic flag is set, once for each object, is only read by those who have found the flag set.

type readyTable struct {
	ready atomic.Bool
	rows  map[string]int
}

func newReadyTable(names []string) *readyTable {
	t := &readyTable{rows: map[string]int{}}
	go t.loadOk(names)
	return t
}

func (t *readyTable) loadOk(names []string) {
	for _, n := range names {
		t.rows[n]++
	}
	t.note("all")
	t.ready.Store(true)
}

func (t *readyTable) note(n string) { t.rows[n] = len(t.rows) }

func (t *readyTable) HasSynced() bool { return t.ready.Load() }

func (t *readyTable) RowOk(n string) int {
	if !t.ready.Load() {
		return 0
	}
	return t.rows[n]
}

func (t *readyTable) SyncedRowOk(n string) int {
	if t.HasSynced() {
		return t.look(n)
	}
	return 0
}

func (t *readyTable) look(n string) int { return t.rows[n] }

// A literal fills it, and sets the flag when it is done, whatever comes.
type readyLiteral struct {
	state atomic.Int32
	rows  map[string]int
}

func newReadyLiteralOk(names []string) *readyLiteral {
	t := &readyLiteral{rows: map[string]int{}}
	go func() {
		defer t.state.Store(1)
		for _, n := range names {
			t.rows[n]++
		}
	}()
	return t
}

func (t *readyLiteral) RowOk(n string) int {
	if t.state.Load() == 1 {
		return t.rows[n]
	}
	return 0
}

// Who starts it has claimed another flag.
type readyClaimed struct {
	mu      sync.Mutex
	started bool
	ready   atomic.Bool
	rows    map[string]int
}

func (t *readyClaimed) Start(names []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.started {
		t.started = true
		go t.loadOk(names)
	}
}

func (t *readyClaimed) loadOk(names []string) {
	t.rows = make(map[string]int)
	for _, n := range names {
		t.rows[n]++
	}
	t.ready.Store(true)
}

func (t *readyClaimed) RowOk(n string) int {
	if !t.ready.Load() {
		return 0
	}
	return t.rows[n]
}

// It is changed once more when the flag is set.
type readyLate struct {
	ready atomic.Bool
	rows  map[string]int
}

func newReadyLate(names []string) *readyLate {
	t := &readyLate{rows: map[string]int{}}
	go t.loadBad(names)
	return t
}

func (t *readyLate) loadBad(names []string) {
	for _, n := range names {
		t.rows[n] = 1 // want `unguarded-access: t\.rows is written`
	}
	t.ready.Store(true)
	t.rows["all"] = len(names)
}

func (t *readyLate) Row(n string) int {
	if !t.ready.Load() {
		return 0
	}
	return t.rows[n]
}

// The flag is set before all is there, in the first round.
type readyEarly struct {
	ready atomic.Bool
	rows  map[string]int
}

func newReadyEarly(names []string) *readyEarly {
	t := &readyEarly{rows: map[string]int{}}
	go t.loadBad(names)
	return t
}

func (t *readyEarly) loadBad(names []string) {
	for _, n := range names {
		t.rows[n] = 1 // want `unguarded-access: t\.rows is written`
		t.ready.Store(true)
	}
}

func (t *readyEarly) Row(n string) int {
	if !t.ready.Load() {
		return 0
	}
	return t.rows[n]
}

// One reader does not ask, another one goes on whatever it has found.
type readyUnasked struct {
	ready atomic.Bool
	rows  map[string]int
}

func newReadyUnasked(names []string) *readyUnasked {
	t := &readyUnasked{rows: map[string]int{}}
	go t.loadBad(names)
	return t
}

func (t *readyUnasked) loadBad(names []string) {
	for _, n := range names {
		t.rows[n] = 1 // want `unguarded-access: t\.rows is written`
	}
	t.ready.Store(true)
}

func (t *readyUnasked) Row(n string) int {
	if !t.ready.Load() {
		println("not yet")
	}
	return t.rows[n]
}

// The flag is set back to fill it anew.
type readyAgain struct {
	ready atomic.Bool
	rows  map[string]int
}

func newReadyAgain(names []string) *readyAgain {
	t := &readyAgain{rows: map[string]int{}}
	go t.loadBad(names)
	return t
}

func (t *readyAgain) loadBad(names []string) {
	for _, n := range names {
		t.rows[n] = 1 // want `unguarded-access: t\.rows is written`
	}
	t.ready.Store(true)
}

func (t *readyAgain) Reset() { t.ready.Store(false) }

func (t *readyAgain) Row(n string) int {
	if !t.ready.Load() {
		return 0
	}
	return t.rows[n]
}

// A plain flag orders nothing.
type readyPlain struct {
	ready bool
	rows  map[string]int
}

func newReadyPlain(names []string) *readyPlain {
	t := &readyPlain{rows: map[string]int{}}
	go t.loadBad(names)
	return t
}

func (t *readyPlain) loadBad(names []string) {
	for _, n := range names {
		t.rows[n] = 1 // want `unguarded-access: t\.rows is written`
	}
	t.ready = true
}

func (t *readyPlain) Row(n string) int {
	if !t.ready {
		return 0
	}
	return t.rows[n]
}

// It is filled by each one who asks for it.
type readyMany struct {
	ready atomic.Bool
	rows  map[string]int
}

func (t *readyMany) Load(names []string) {
	for range 2 {
		go t.loadBad(names)
	}
}

func (t *readyMany) loadBad(names []string) {
	for _, n := range names {
		t.rows[n] = 1 // want `: t\.rows is written`
	}
	t.ready.Store(true)
}

func (t *readyMany) Row(n string) int {
	if !t.ready.Load() {
		return 0
	}
	return t.rows[n]
}

// Another one changes it, who has found the flag set.
type readyOther struct {
	ready atomic.Bool
	rows  map[string]int
}

func newReadyOther(names []string) *readyOther {
	t := &readyOther{rows: map[string]int{}}
	go t.loadBad(names)
	return t
}

func (t *readyOther) loadBad(names []string) {
	for _, n := range names {
		t.rows[n] = 1 // want `unguarded-access: t\.rows is written`
	}
	t.ready.Store(true)
}

func (t *readyOther) Drop(n string) {
	if t.ready.Load() {
		delete(t.rows, n)
	}
}

func (t *readyOther) Row(n string) int {
	if !t.ready.Load() {
		return 0
	}
	return t.rows[n]
}

// The map is fetched before the flag is looked at: it may be the one before. What is read then is changed by nothing else
// as long as the package shows, but the variable is.
type readyFetched struct {
	ready atomic.Bool
	rows  map[string]int
}

func newReadyFetched(names []string) *readyFetched {
	t := &readyFetched{rows: map[string]int{}}
	go t.loadBad(names)
	return t
}

func (t *readyFetched) loadBad(names []string) {
	t.rows = map[string]int{}
	for _, n := range names {
		t.rows[n] = 1 // want `: t\.rows is written`
	}
	t.ready.Store(true)
}

func (t *readyFetched) Row(n string) int {
	rows := t.rows
	if !t.ready.Load() {
		return 0
	}
	return rows[n]
}
