// Package statements has accesses without the map's guard in each kind of
// statement of which a part can be evaluated under the lock, before what may wait.
package statements

import (
	"fmt"
	"sync"
)

type entry struct{ n int }

type table struct {
	mu     sync.Mutex
	n      map[string]int            // guarded by mu
	flags  map[string]bool           // guarded by mu
	m      map[string]*entry         // guarded by mu
	nested map[string]map[string]int // guarded by mu
	last   int
}

func (t *table) put(k string, e *entry) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n[k]++
	t.flags[k] = true
	t.m[k] = e
	t.nested[k] = map[string]int{k: 1}
}

func (t *table) drop(k string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.n, k)
	delete(t.flags, k)
	delete(t.m, k)
	delete(t.nested, k)
}

// What is chosen by is evaluated before the cases.
func (t *table) switchBad(ch chan int, k string) {
	switch t.n[k] { // want `unguarded-access: .*`
	case 1:
		ch <- 1
	default:
		ch <- 2
	}
}

func (t *table) notBad(ch chan int, k string) {
	if !t.flags[k] { // want `unguarded-access: .*`
		ch <- 1
	}
}

func (t *table) minusBad(ch chan int, k string) {
	if (-t.n[k]) < -3 { // want `unguarded-access: .*`
		ch <- 1
	}
}

// The left side has no effect: it may be evaluated after the right one.
func (t *table) rightBad(ch chan int, k string) {
	if 3 < t.n[k] { // want `unguarded-access: .*`
		ch <- 1
	}
}

func (t *table) fieldBad(ch chan int, k string) {
	if t.m[k].n > 3 { // want `unguarded-access: .*`
		ch <- 1
	}
}

func (t *table) resultBad(show func(int) int, k string) int {
	shown := show(t.n[k]) // want `unguarded-access: .*`
	return shown
}

// The head assigns to what is there already.
func (t *table) assignBad(ch chan int, k string) {
	if t.last = t.n[k]; k != "" { // want `unguarded-access: .*`
		ch <- 1
	}
}

// The name of the head means something else around it: a map gets a map's name.
func (t *table) innerBad(ch chan int, k string) int {
	inner := len(k)
	if inner := t.nested[k]; inner == nil { // want `unguarded-access: .*`
		ch <- 1
	}
	return inner
}

// What is found is thrown away, but for whether it is there.
func (t *table) blankBad(ch chan int, k string) {
	if _, ok := t.m[k]; !ok { // want `unguarded-access: .*`
		ch <- 1
	}
}

func (t *table) nilBad(ch chan int) {
	if t.nested == nil { // want `unguarded-access: .*`
		ch <- 1
	}
}

func (t *table) stepBad(ch chan int, k string) {
	t.n[k]++ // want `check-then-act: .*`
	ch <- 1
}

// The names that fit best are taken.
func (t *table) namesBad(show func(int) int, k string) int {
	n, count, size := 1, 2, 3
	return show(t.n[k]) + n + count + size // want `unguarded-access: .*`
}

func (t *table) shadowBad(ch chan int, k string) int {
	n, count, size := 1, 2, 3
	if n := t.n[k]; n > 0 { // want `unguarded-access: .*`
		ch <- n
	}
	return n + count + size
}

// countBad measures the map in the argument of a call that may wait.
func (t *table) countBad(show func(string, int)) {
	show("entries", len(t.m)) // want `unguarded-access: .*`
}

// rangeBad counts the entries it is going to meet: both in one section.
func (t *table) rangeBad(show func(*entry)) {
	var wg sync.WaitGroup
	wg.Add(len(t.m))

	for _, e := range t.m { // want `unguarded-access: .*`
		go func() {
			show(e)
			wg.Done()
		}()
	}

	wg.Wait()
}

// listBad prints how many there are, and then each: the sections follow each other.
func (t *table) listBad(show func(*entry)) {
	fmt.Println("entries:", len(t.m))
	for _, e := range t.m { // want `unguarded-access: .*`
		show(e)
	}
}

func (e *entry) send(ch chan int) { ch <- e.n }

// What a method is called on is looked up before it runs.
func (t *table) calledOnBad(ch chan int, k string) {
	t.m[k].send(ch) // want `unguarded-access: .*`
}

// What a method gives back that ends by itself is asked for under the lock.
func (t *table) partBad(ch chan int, k string) int {
	return t.m[k].next().wait(ch) // want `unguarded-access: .*`
}

func (e *entry) next() *entry { return e }

func (e *entry) wait(ch chan int) int { return <-ch + e.n }

func keys(m map[string]int) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}

func each(ks []string, ch chan string) {
	for _, k := range ks {
		ch <- k
	}
}

// One call counts the entries and walks over them.
func (t *table) keysBad(ch chan string) {
	each(keys(t.n), ch) // want `unguarded-access: .*`
}

func (t *table) resetOk() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.nested = make(map[string]map[string]int)
}

func dial(k string, ch chan *entry) (*entry, error) {
	e := <-ch
	if e == nil {
		return nil, fmt.Errorf("no entry for %s", k)
	}
	return e, nil
}

// What is stored is one of several results: the call is made in front, and the error is
// the function's own.
func (t *table) dialBad(k string, ch chan *entry) (err error) {
	t.m[k], err = dial(k, ch) // want `unguarded-access: .*`
	return err
}

func (t *table) dialOneBad(k string, ch chan *entry) {
	t.m[k], _ = dial(k, ch) // want `unguarded-access: .*`
}
