package threads

import (
	"context"
	"sync"
)

// A flag that is set where a loop is started, and set back when the loop has ended, in the section that has waited for it: there is
// one loop at a time, however many start it.

type restartedLoop struct {
	mu      sync.Mutex
	running bool
	cancel  context.CancelFunc
	done    chan struct{}
	in      chan string
	counts  map[string]int
}

func (t *restartedLoop) Start() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.running {
		t.running = true
		ctx, cancel := context.WithCancel(context.Background())
		t.cancel, t.done = cancel, make(chan struct{})
		go t.loopOk(ctx, t.done)
	}
}

func (t *restartedLoop) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.running {
		return
	}
	t.cancel()
	<-t.done
	t.running = false
}

func (t *restartedLoop) loopOk(ctx context.Context, done chan struct{}) {
	defer close(done)
	for {
		select {
		case <-ctx.Done():
			return
		case k := <-t.in:
			t.counts[k]++
		}
	}
}

func (t *restartedLoop) all(n int) {
	for range n {
		go t.Start()
	}
}

// What stops it is the flag, and a group is waited for.
type restartedGroup struct {
	mu     sync.Mutex
	stop   chan struct{}
	wg     sync.WaitGroup
	in     chan string
	counts map[string]int
}

func (t *restartedGroup) Start() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.stop != nil {
		return
	}
	t.stop = make(chan struct{})
	t.wg.Add(1)
	go t.loopOk(t.stop)
}

func (t *restartedGroup) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stopLocked()
}

func (t *restartedGroup) stopLocked() {
	if t.stop == nil {
		return
	}
	close(t.stop)
	t.wg.Wait()
	t.stop = nil
}

func (t *restartedGroup) loopOk(stop chan struct{}) {
	defer t.wg.Done()
	for {
		select {
		case <-stop:
			return
		case k := <-t.in:
			t.counts[k]++
		}
	}
}

func (t *restartedGroup) all(n int) {
	for range n {
		go t.Start()
	}
}

// The flag is set back before the wait: another loop may begin beside the one that ends.
type restartedEarly struct {
	mu      sync.Mutex
	running bool
	stop    chan struct{}
	done    chan struct{}
	in      chan string
	counts  map[string]int
}

func (t *restartedEarly) Start() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.running {
		t.running = true
		t.stop, t.done = make(chan struct{}), make(chan struct{})
		go t.loopBad(t.stop, t.done)
	}
}

func (t *restartedEarly) Stop() {
	t.mu.Lock()
	if !t.running {
		t.mu.Unlock()
		return
	}
	t.running = false
	close(t.stop)
	done := t.done
	t.mu.Unlock()
	<-done
}

func (t *restartedEarly) loopBad(stop, done chan struct{}) {
	defer close(done)
	for {
		select {
		case <-stop:
			return
		case k := <-t.in:
			t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
		}
	}
}

func (t *restartedEarly) all(n int) {
	for range n {
		go t.Start()
	}
}

// It is set back in another section than the one that has waited: two that stop it may set back the flag of the next loop.
type restartedApart struct {
	mu      sync.Mutex
	running bool
	stop    chan struct{}
	done    chan struct{}
	in      chan string
	counts  map[string]int
}

func (t *restartedApart) Start() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.running {
		t.running = true
		t.stop, t.done = make(chan struct{}), make(chan struct{})
		go t.loopBad(t.stop, t.done)
	}
}

func (t *restartedApart) Stop() {
	<-t.done
	t.mu.Lock()
	t.running = false
	t.mu.Unlock()
}

func (t *restartedApart) loopBad(stop, done chan struct{}) {
	defer close(done)
	for {
		select {
		case <-stop:
			return
		case k := <-t.in:
			t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
		}
	}
}

func (t *restartedApart) all(n int) {
	for range n {
		go t.Start()
	}
}

// What is waited for is another goroutine's end.
type restartedOther struct {
	mu      sync.Mutex
	running bool
	stop    chan struct{}
	done    chan struct{}
	flushed chan struct{}
	in      chan string
	counts  map[string]int
}

func (t *restartedOther) Start() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.running {
		t.running = true
		t.stop, t.done, t.flushed = make(chan struct{}), make(chan struct{}), make(chan struct{})
		go t.loopBad(t.stop, t.done)
		go t.flush(t.flushed)
	}
}

func (t *restartedOther) flush(flushed chan struct{}) { close(flushed) }

func (t *restartedOther) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.stop)
	<-t.flushed
	t.running = false
}

func (t *restartedOther) loopBad(stop, done chan struct{}) {
	defer close(done)
	for {
		select {
		case <-stop:
			return
		case k := <-t.in:
			t.counts[k]++ // want `goroutine-race: t\.counts is written in a goroutine`
		}
	}
}

func (t *restartedOther) all(n int) {
	for range n {
		go t.Start()
	}
}
