package threads

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Who has taken all slots of a semaphore has waited for those who had one each until their end.
func fillAllOk(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			mu.Lock()
			m[k]++
			mu.Unlock()
		}()
	}
	for i := 0; i < cap(sem); i++ {
		sem <- struct{}{}
	}
	return len(m)
}

func fillRangeOk(keys []string, n int) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan bool, n)
	for _, k := range keys {
		sem <- true
		go func() {
			mu.Lock()
			m[k]++
			mu.Unlock()
			<-sem
		}()
	}
	for range n {
		sem <- true
	}
	return len(m)
}

// Two kinds of goroutines, and a select before one of them.
func fillBothOk(ctx context.Context, keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		select {
		case sem <- struct{}{}:
		case <-ctx.Done():
			return 0
		}
		go func() {
			defer func() { <-sem }()
			mu.Lock()
			m[k]++
			mu.Unlock()
		}()
	}
	sem <- struct{}{}
	go func() {
		defer func() { <-sem }()
		mu.Lock()
		defer mu.Unlock()
		m["end"]++
	}()
	for range cap(sem) {
		sem <- struct{}{}
	}
	return len(m)
}

// Those who take their slot first are done, or wait for ever.
func fillInsideOk(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		go func() {
			sem <- struct{}{}
			defer func() { <-sem }()
			mu.Lock()
			m[k]++
			mu.Unlock()
		}()
	}
	for range cap(sem) {
		sem <- struct{}{}
	}
	return len(m)
}

// One slot is left.
func fillLessBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	for i := 0; i < cap(sem)-1; i++ {
		sem <- struct{}{}
	}
	return len(m)
}

// The loop may end early.
func fillBreakBad(ctx context.Context, keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	for i := 0; i < cap(sem); i++ {
		if ctx.Err() != nil {
			break
		}
		sem <- struct{}{}
	}
	return len(m)
}

// The slot is given back before the map is used.
func givenEarlyBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		sem <- struct{}{}
		go func() {
			<-sem
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	for range cap(sem) {
		sem <- struct{}{}
	}
	return len(m)
}

// Nothing takes a slot for the goroutine.
func notTakenBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		go func() {
			defer func() { <-sem }()
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	for range cap(sem) {
		sem <- struct{}{}
	}
	return len(m)
}

// The map is used before the slot is taken.
func takenLateBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		go func() {
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
			sem <- struct{}{}
			defer func() { <-sem }()
		}()
	}
	for range cap(sem) {
		sem <- struct{}{}
	}
	return len(m)
}

// Something else makes room.
func drainedBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	go func() {
		for range keys {
			<-sem
		}
	}()
	for range cap(sem) {
		sem <- struct{}{}
	}
	return len(m)
}

// Two goroutines share one slot.
func sharedSlotBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := make(chan struct{}, 4)
	for _, k := range keys {
		sem <- struct{}{}
		go func() {
			defer func() { <-sem }()
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
		go func() {
			defer func() { <-sem }()
			println(k)
		}()
	}
	for range cap(sem) {
		sem <- struct{}{}
	}
	return len(m)
}

// The same with a weighted semaphore.
func weightedOk(ctx context.Context, keys []string, n int) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := semaphore.NewWeighted(int64(n))
	for _, k := range keys {
		if err := sem.Acquire(ctx, 1); err != nil {
			break
		}
		go func() {
			defer sem.Release(1)
			mu.Lock()
			m[k]++
			mu.Unlock()
		}()
	}
	if err := sem.Acquire(ctx, int64(n)); err != nil {
		return 0
	}
	return len(m)
}

func weightedBackgroundOk(keys []string) int {
	ctx := context.TODO()
	m := map[string]int{}
	var mu sync.Mutex
	sem := semaphore.NewWeighted(4)
	for _, k := range keys {
		_ = sem.Acquire(ctx, 1)
		go func() {
			defer sem.Release(1)
			mu.Lock()
			m[k]++
			mu.Unlock()
		}()
	}
	_ = sem.Acquire(ctx, 4)
	return len(m)
}

// The context may end before all is there.
func weightedIgnoredBad(ctx context.Context, keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := semaphore.NewWeighted(4)
	for _, k := range keys {
		if sem.Acquire(ctx, 1) != nil {
			break
		}
		go func() {
			defer sem.Release(1)
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	_ = sem.Acquire(ctx, 4)
	return len(m)
}

// It may hold nothing.
func weightedUncheckedBad(ctx context.Context, keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := semaphore.NewWeighted(4)
	for _, k := range keys {
		_ = sem.Acquire(ctx, 1)
		go func() {
			defer sem.Release(1)
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	_ = sem.Acquire(context.Background(), 4)
	return len(m)
}

// A part of it is not all.
func weightedPartBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := semaphore.NewWeighted(4)
	for _, k := range keys {
		_ = sem.Acquire(context.Background(), 1)
		go func() {
			defer sem.Release(1)
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	_ = sem.Acquire(context.Background(), 3)
	return len(m)
}

// More is given back than was taken.
func weightedMoreBad(keys []string) int {
	m := map[string]int{}
	var mu sync.Mutex
	sem := semaphore.NewWeighted(4)
	for _, k := range keys {
		_ = sem.Acquire(context.Background(), 1)
		go func() {
			defer sem.Release(2)
			mu.Lock()
			m[k]++ // want `goroutine-race: m is written in a goroutine under mu`
			mu.Unlock()
		}()
	}
	_ = sem.Acquire(context.Background(), 4)
	return len(m)
}
