package goroutinerace

import (
	"iter"
	"sync"
)

// A loop over an iterator that starts goroutines is over, and they end, before what waits returns.

func walk(nodes iter.Seq[int], visit func(int)) {
	var wg sync.WaitGroup
	done := make(chan struct{})
	defer close(done)
	for n := range nodes {
		wg.Go(func() { visit(n) })
	}
	wg.Wait()
}

func WalkedOk(nodes iter.Seq[int]) (sum int) {
	var mu sync.Mutex
	seen := make(map[int]bool)
	walk(nodes, func(n int) {
		mu.Lock()
		defer mu.Unlock()
		seen[n] = true
	})
	for n := range seen {
		sum += n
	}
	return sum
}

func leave(nodes iter.Seq[int], visit func(int)) {
	for n := range nodes {
		go visit(n)
	}
}

func LeftBad(nodes iter.Seq[int]) (sum int) {
	var mu sync.Mutex
	seen := make(map[int]bool)
	leave(nodes, func(n int) {
		mu.Lock()
		defer mu.Unlock()
		seen[n] = true // want `seen is written in a goroutine under mu, at the same time as LeftBad`
	})
	for n := range seen {
		sum += n
	}
	return sum
}

// strict gives up on a node that it does not know: those that it has started go on.
func strict(nodes []int, visit func(int)) {
	defer func() { _ = recover() }()
	var wg sync.WaitGroup
	for _, n := range nodes {
		if n < 0 {
			panic("no such node")
		}
		wg.Go(func() { visit(n) })
	}
	wg.Wait()
}

func GivenUpBad(nodes []int) (sum int) {
	var mu sync.Mutex
	seen := make(map[int]bool)
	strict(nodes, func(n int) {
		mu.Lock()
		defer mu.Unlock()
		seen[n] = true // want `seen is written in a goroutine under mu, at the same time as GivenUpBad`
	})
	for n := range seen {
		sum += n
	}
	return sum
}

// careful does the same, and its panic ends the program.
func careful(nodes []int, visit func(int)) {
	var wg sync.WaitGroup
	for _, n := range nodes {
		if n < 0 {
			panic("no such node")
		}
		wg.Go(func() { visit(n) })
	}
	wg.Wait()
}

func CarefulOk(nodes []int) (sum int) {
	var mu sync.Mutex
	seen := make(map[int]bool)
	careful(nodes, func(n int) {
		mu.Lock()
		defer mu.Unlock()
		seen[n] = true
	})
	for n := range seen {
		sum += n
	}
	return sum
}
