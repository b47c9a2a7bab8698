package goroutinerace

import (
	"net/http"
	"sync"
)

// A helper starts the goroutines: how many of them run what it gets is its business.

func workers(n int, work func()) {
	for range n {
		go work()
	}
}

func HelpedBad(n int) {
	seen := make(map[string]int)
	workers(n, func() {
		seen["all"]++ // want `seen is written in a goroutine without a lock`
	})
}

func HelpedLockedOk(n int) {
	var mu sync.Mutex
	seen := make(map[string]int)
	workers(n, func() {
		mu.Lock()
		defer mu.Unlock()
		seen["all"]++
	})
}

func worker(work func()) { go work() }

func HelpedOnceOk() {
	seen := make(map[string]int)
	worker(func() { seen["one"]++ })
}

// Each goes once.
func each(work ...func()) {
	for _, f := range work {
		go f()
	}
}

func HelpedEachOk() {
	a, b := make(map[string]int), make(map[string]int)
	each(func() { a["one"]++ }, func() { b["one"]++ })
}

// The same goroutine goes on.
func forever(work func()) {
	go func() {
		for {
			work()
		}
	}()
}

func HelpedForeverOk() {
	seen := make(map[string]int)
	forever(func() { seen["one"]++ })
}

// The helper waits for each.
func oneByOne(n int, work func()) {
	for range n {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			work()
		}()
		wg.Wait()
	}
}

func HelpedInTurnOk(n int) {
	seen := make(map[string]int)
	oneByOne(n, func() { seen["one"]++ })
}

func handle(path string, f func(string)) {
	http.HandleFunc(path, func(_ http.ResponseWriter, r *http.Request) { f(r.URL.Path) })
}

func HelpedHandlerBad() {
	seen := make(map[string]int)
	handle("/", func(path string) {
		seen[path]++ // want `seen is written in a goroutine without a lock`
	})
}

// The helper serves one at a time.
func handleInTurn(path string, f func(string)) {
	var mu sync.Mutex
	http.HandleFunc(path, func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		f(r.URL.Path)
	})
}

func HelpedHandlerInTurnOk() {
	seen := make(map[string]int)
	handleInTurn("/", func(path string) { seen[path]++ })
}

// One goroutine at a time comes through the gate.
func gated(n int, work func()) {
	gate := make(chan struct{}, 1)
	for range n {
		gate <- struct{}{}
		go func() {
			defer func() { <-gate }()
			work()
		}()
	}
}

func HelpedGatedOk(n int) {
	seen := make(map[string]int)
	gated(n, func() { seen["one"]++ })
}
