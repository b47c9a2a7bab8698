package joined

import (
	"context"
	"sync"
)

// An index is filled by a goroutine that closes a channel when it has done so: a case of a select waits for that, too.
type index struct {
	ready chan struct{}
	at    map[string]int
}

func newIndex(load func() []string) *index {
	x := &index{ready: make(chan struct{}), at: make(map[string]int)}
	go x.fill(load)
	return x
}

func (x *index) fill(load func() []string) {
	defer close(x.ready)
	for i, s := range load() {
		x.at[s] = i
	}
}

func (x *index) FindOk(ctx context.Context, s string) int {
	select {
	case <-x.ready:
	case <-ctx.Done():
		return 0
	}
	return x.at[s]
}

type hasty struct {
	ready chan struct{}
	at    map[string]int
}

func newHasty(load func() []string) *hasty {
	x := &hasty{ready: make(chan struct{}), at: make(map[string]int)}
	go x.fillBad(load)
	return x
}

func (x *hasty) fillBad(load func() []string) {
	defer close(x.ready)
	for i, s := range load() {
		x.at[s] = i // want `unguarded-access: x\.at is written without a lock`
	}
}

// Where the context ends first, the index may be in the making.
func (x *hasty) Find(ctx context.Context, s string) int {
	select {
	case <-x.ready:
	case <-ctx.Done():
	}
	return x.at[s]
}

// The goroutine gets the channel by which it tells that it has ended.
type worker struct {
	lifecycle sync.Mutex
	cancel    context.CancelFunc
	done      chan struct{}
	in        chan string
	seen      map[string]int
}

func (w *worker) Start() {
	w.lifecycle.Lock()
	defer w.lifecycle.Unlock()
	if w.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	w.seen = make(map[string]int)
	w.done = make(chan struct{})
	go w.run(ctx, w.done)
}

func (w *worker) run(ctx context.Context, done chan<- struct{}) {
	defer close(done)
	for {
		select {
		case s := <-w.in:
			if w.seen[s] < 5 {
				w.seen[s]++
			}
		case <-ctx.Done():
			return
		}
	}
}

func (w *worker) StopOk() {
	w.lifecycle.Lock()
	defer w.lifecycle.Unlock()
	if w.cancel == nil {
		return
	}
	w.cancel()
	<-w.done
	w.cancel = nil
	clear(w.seen)
}
