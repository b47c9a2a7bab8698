package threads

import (
	"errors"
	"sync"
)

// Each goroutine says on a channel of its own that it has ended. Who has gathered the channels and receives from each of them
// has waited for all of the goroutines.

type hull struct {
	mu   sync.Mutex
	seen map[string]int
}

func weigh(name string) error {
	if name == "" {
		return errors.New("no name")
	}
	return nil
}

func gatheredOk(names []string, twice bool) int {
	weights := make(map[string]int)
	var mu sync.Mutex
	ends := []chan error{}
	if twice {
		for _, name := range names {
			end := make(chan error, 1)
			go func(of string) {
				defer func() { close(end) }()
				if err := weigh(of); err != nil {
					end <- err
					return
				}
				mu.Lock()
				weights[of] = len(of)
				mu.Unlock()
				end <- nil
			}(name)
			ends = append(ends, end)
		}
	}
	failed := 0
	for _, end := range ends {
		if err := <-end; err != nil {
			failed++
		}
	}
	weights["failed"] = failed
	return len(weights)
}

// The goroutine goes on behind what it sends.
func sentTooEarlyBad(names []string) int {
	later := make(map[string]int)
	var mu sync.Mutex
	var ends []chan error
	for _, name := range names {
		end := make(chan error, 1)
		go func() {
			end <- weigh(name)
			mu.Lock()
			later[name] = len(name) // want `goroutine-race: later is written in a goroutine under mu, at the same time as sentTooEarlyBad, which goes on meanwhile`
			mu.Unlock()
			close(end)
		}()
		ends = append(ends, end)
	}
	for _, end := range ends {
		<-end
	}
	return len(later)
}

// What was deferred before the close runs after it.
func closedTooEarlyBad(names []string) int {
	after := make(map[string]int)
	var mu sync.Mutex
	var ends []chan struct{}
	for _, name := range names {
		end := make(chan struct{})
		ends = append(ends, end)
		go func() {
			defer func() {
				mu.Lock()
				after[name]++ // want `goroutine-race: after is written in a goroutine under mu, at the same time as closedTooEarlyBad, which goes on meanwhile`
				mu.Unlock()
			}()
			defer close(end)
			weigh(name)
		}()
	}
	for _, end := range ends {
		<-end
	}
	return len(after)
}

// A map of channels.
func byNameOk(names []string) int {
	found := make(map[string]int)
	var mu sync.Mutex
	ends := make(map[string]chan struct{})
	for _, name := range names {
		end := make(chan struct{})
		ends[name] = end
		go func() {
			defer close(end)
			mu.Lock()
			defer mu.Unlock()
			found[name] = 1
		}()
	}
	for _, end := range ends {
		<-end
	}
	return len(found)
}

// Only the last channel is in the map.
func byOneNameBad(names []string) int {
	missed := make(map[string]int)
	var mu sync.Mutex
	ends := make(map[string]chan struct{})
	for _, name := range names {
		end := make(chan struct{})
		ends["end"] = end
		go func() {
			defer close(end)
			mu.Lock()
			defer mu.Unlock()
			missed[name] = 1 // want `goroutine-race: missed is written in a goroutine under mu, at the same time as byOneNameBad, which goes on meanwhile`
		}()
	}
	for _, end := range ends {
		<-end
	}
	return len(missed)
}

// Some goroutines are in no list.
func someGatheredBad(names []string) int {
	some := make(map[string]int)
	var mu sync.Mutex
	var ends []chan error
	for _, name := range names {
		end := make(chan error, 1)
		go func() {
			mu.Lock()
			some[name] = 1 // want `goroutine-race: some is written in a goroutine under mu, at the same time as someGatheredBad, which goes on meanwhile`
			mu.Unlock()
			end <- nil
		}()
		if name == "last" {
			break
		}
		ends = append(ends, end)
	}
	for _, end := range ends {
		<-end
	}
	return len(some)
}

