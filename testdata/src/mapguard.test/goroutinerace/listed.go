package goroutinerace

import "sync"

// How often a list has a function: as often as it is put in, by whatever name and type.

type task func()

func runTasks(fs ...task) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}

func runSlice(fs []func()) { runAll(fs...) }

func loopedBad() map[string]int {
	m := map[string]int{}
	worker := func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	var fs []func()
	for i := 0; i < 4; i++ {
		fs = append(fs, worker)
	}
	runAll(fs...)
	return m
}

func filledBad() map[string]int {
	m := map[string]int{}
	worker := func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	fs := make([]func(), 4)
	for i := range fs {
		fs[i] = worker
	}
	runSlice(fs)
	return m
}

func typedBad() map[string]int {
	m := map[string]int{}
	var w task = func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	runTasks(w, w)
	return m
}

func twiceTypedBad() map[string]int {
	m := map[string]int{}
	w := func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	runTasks(task(w), task(w))
	return m
}

// The variable is captured, so that it stays a variable.
func capturedBad() map[string]int {
	m := map[string]int{}
	w := func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	func() {
		runAll(w, w)
	}()
	return m
}

// One list goes into another one in each round.
func listOfOneBad() map[string]int {
	m := map[string]int{}
	one := []func(){func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}}
	var fs []func()
	for range 4 {
		fs = append(fs, one...)
	}
	runAll(fs...)
	return m
}

var tallied = map[string]int{}

func tallyBad() {
	tallied["a"]++ // want `check-then-act: tallied is read here, then written`
}

func tallyAll() { runAll(tallyBad, tallyBad) }

type tallier struct{ n map[string]int }

func (t *tallier) add() {
	t.n["a"]++
}

func methodBad() {
	t := &tallier{n: map[string]int{}}
	add := t.add
	runAll(add, add) // want `goroutine-race: tallier\.n is written in a goroutine without a lock`
}

type own struct{ n map[string]int }

func (o *own) add() { o.n["a"]++ }

// Each object's method is in the list once.
func methodOk() {
	a, b := &own{n: map[string]int{}}, &own{n: map[string]int{}}
	runAll(a.add, b.add)
	var fs []func()
	for range 4 {
		o := &own{n: map[string]int{}}
		fs = append(fs, o.add)
	}
	runAll(fs...)
}

// It is also called, after the list's goroutines have ended, and is in two lists, one after the other.
func twiceOk() map[string]int {
	m, n := map[string]int{}, map[string]int{}
	w := func() { m["a"]++ }
	x := func() { n["a"]++ }
	runAll(w, x)
	runAll(x, w)
	w()
	return m
}

// Each round has a list of its own, which has ended before the next.
func roundsOk(names []string) map[string]int {
	m, n := map[string]int{}, map[string]int{}
	w := func() { m["a"]++ }
	for _, name := range names {
		runAll(w, func() { n[name]++ })
	}
	return m
}

func capturedOk() map[string]int {
	m, n := map[string]int{}, map[string]int{}
	w := func() { m["a"]++ }
	func() {
		fs := []func(){w}
		fs = append(fs, func() { n["a"]++ })
		runAll(fs...)
	}()
	return m
}

func typedOk() map[string]int {
	m, n := map[string]int{}, map[string]int{}
	var w, x task = func() { m["a"]++ }, func() { n["a"]++ }
	runTasks(w, x)
	return m
}

func filledOk() map[string]int {
	m, n := map[string]int{}, map[string]int{}
	fs := make([]func(), 2)
	fs[0] = func() { m["a"]++ }
	fs[1] = func() { n["a"]++ }
	runSlice(fs)
	return m
}

// What each round puts in has a map of its own.
func eachOk(names []string) {
	var fs []func()
	for range names {
		m := map[string]int{}
		fs = append(fs, func() { m["a"]++ })
	}
	runAll(fs...)
}

// What each round puts in has a map of its own, which several goroutines share.
func eachRoundsBad(names []string) {
	var fs []func()
	for range names {
		m := map[string]int{}
		fs = append(fs, func() {
			m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
		})
	}
	runOverAgain(2, fs...)
}
