package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// After the first collection, the heap grows by what is set for it.
func TestDelayCollection(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	const percent = 73
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	defer debug.SetMemoryLimit(math.MaxInt64)
	delayCollection(1 << 40)
	if got := debug.SetGCPercent(-1); got != -1 {
		t.Fatalf("collected at %d percent from the beginning", got)
	}
	limit := int64(0)
	for range 100 {
		runtime.GC()
		if limit = debug.SetMemoryLimit(-1); limit == math.MaxInt64 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if got := debug.SetGCPercent(percent); got != percent*growth/100 || limit != math.MaxInt64 {
		t.Errorf("after a collection, %d percent and a limit of %d", got, limit)
	}
}

func TestDelayCollectionYields(t *testing.T) {
	t.Setenv("GOGC", "50")
	delayCollection(1)
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		t.Errorf("GOGC is set, and the limit is %d", limit)
	}
}
