package callerlocks

import "sync"

// A helper whose callers hold the lock can be given an object that no other goroutine
// knows; the lock is for the one that all know.

type menu struct{ dishes map[string]int }

type kitchen struct {
	mu   sync.Mutex
	menu *menu // guarded by mu
	all  map[string]*menu
}

func (k *kitchen) cook(dish string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.menu.dishes[dish]++
}

func (k *kitchen) strike(dish string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.menu.dishes, dish)
}

// total is for the kitchen's own menu, or for one that is being planned.
func (k *kitchen) total(m *menu) (n int) {
	for _, c := range m.dishes {
		n += c
	}
	return n
}

func (k *kitchen) NowOk() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.total(k.menu)
}

func (k *kitchen) AgainOk() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.total(k.menu) > 0
}

func (k *kitchen) PlannedOk(dishes ...string) int {
	m := &menu{dishes: make(map[string]int)}
	for _, d := range dishes {
		m.dishes[d]++
	}
	return k.total(m)
}

// This one is known to all by then.
func (k *kitchen) OpenedBad(name string, dishes ...string) int {
	m := &menu{dishes: make(map[string]int)}
	k.mu.Lock()
	k.all[name] = m
	k.mu.Unlock()
	return k.total(m) // want `unguarded-access: `
}

// A view is made for each call, and leads to what all know: its methods run with the
// lock of who makes it, though no other function knows the view itself.

type ledger struct {
	mu      sync.Mutex
	entries map[string]int
	notes   map[string]int
}

type view struct{ of *ledger }

func (v view) bookOk(k string) { v.of.entries[k]++ }

func (v view) noteBad(k string) { v.of.notes[k]++ } // want `check-then-act: .*v\.of\.notes.*, low`

func (l *ledger) BookOk(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	view{l}.bookOk(k)
}

func (l *ledger) SumOk(k string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries[k] + l.notes[k]
}

func (l *ledger) ResetOk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.entries)
	clear(l.notes)
}

func (l *ledger) Note(k string) { view{l}.noteBad(k) }
