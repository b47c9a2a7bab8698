package threads

import (
	"context"
	"sync"
)

// Each round has a goroutine of its own, which is over when the round ends: the wait is deferred.
type rounds struct {
	seen, left, last map[string]int
	stop             chan bool
	next             chan int
}

func (r *rounds) Start() { go r.loop() }

func (r *rounds) loop() {
	for {
		func() {
			var wg sync.WaitGroup
			defer wg.Wait()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			wg.Go(func() { r.roundOk(ctx) })
			select {
			case <-r.stop:
			case <-r.next:
			}
		}()
		r.sometimes()
		r.tooEarly()
	}
}

func (r *rounds) roundOk(ctx context.Context) {
	r.seen = make(map[string]int)
	r.seen["a"]++
	<-ctx.Done()
}

// This one waits on one way alone.
func (r *rounds) sometimes() {
	var wg sync.WaitGroup
	if <-r.stop {
		defer wg.Wait()
	}
	wg.Go(r.leftBad)
}

func (r *rounds) leftBad() {
	r.left = make(map[string]int) // want `goroutine-race: r\.left`
}

// What is deferred last runs first, before the wait.
func (r *rounds) tooEarly() {
	var wg sync.WaitGroup
	defer wg.Wait()
	defer func() { println(r.last["a"]) }()
	wg.Go(r.countBad)
}

func (r *rounds) countBad() {
	r.last["a"]++ // want `goroutine-race: r\.last is written in a goroutine without a lock, at the same time as rounds\.tooEarly`
}
