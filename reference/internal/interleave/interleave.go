// Package interleave drives two goroutines into the interleaving that tells an
// atomic check-then-act from one that is not, without sleeping and without
// luck: both have looked before either acts.
//
// The code under test is given a hook, a factory or a clock, which it calls
// between its check and its act and which calls [Meeting.Arrive]. The first
// goroutine that arrives is held there until the second has arrived as well, or
// waits in the code under test, for a lock or at a channel, which only the first
// can end, or has returned. Then the first goes on to its end, and after it the second. So
// what goes wrong goes wrong by their order alone. Only a second goroutine that
// waits goes on as soon as it can, beside the end of the first.
package interleave

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
)

// module is the path that the functions under test begin with.
const module = "github.com/mapguard/mapguard/reference/"

// self is that of this package, in which goroutines wait for each other.
const self = module + "internal/interleave."

// Meeting is one interleaving of two goroutines. It is used for one [Meeting.Run].
type Meeting struct {
	firstArrived  chan struct{}
	secondArrived chan struct{}
	firstMayGo    chan struct{}
	secondMayGo   chan struct{}

	// mu protects first and second, which are the identifiers of goroutines that
	// have not arrived yet.
	mu            sync.Mutex
	first, second string
}

// New returns a meeting at which no one has arrived.
func New() *Meeting {
	return &Meeting{
		firstArrived:  make(chan struct{}),
		secondArrived: make(chan struct{}),
		firstMayGo:    make(chan struct{}),
		secondMayGo:   make(chan struct{}),
	}
}

// Arrive is called by the hook. Of each of the two goroutines the first call
// counts; all others return at once.
func (m *Meeting) Arrive() {
	id := goroutine()
	m.mu.Lock()
	isFirst, isSecond := id == m.first, id == m.second
	if isFirst {
		m.first = ""
	}
	if isSecond {
		m.second = ""
	}
	m.mu.Unlock()
	switch {
	case isFirst:
		close(m.firstArrived)
		<-m.firstMayGo
	case isSecond:
		close(m.secondArrived)
		<-m.secondMayGo
	}
}

// Run runs first and second in a goroutine each, in the interleaving that the
// package describes, and returns when both have returned.
func (m *Meeting) Run(first, second func()) {
	firstDone, secondDone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(firstDone)
		m.enter(&m.first)
		first()
	}()
	select {
	case <-m.firstArrived:
	case <-firstDone:
		// It had nothing to do between check and act, as on a cache hit.
	}
	entered := make(chan string, 1)
	go func() {
		defer close(secondDone)
		entered <- m.enter(&m.second)
		second()
	}()
	m.awaitSecond(<-entered, secondDone)
	close(m.firstMayGo)
	<-firstDone
	close(m.secondMayGo)
	<-secondDone
}

// enter notes the identifier of the calling goroutine in role.
func (m *Meeting) enter(role *string) string {
	id := goroutine()
	m.mu.Lock()
	defer m.mu.Unlock()
	*role = id
	return id
}

// Blocks runs do in a goroutine of its own and returns when it has returned, or
// waits in the code under test. It reports whether it waits; done is closed when
// it has returned.
func Blocks(do func()) (blocks bool, done <-chan struct{}) {
	ended := make(chan struct{})
	entered := make(chan string, 1)
	go func() {
		defer close(ended)
		entered <- goroutine()
		do()
	}()
	for id := <-entered; ; runtime.Gosched() {
		select {
		case <-ended:
			return false, ended
		default:
		}
		if waits(stacks(), id) {
			return true, ended
		}
	}
}

// Queued returns how many goroutines wait for a mutex that a function of this
// module locks.
func Queued() (n int) {
	for trace := range strings.SplitSeq(stacks(), "\n\n") {
		header, frames, _ := strings.Cut(trace, "\n")
		_, state, _ := strings.Cut(header, "[")
		if isLock(state) && lockedBy(frames) {
			n++
		}
	}
	return n
}

// isLock reports whether a goroutine in state waits for a mutex.
func isLock(state string) bool {
	return strings.HasPrefix(state, "sync.Mutex.Lock") || strings.HasPrefix(state, "sync.RWMutex.")
}

// awaitSecond returns when the second goroutine has arrived, has returned, or
// waits in the code under test.
func (m *Meeting) awaitSecond(second string, secondDone <-chan struct{}) {
	for {
		select {
		case <-m.secondArrived:
			return
		case <-secondDone:
			return
		default:
		}
		if waits(stacks(), second) {
			return
		}
		runtime.Gosched()
	}
}

// goroutine returns the identifier of the calling goroutine, as stack traces
// print it.
func goroutine() string {
	buffer := make([]byte, 64)
	fields := bytes.Fields(buffer[:runtime.Stack(buffer, false)])
	return string(fields[1])
}

// stacks returns the stack traces of all goroutines.
func stacks() string {
	for size := 1 << 16; ; size *= 2 {
		buffer := make([]byte, size)
		if n := runtime.Stack(buffer, true); n < size {
			return string(buffer[:n])
		}
	}
}

// waits reports whether, in traces, the goroutine called id waits for a mutex that
// a function of this module locks, or at a channel that a function of this module
// uses. Waiting in the standard library says nothing: that will end.
func waits(traces, id string) bool {
	for trace := range strings.SplitSeq(traces, "\n\n") {
		header, frames, _ := strings.Cut(trace, "\n")
		state, ok := strings.CutPrefix(header, "goroutine "+id+" [")
		if !ok {
			continue
		}
		switch {
		case strings.HasPrefix(state, "select"), strings.HasPrefix(state, "chan "):
			return strings.HasPrefix(frames, module) && !strings.HasPrefix(frames, self)
		case isLock(state):
			return lockedBy(frames)
		}
		return false
	}
	return false
}

// lockedBy reports whether a function of this module is the first in frames
// that is not one of a mutex.
func lockedBy(frames string) bool {
	for frame := range strings.SplitSeq(frames, "\n") {
		inSync := strings.HasPrefix(frame, "sync.") || strings.HasPrefix(frame, "internal/sync.") ||
			strings.HasPrefix(frame, "\t")
		if !inSync {
			return strings.HasPrefix(frame, module)
		}
	}
	return false
}
