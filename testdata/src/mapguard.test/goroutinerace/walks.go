package goroutinerace

import "sync"

// A walk over a list starts each of its functions once; another loop, around or inside it, does so again.

func runOverAgain(n int, fs ...func()) {
	var wg sync.WaitGroup
	for range n {
		for _, f := range fs {
			wg.Add(1)
			go func() {
				defer wg.Done()
				f()
			}()
		}
	}
	wg.Wait()
}

func aroundBad() map[string]int {
	m := map[string]int{}
	runOverAgain(4, func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
	return m
}

func runNumbered(n int, fs ...func(int)) {
	for _, f := range fs {
		for i := range n {
			go f(i)
		}
	}
}

func withinBad() {
	m := map[int]int{}
	runNumbered(4, func(i int) {
		m[i]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
}

func runEachOf(n int, fs ...func(int)) {
	var wg sync.WaitGroup
	for _, f := range fs {
		for i := range n {
			wg.Go(func() { f(i) })
		}
	}
	wg.Wait()
}

func groupBad() map[int]int {
	m := map[int]int{}
	runEachOf(4, func(i int) {
		m[i]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
	return m
}

func runFirst(n int, fs ...func()) {
	for range n {
		go fs[0]()
	}
}

func firstBad() {
	m := map[string]int{}
	runFirst(4, func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
}

func leaveRounds(n int, fs ...func()) {
	for range n {
		leaveAll(fs...)
	}
}

func leftRoundsBad() {
	m := map[string]int{}
	leaveRounds(4, func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
}

// Each round waits for its own.
func runInTurn(n int, fs ...func()) {
	for range n {
		runAll(fs...)
	}
}

func inTurnOk() map[string]int {
	m := map[string]int{}
	runInTurn(4, func() { m["a"]++ })
	return m
}

// The outer loop takes some at a time.
func runSome(fs ...func()) {
	var wg sync.WaitGroup
	for len(fs) > 0 {
		some := fs[:min(len(fs), 8)]
		fs = fs[len(some):]
		for _, f := range some {
			wg.Add(1)
			go func() {
				defer wg.Done()
				f()
			}()
		}
	}
	wg.Wait()
}

func someOk() map[string]int {
	m, n := map[string]int{}, map[string]int{}
	runSome(func() { m["a"]++ }, func() { n["a"]++ })
	return m
}

// A walk by an index, which the goroutine gets.
func runIndexed(fs ...func()) {
	var wg sync.WaitGroup
	for i := range fs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fs[i]()
		}()
	}
	wg.Wait()
}

func indexedOk() map[string]int {
	m, n := map[string]int{}, map[string]int{}
	runIndexed(func() { m["a"]++ }, func() { n["a"]++ })
	return m
}

type queue struct{ next int }

// A counter in an object says which.
func runQueued(q *queue, fs ...func()) {
	for q.next < len(fs) {
		f := fs[q.next]
		q.next++
		go f()
	}
}

func queuedOk() {
	m, n := map[string]int{}, map[string]int{}
	runQueued(&queue{}, func() { m["a"]++ }, func() { n["a"]++ })
}

func runNamed(fs map[string]func()) {
	var wg sync.WaitGroup
	for name, f := range fs {
		if name == "" {
			continue
		}
		for len(name) > 8 {
			name = name[1:]
		}
		wg.Go(f)
	}
	wg.Wait()
}

func namedOk() map[string]int {
	m, n := map[string]int{}, map[string]int{}
	runNamed(map[string]func(){"a": func() { m["a"]++ }, "b": func() { n["a"]++ }})
	return m
}

// The goroutines get nothing but the function.
func leaveEach(n int, f func()) {
	for range n {
		go func() { f() }()
	}
}

func leaveEachOf(n int, fs ...func()) {
	for range n {
		for _, f := range fs {
			go func() { f() }()
		}
	}
}

func leftEachBad() {
	m := map[string]int{}
	leaveEach(4, func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
}

func leftEachOfBad() {
	m := map[string]int{}
	leaveEachOf(4, func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
}
