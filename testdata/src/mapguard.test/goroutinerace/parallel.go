package goroutinerace

import "sync"

// Each function of a list runs once: none meets itself, but one meets another.

type batch struct {
	keys, sigs, caps map[string]string
}

func inParallel(fs []func() error) (errs []error) {
	done := make(chan error, len(fs))
	for _, p := range fs {
		f := p
		go func() { done <- f() }()
	}
	for range fs {
		if err := <-done; err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

func runAll(fs ...func()) {
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

func loadBatchOk() (*batch, []error) {
	d := &batch{}
	keys := func() error {
		d.keys = map[string]string{}
		d.keys["a"] = "b"
		return nil
	}
	caps := func() error {
		m := map[string]string{}
		m["a"] = "b"
		d.caps = m
		return nil
	}
	fs := []func() error{keys}
	fs = append([]func() error{caps}, fs...)
	return d, inParallel(fs)
}

func bothBad() (*batch, []error) {
	d := &batch{sigs: map[string]string{}}
	one := func() error {
		d.sigs["a"] = "b"
		return nil
	}
	two := func() error {
		d.sigs["b"] = "c" // want `goroutine-race: batch\.sigs is written in a goroutine without a lock, at the same time as another goroutine`
		return nil
	}
	return d, inParallel([]func() error{one, two})
}

func variadicOk() *batch {
	d := &batch{}
	runAll(func() {
		d.keys = map[string]string{"a": "b"}
		d.keys["x"] = "y"
	}, func() {
		d.caps = map[string]string{}
	})
	return d
}

func variadicBad() *batch {
	d := &batch{keys: map[string]string{}}
	runAll(func() {
		d.keys["x"] = "y"
	}, func() {
		d.keys["z"] = "y" // want `goroutine-race: batch\.keys is written in a goroutine without a lock, at the same time as another goroutine`
	})
	return d
}

func repeatAll(f func(), n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}

func repeatBad() *batch {
	d := &batch{keys: map[string]string{}}
	repeatAll(func() {
		d.keys["x"] = "y" // want `goroutine-race: .*at the same time as another goroutine like it`
	}, 4)
	return d
}

func runBoth(a, b func()) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); a() }()
	go func() { defer wg.Done(); b() }()
	wg.Wait()
}

func argumentsBad() *batch {
	d := &batch{keys: map[string]string{}}
	runBoth(func() {
		d.keys["x"] = "y" // want `goroutine-race: .*at the same time as another goroutine`
	}, func() {
		d.keys["z"] = "y"
	})
	return d
}

func leaveAll(fs ...func()) {
	for _, f := range fs {
		go f()
	}
}

func leftBad() {
	d := &batch{keys: map[string]string{}}
	leaveAll(func() {
		d.keys["x"] = "y"
	}, func() {
		d.keys["z"] = "y" // want `goroutine-race: .*at the same time as another goroutine`
	})
}

func leaveOne(f func()) { go f() }

func eitherOk(c bool) {
	d := &batch{keys: map[string]string{}}
	f := func() { d.keys["x"] = "y" }
	if c {
		f = func() { d.keys["z"] = "y" }
	}
	leaveOne(f)
}

// A loop puts one function in once for each name, and a list has another one twice.
func grownBad(names []string) map[string]int {
	m := map[string]int{}
	var fs []func()
	for _, name := range names {
		fs = append(fs, func() {
			m[name]++ // want `goroutine-race: m is written in a goroutine without a lock`
		})
	}
	runAll(fs...)
	return m
}

func listedBad() map[string]int {
	m := map[string]int{}
	f := func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	runAll(f, f)
	return m
}

// A loop puts one function in several times, by append or by index, and a converted one is listed twice.
func appendedBad() map[string]int {
	m := map[string]int{}
	f := func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	var fs []func()
	for range 3 {
		fs = append(fs, f)
	}
	runAll(fs...)
	return m
}

func indexedBad() map[string]int {
	m := map[string]int{}
	f := func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	fs := make([]func(), 3)
	for i := range fs {
		fs[i] = f
	}
	runAll(fs...)
	return m
}

type job func()

func runJobs(jobs ...job) {
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			j()
		}()
	}
	wg.Wait()
}

func convertedBad() map[string]int {
	m := map[string]int{}
	var j job = func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	}
	runJobs(j, j)
	return m
}

func convertedOk() map[string]int {
	m := map[string]int{}
	var j job = func() { m["a"]++ }
	runJobs(j)
	return m
}

// Another loop, around the walk of the list or in it, runs each of its functions several times.
func runRounds(n int, fs ...func()) {
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

func roundsBad() map[string]int {
	m := map[string]int{}
	runRounds(3, func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
	return m
}

func runEach(n int, fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		for range n {
			wg.Add(1)
			go func() {
				defer wg.Done()
				f()
			}()
		}
	}
	wg.Wait()
}

func eachSeveralBad() map[string]int {
	m := map[string]int{}
	runEach(3, func() {
		m["a"]++ // want `goroutine-race: m is written in a goroutine without a lock`
	})
	return m
}
