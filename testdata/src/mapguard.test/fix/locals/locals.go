// Package locals has local maps that goroutines share.
package locals

import (
	"fmt"
	"sync"
)

func eachBad(names []string, ask func(string) error) map[string]bool {
	errs := make(map[string]error, len(names))
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := ask(name); err != nil {
				errs[name] = fmt.Errorf("ask %s: %w", name, err) // want `goroutine-race: .*`
				return
			}
		}()
	}
	wg.Wait()
	failed := make(map[string]bool)
	for name := range errs {
		failed[name] = true
	}
	return failed
}

func valuesBad(names []string, ask func(string) int) int {
	sums := map[string]int{"": 0}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			sums[name] = ask(name) // want `goroutine-race: .*`
		})
	}
	wg.Wait()
	return len(sums)
}

type set map[string]struct{}

func (s set) insert(name string) { s[name] = struct{}{} }

func (s set) has(name string) bool {
	_, ok := s[name]
	return ok
}

// The map has methods, which keep it nowhere.
func methodsBad(names []string, ask func(string) bool) bool {
	failed := make(set)
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() { // want `goroutine-race: .*`
			if !ask(name) {
				failed.insert(name)
			}
		})
	}
	wg.Wait()
	return failed.has("")
}

// The goroutines have a lock among them, and delete from the map that is walked to
// start them.
func walkBad(all map[string]int, ask func(string) bool) int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for name := range all {
		wg.Go(func() {
			if !ask(name) {
				mu.Lock()
				delete(all, name) // want `goroutine-race: .*`
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return len(all)
}

type outcome struct{ byName map[string]error }

// Some of what the goroutines do is under a mutex that is a variable, too.
func someBad(names []string, ask func(string) error, each func(func() error) error) (out outcome) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	out.byName = make(map[string]error)
	for _, name := range names {
		wg.Add(1)
		go func(name string) {
			defer wg.Done()
			err := each(func() error {
				err := ask(name)
				if err != nil {
					out.byName[name] = err
					return err
				}
				return nil
			})
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				out.byName[name] = err // want `goroutine-race: .*`
			}
		}(name)
	}
	wg.Wait()
	return out
}

// Not more than two at a time: each gives back its place under the mutex.
func placesBad(names []string, ask func(string) error, each func(func() error) error) map[string]error {
	errs := make(map[string]error)
	places := make(chan struct{}, 2)
	var wg sync.WaitGroup
	var mu sync.Mutex
	for _, name := range names {
		wg.Add(1)
		go func(name string) {
			defer wg.Done()
			places <- struct{}{}
			err := each(func() error {
				err := ask(name)
				if err != nil {
					errs[name] = err
				}
				return err
			})
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				errs[name] = err // want `goroutine-race: .*`
			}
			<-places
		}(name)
	}
	wg.Wait()
	return errs
}

// A literal of the starter uses the map, too: it is called in front of the section of the goroutine.
func numbersBad(names []string) int {
	numbers := make(map[string]int)
	var wg sync.WaitGroup
	next := func() int {
		numbers[""]++
		return numbers[""]
	}
	for _, name := range names {
		wg.Go(func() {
			numbers[name] = next() // want `goroutine-race: .*`
		})
	}
	wg.Wait()
	return len(numbers)
}
