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

// The gate lets one in at a time, and the helper waits for the last.
func gatedAwaited(n int, work func()) {
	var wg sync.WaitGroup
	gate := make(chan struct{}, 1)
	for range n {
		wg.Add(1)
		gate <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-gate }()
			work()
		}()
	}
	wg.Wait()
}

func HelpedGatedAwaitedOk(n int) {
	seen := make(map[string]int)
	gatedAwaited(n, func() { seen["one"]++ })
}

func GatedLoopOk(n int) {
	gate := make(chan struct{}, 1)
	seen := make(map[string]int)
	for range n {
		gate <- struct{}{}
		go func() {
			defer func() { <-gate }()
			seen["one"]++
		}()
	}
}

func GatedBesideBad(n int) {
	gate := make(chan struct{}, 1)
	seen := make(map[string]int)
	for range n {
		gate <- struct{}{}
		go func() {
			defer func() { <-gate }()
			seen["one"]++ // want `seen is written in a goroutine without a lock, at the same time as GatedBesideBad, which goes on`
		}()
		seen["two"]++
	}
}

// How many come in is up to the caller: one, if he does not say.
func gatedFor(n int, work func(int), options ...int) {
	room := 1
	if len(options) > 0 && options[0] > 1 {
		room = options[0]
	}
	gate := make(chan struct{}, room)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		gate <- struct{}{}
		go func(i int) {
			defer func() {
				<-gate
				wg.Done()
			}()
			work(i)
		}(i)
	}
	wg.Wait()
}

func HelpedGatedForOneOk(n int) {
	seen := make(map[string]int)
	gatedFor(n, func(int) { seen["one"]++ })
}

func HelpedGatedForFiveBad(n int) {
	seen := make(map[string]int)
	gatedFor(n, func(int) {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	}, 5)
}

// Who passes the options on leaves it to his callers.
func passedOn(n int, work func(int), options ...int) { gatedFor(n, work, options...) }

func HelpedPassedOnOk(n int) {
	seen := make(map[string]int)
	passedOn(n, func(int) { seen["one"]++ })
}

func HelpedPassedOnBad(n, room int) {
	seen := make(map[string]int)
	passedOn(n, func(int) {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	}, room)
}

func gatedBy(n, room int, work func()) {
	gate := make(chan struct{}, room)
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		gate <- struct{}{}
		go func() {
			defer func() {
				<-gate
				wg.Done()
			}()
			work()
		}()
	}
	wg.Wait()
}

func HelpedGatedByOneOk(n int) {
	seen := make(map[string]int)
	gatedBy(n, 1, func() { seen["one"]++ })
}

func HelpedGatedByTwoBad(n int) {
	seen := make(map[string]int)
	gatedBy(n, 2, func() {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	})
}

// Many come in where nothing is said.
func gatedForEight(n int, work func(), options ...int) {
	room := 8
	if len(options) > 0 {
		room = options[0]
	}
	gatedBy(n, room, work)
}

func HelpedGatedForEightBad(n int) {
	seen := make(map[string]int)
	gatedForEight(n, func() {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	})
}

// It works when it has let the next one in.
func gatedTooEarly(n int, work func()) {
	var wg sync.WaitGroup
	gate := make(chan struct{}, 1)
	for range n {
		wg.Add(1)
		gate <- struct{}{}
		go func() {
			defer wg.Done()
			<-gate
			work()
		}()
	}
	wg.Wait()
}

func HelpedTooEarlyBad(n int) {
	seen := make(map[string]int)
	gatedTooEarly(n, func() {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	})
}

// What is deferred first runs last.
func gatedTooEarlyDeferred(n int, work func()) {
	var wg sync.WaitGroup
	gate := make(chan struct{}, 1)
	for range n {
		wg.Add(1)
		gate <- struct{}{}
		go func() {
			defer wg.Done()
			defer work()
			defer func() { <-gate }()
		}()
	}
	wg.Wait()
}

func HelpedTooEarlyDeferredBad(n int) {
	seen := make(map[string]int)
	gatedTooEarlyDeferred(n, func() {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	})
}

// Each has a gate of its own.
func gatedApart(n int, work func()) {
	var wg sync.WaitGroup
	for range n {
		gate := make(chan struct{}, 1)
		wg.Add(1)
		gate <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-gate }()
			work()
		}()
	}
	wg.Wait()
}

func HelpedApartBad(n int) {
	seen := make(map[string]int)
	gatedApart(n, func() {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	})
}

// Two come in for one.
func gatedInPairs(n int, work func()) {
	var wg sync.WaitGroup
	gate := make(chan struct{}, 1)
	for range n {
		gate <- struct{}{}
		for range 2 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				defer func() { <-gate }()
				work()
			}()
		}
	}
	wg.Wait()
}

func HelpedInPairsBad(n int) {
	seen := make(map[string]int)
	gatedInPairs(n, func() {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	})
}

// Others make room.
func gatedInVain(n int, work func()) {
	var wg sync.WaitGroup
	gate := make(chan struct{}, 1)
	for range n {
		wg.Add(1)
		gate <- struct{}{}
		go func() {
			defer wg.Done()
			defer func() { <-gate }()
			work()
		}()
		if n > 3 {
			<-gate
		}
	}
	wg.Wait()
}

func HelpedInVainBad(n int) {
	seen := make(map[string]int)
	gatedInVain(n, func() {
		seen["one"]++ // want `seen is written in a goroutine without a lock`
	})
}
