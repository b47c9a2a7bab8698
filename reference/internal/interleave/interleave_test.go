package interleave_test

import (
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/mapguard/mapguard/reference/internal/interleave"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// cell is a check-then-act: it is filled by the first who finds it empty.
type cell struct {
	value int
	made  []int
}

func (c *cell) fill(value int, hook func()) {
	if c.value != 0 {
		return
	}
	hook()
	c.made = append(c.made, value)
	c.value = value
}

func TestBothPassTheCheckWhenNothingHoldsThemBack(t *testing.T) {
	for range 100 {
		var c cell
		meeting := interleave.New()
		meeting.Run(
			func() { c.fill(1, meeting.Arrive) },
			func() { c.fill(2, meeting.Arrive) },
		)
		if !slices.Equal(c.made, []int{1, 2}) {
			t.Fatalf("made %v, want both, in order", c.made)
		}
	}
}

func TestTheSecondWaitsForTheLockOfTheFirst(t *testing.T) {
	for _, lock := range []sync.Locker{&sync.Mutex{}, &sync.RWMutex{}} {
		var c cell
		meeting := interleave.New()
		fill := func(value int) func() {
			return func() {
				lock.Lock()
				defer lock.Unlock()
				c.fill(value, meeting.Arrive)
			}
		}
		meeting.Run(fill(1), fill(2))
		if !slices.Equal(c.made, []int{1}) {
			t.Errorf("made %v, want the first alone", c.made)
		}
	}
}

func TestTheSecondWaitsForAReadLock(t *testing.T) {
	var mu sync.RWMutex
	var c cell
	meeting := interleave.New()
	meeting.Run(
		func() {
			mu.Lock()
			defer mu.Unlock()
			c.fill(1, meeting.Arrive)
		},
		func() {
			mu.RLock()
			defer mu.RUnlock()
			c.fill(2, meeting.Arrive)
		},
	)
	if !slices.Equal(c.made, []int{1}) {
		t.Errorf("made %v, want the first alone", c.made)
	}
}

func TestNeitherNeedsToArrive(t *testing.T) {
	c := cell{value: 3}
	meeting := interleave.New()
	meeting.Run(
		func() { c.fill(1, meeting.Arrive) },
		func() { c.fill(2, meeting.Arrive) },
	)
	meeting.Arrive() // a stranger is not held
	if c.value != 3 || c.made != nil {
		t.Errorf("the cell was filled again: %+v", c)
	}
}

func TestBlocks(t *testing.T) {
	if blocks, done := interleave.Blocks(func() {}); blocks {
		t.Error("what returns blocks")
	} else {
		<-done
	}
	release := make(chan struct{})
	var mu sync.Mutex
	mu.Lock()
	for name, wait := range map[string]func(){
		"receive": func() { <-release },
		"select": func() {
			select {
			case <-release:
			case <-make(chan struct{}):
			}
		},
		"lock": func() {
			mu.Lock()
			defer mu.Unlock()
		},
	} {
		blocks, done := interleave.Blocks(wait)
		if !blocks {
			t.Errorf("%s does not block", name)
		}
		if name == "lock" {
			if n := interleave.Queued(); n != 1 {
				t.Errorf("%d goroutines wait for a mutex, want 1", n)
			}
			mu.Unlock()
		} else {
			release <- struct{}{}
		}
		<-done
	}
}
