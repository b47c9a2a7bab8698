package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// After the first collection, the heap grows to the size that it may have had, and
// once more is in use, by what is set for it.
func TestDelayCollection(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	const percent, size = 73, 256 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	defer debug.SetMemoryLimit(math.MaxInt64)
	delayCollection(size)
	if got := debug.SetGCPercent(-1); got != -1 {
		t.Fatalf("collected at %d percent from the beginning", got)
	}
	goal := func() uint64 {
		s := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	if !collectedUntil(func() bool {
		return debug.SetMemoryLimit(-1) == math.MaxInt64 && goal() > size*9/10 && goal() < size*11/10
	}) {
		t.Errorf("after a collection, a goal of %d", goal())
	}
	held := make([]byte, size)
	set := 0
	if !collectedUntil(func() bool {
		set = debug.SetGCPercent(-1)
		debug.SetGCPercent(set)
		return set == percent
	}) {
		t.Errorf("%d percent when more is in use", set)
	}
	runtime.KeepAlive(held)
}

// collectedUntil collects the heap until something holds.
func collectedUntil(holds func() bool) bool {
	for range 100 {
		runtime.GC()
		if holds() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestDelayCollectionYields(t *testing.T) {
	t.Setenv("GOGC", "50")
	delayCollection(1)
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		t.Errorf("GOGC is set, and the limit is %d", limit)
	}
}
