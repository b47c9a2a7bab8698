// Package lib runs functions of its importers.
package lib

import (
	"iter"
	"sync"

	"golang.org/x/sync/errgroup"
)

type Guard struct {
	Mu   sync.RWMutex
	hook func()
}

func (g *Guard) Do(f func()) {
	g.Mu.Lock()
	defer g.Mu.Unlock()
	each(func() { f() })
}

func each(f func()) { f() }

func (g *Guard) Read(f func()) {
	g.Mu.RLock()
	defer g.Mu.RUnlock()
	f()
}

func (g *Guard) Wrap(f func()) func() {
	return func() {
		g.Mu.Lock()
		defer g.Mu.Unlock()
		f()
	}
}

func (g *Guard) Later(f func()) {
	g.hook = func() {
		g.Mu.Lock()
		defer g.Mu.Unlock()
		f()
	}
}

func (g *Guard) Start(f func()) { go func() { f() }() }

func Plain(f func()) { each(f) }

// Each runs f in a goroutine for each item, and waits for them. It runs one at a
// time.
func (g *Guard) Each(items []string, f func(string)) {
	var mu sync.Mutex
	parallel(items, func(item string) {
		mu.Lock()
		defer mu.Unlock()
		f(item)
	})
}

// Parallel runs f in a goroutine for each item, and waits for them.
func (g *Guard) Parallel(items []string, f func(string)) { parallel(items, f) }

func parallel(items []string, f func(string)) {
	var group errgroup.Group
	for _, item := range items {
		group.Go(func() error {
			f(item)
			return nil
		})
	}
	group.Wait()
}

// EachOwn has a lock for each goroutine, which keeps none out.
func (g *Guard) EachOwn(items []string, f func(string)) {
	parallel(items, func(item string) {
		var mu sync.Mutex
		mu.Lock()
		defer mu.Unlock()
		f(item)
	})
}

// Both runs two functions beside each other, and waits for them.
func (g *Guard) Both(one, two func()) {
	var wg sync.WaitGroup
	wg.Go(one)
	wg.Go(func() { two() })
	wg.Wait()
}

// Unwaited runs f in goroutines, and waits for them unless it is told not to.
func (g *Guard) Unwaited(items []string, f func(string), wait bool) {
	var group errgroup.Group
	for _, item := range items {
		group.Go(func() error {
			f(item)
			return nil
		})
	}
	if wait {
		group.Wait()
	}
}

// Map gives what f makes of each element.
func Map[T, U any](of iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) {
		for x := range of {
			if !yield(f(x)) {
				return
			}
		}
	}
}
