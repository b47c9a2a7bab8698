package goroutinerace

import (
	"context"
	"time"
)

// A loop that starts goroutines at a package-level map starts several at one map, whatever they are handed.

var (
	greeted = make(map[string]bool)
	counted = make(map[string]int)
	single  = make(map[string]int)
	watched = make(map[string]time.Time)
	polled  = make(map[string]time.Time)
)

func greetAll(names []string) {
	for _, name := range names {
		go greetBad(name)
	}
}

func greetBad(name string) {
	if !greeted[name] { // want `check-then-act: greeted is read here`
		greeted[name] = true
	}
}

func countAllBad(n int) {
	for range n {
		go func() {
			counted["all"]++ // want `check-then-act: counted is read here`
		}()
	}
}

// It waits for one before it starts the next.
func oneByOneOk(n int) {
	for range n {
		done := make(chan struct{})
		go func() {
			defer close(done)
			single["all"]++
		}()
		<-done
	}
}

// What watches is stopped and waited for before the next one starts: there is one from the second round on.
func watchOk(names <-chan string) {
	var (
		cancel  context.CancelFunc
		stopped chan struct{}
	)
	for name := range names {
		if cancel != nil {
			cancel()
			<-stopped
		}
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		stopped = make(chan struct{})
		go watchNamed(ctx, name, stopped)
	}
}

func watchNamed(ctx context.Context, name string, stopped chan struct{}) {
	defer close(stopped)
	for ctx.Err() == nil {
		watched[name] = time.Now()
		time.Sleep(time.Second)
	}
}

// It is stopped, but not waited for.
func pollAll(names <-chan string) {
	var cancel context.CancelFunc
	for name := range names {
		if cancel != nil {
			cancel()
		}
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		go pollBad(ctx, name)
	}
}

func pollBad(ctx context.Context, name string) {
	for ctx.Err() == nil {
		polled[name] = time.Now() // want `goroutine-race: polled is written`
		time.Sleep(time.Second)
	}
}

func runLooped() {
	names := make(chan string)
	go watchOk(names)
	go pollAll(names)
	greetAll([]string{"a", "b"})
	countAllBad(3)
	oneByOneOk(3)
}