// The list begins anew, and forgets those before.
func forgottenBad(names []string) int {
	forgot := make(map[string]int)
	var mu sync.Mutex
	var ends []chan error
	for _, name := range names {
		if name == "anew" {
			ends = nil
		}
		end := make(chan error, 1)
		ends = append(ends, end)
		go func() {
			mu.Lock()
			forgot[name] = 1 // want `goroutine-race: forgot is written in a goroutine under mu, at the same time as forgottenBad, which goes on meanwhile`
			mu.Unlock()
			end <- nil
		}()
	}
	for _, end := range ends {
		<-end
	}
	return len(forgot)
}

// One answer is not that of both.
func twoForOneBad(names []string) int {
	both := make(map[string]int)
	var mu sync.Mutex
	var ends []chan error
	for _, name := range names {
		end := make(chan error, 2)
		ends = append(ends, end)
		go func() {
			mu.Lock()
			both[name]++ // want `goroutine-race: both is written in a goroutine under mu, at the same time as twoForOneBad, which goes on meanwhile`
			mu.Unlock()
			end <- nil
		}()
		go func() {
			mu.Lock()
			both[name]--
			mu.Unlock()
			end <- nil
		}()
	}
	for _, end := range ends {
		<-end
	}
	return len(both)
}

// The walk may end before it has come to all.
func leftEarlyBad(names []string) int {
	left := make(map[string]int)
	var mu sync.Mutex
	var ends []chan error
	for _, name := range names {
		end := make(chan error, 1)
		go func() {
			mu.Lock()
			left[name] = 1 // want `goroutine-race: left is written in a goroutine under mu, at the same time as leftEarlyBad, which goes on meanwhile`
			mu.Unlock()
			end <- weigh(name)
		}()
		ends = append(ends, end)
	}
	for _, end := range ends {
		if <-end != nil {
			break
		}
	}
	return len(left)
}

// It comes to a part of them.
func partWalkedBad(names []string) int {
	part := make(map[string]int)
	var mu sync.Mutex
	var ends []chan error
	for _, name := range names {
		end := make(chan error, 1)
		go func() {
			mu.Lock()
			part[name] = 1 // want `goroutine-race: part is written in a goroutine under mu, at the same time as partWalkedBad, which goes on meanwhile`
			mu.Unlock()
			end <- nil
		}()
		ends = append(ends, end)
	}
	for _, end := range ends[1:] {
		<-end
	}
	return len(part)
}

// One of two functions says on the channel, which it may get as an argument.
func eitherOk(h *hull, names []string) int {
	var ends []chan error
	for _, name := range names {
		if name == "" {
			continue
		}
		end := make(chan error, 1)
		if name == "keel" {
			go func() {
				h.mu.Lock()
				h.seen["keel"]++
				h.mu.Unlock()
				end <- nil
			}()
		} else {
			go func(to chan<- error) {
				h.mu.Lock()
				h.seen[name]++
				h.mu.Unlock()
				to <- weigh(name)
			}(end)
		}
		ends = append(ends, end)
	}
	for i := range ends {
		<-ends[i]
	}
	return len(h.seen)
}

// Each channel is received from until it is closed.
func drainedOk(names []string) int {
	drained := make(map[string]int)
	var mu sync.Mutex
	var steps []chan int
	for _, name := range names {
		step := make(chan int)
		go func() {
			defer close(step)
			for i := range name {
				step <- i
				mu.Lock()
				drained[name]++
				mu.Unlock()
			}
		}()
		steps = append(steps, step)
	}
	for _, step := range steps {
		for range step {
		}
	}
	return len(drained)
}

// The loop may end before that.
func drainedPartlyBad(names []string) int {
	partly := make(map[string]int)
	var mu sync.Mutex
	var steps []chan int
	for _, name := range names {
		step := make(chan int, 9)
		go func() {
			defer close(step)
			for i := range name {
				step <- i
				mu.Lock()
				partly[name]++ // want `goroutine-race: partly is written in a goroutine under mu, at the same time as drainedPartlyBad, which goes on meanwhile`
				mu.Unlock()
			}
		}()
		steps = append(steps, step)
	}
	for _, step := range steps {
		for i := range step {
			if i > 3 {
				break
			}
		}
	}
	return len(partly)
}
