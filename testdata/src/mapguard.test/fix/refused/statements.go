package refused

import "sync"

// Ledger has accesses where its lock can neither be held for the statement, which
// may wait, nor for a part of it alone.
type ledger struct {
	mu     sync.Mutex
	n      map[string]int            // guarded by mu
	lists  map[string][]int          // guarded by mu
	nested map[string]map[string]int // guarded by mu
}

func (l *ledger) put(k string, v int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n[k] = v
	l.lists[k] = append(l.lists[k], v)
	l.nested[k] = map[string]int{k: v}
}

func (l *ledger) drop(k string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.n, k)
	delete(l.lists, k)
	delete(l.nested, k)
}

// What the head defines lives on in the cases.
func (l *ledger) switchBad(ch chan int, k string) {
	switch n := l.n[k]; { // want `unguarded-access: .*`
	case n > 1:
		ch <- n
	}
}

// The condition is evaluated again and again.
func (l *ledger) loopBad(ch chan int, k string) {
	for l.n[k] > 0 { // want `unguarded-access: .*`
		<-ch
	}
}

// Whether the right side is evaluated is up to the left one.
func (l *ledger) conditionBad(ch chan int, k string) {
	if k != "" && l.n[k] > 0 { // want `unguarded-access: .*`
		ch <- 1
	}
}

// A call that may wait is part of what the head defines, and another one comes before the access.
func (l *ledger) headBad(show func(int) int, k string) {
	if first, shown := show(1), show(l.n[k]); shown > first { // want `unguarded-access: .*`
		show(shown)
	}
}

// The head is no definition.
func (l *ledger) stepBad(ch chan int, k string) {
	if l.n[k]++; k != "" { // want `check-then-act: .*`
		ch <- 1
	}
}

// A comment in the head would be lost, and no part of it has one value.
func (l *ledger) commentBad(ch chan int, k string) {
	if n, ok := /* so far */ l.n[k]; ok { // want `unguarded-access: .*`
		ch <- n
	}
}

// A copy of the map would share the maps in it.
func (l *ledger) nestedBad(ch chan string) {
	for k := range l.nested { // want `unguarded-access: .*`
		ch <- k
	}
}

func (l *ledger) spreadBad(show func(...int) int, k string) int {
	return show(l.lists[k]...) // want `unguarded-access: .*`
}

// What is called first may change what is read.
func (l *ledger) secondBad(next func() int, show func(int, int) int, k string) int {
	return show(next(), l.n[k]) // want `unguarded-access: .*`
}

func (l *ledger) literalBad(show func([]int) int, k string) int {
	return show([]int{l.n[k]}) // want `unguarded-access: .*`
}

// What is stored is computed from what is read, by a call that may wait.
func (l *ledger) updateBad(show func(int) int, k string) {
	l.n[k] = show(l.n[k]) // want `.*`
}

func (l *ledger) twoBad(load func() (int, int), k string, ch chan int) {
	l.n[k], l.n[k+"x"] = load() // want `unguarded-access: .*`
	ch <- 1
}

func (l *ledger) keyBad(key func() string, load func() int) {
	l.n[key()] = load() // want `unguarded-access: .*`
}

func (l *ledger) addBad(load func() int, k string) {
	l.n[k] += load() // want `.*`
}

func (l *ledger) sendBad(ch chan int, k string) {
	ch <- l.n[k] // want `unguarded-access: .*`
}

func (l *ledger) deferBad(show func(int) int, k string) {
	defer show(l.n[k]) // want `unguarded-access: .*`
	show(0)
}

func (l *ledger) declareBad(show func(int) int, k string) int {
	var shown = show(l.n[k]) // want `unguarded-access: .*`
	return shown
}

// moved is a ledger's successor.
type moved struct {
	n map[string]int
}

// What is changed and passed on is given away: who gets it may go on to change it.
func (l *ledger) moveBad(k string) *moved {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n[k] = 0
	return &moved{n: l.n} // want `map-escape: .*`
}

type logger struct{ n int }

func (l *logger) at(n int) *logger { return l }

func (l *logger) print(ch chan int, n int) { ch <- l.n + n }

func (l *ledger) logger() *logger {
	l.change()
	return &logger{}
}

func (l *ledger) change() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n[""] = 1
}

// What finds the function changes the map before the argument is evaluated.
func (l *ledger) foundBad(ch chan int, k string) {
	l.logger().print(ch, l.n[k]) // want `unguarded-access: .*`
}

// The body of a loop over a function is a function of its own.
func (l *ledger) eachBad(keys func(func(string) bool)) {
	for k := range keys {
		l.mu.Lock()
		_, ok := l.n[k]
		l.mu.Unlock()
		if !ok {
			l.mu.Lock()
			l.n[k] = len(l.n) // want `split-lock: .*`
			l.mu.Unlock()
		}
	}
}

type dialed struct {
	mu sync.Mutex
	m  map[string]chan int // guarded by mu
}

func (d *dialed) drop(k string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.m, k)
}

// The error is one of an outer block: a definition in front would be another one.
func (d *dialed) dialOuter(k string, ch chan chan int) (err error) {
	if k != "" {
		d.m[k], err = dialSlow(ch) // want `unguarded-access: .*`
	}
	return err
}

func dialSlow(ch chan chan int) (chan int, error) { return <-ch, nil }
