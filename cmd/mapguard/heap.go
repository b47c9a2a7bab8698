package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// firstHeap is the size of the heap at which it is collected for the first
// time, as in the Go compiler. What a run has loaded stays until its end, so
// that the collections of a small heap only cost time.
const firstHeap = 128 << 20

// growth is how much the heap grows from then on until it is collected again, in
// percent of what is usual: less is marked, for a little more memory.
const growth = 110

// delayCollection puts the first collection off until the heap has the given
// size; from then on it grows by growth. Who has set how it grows is left alone.
func delayCollection(size int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(size)
	// The first collection finds that nothing refers to the object.
	runtime.AddCleanup(new([16]byte), func(percent int) {
		debug.SetGCPercent(percent * growth / 100)
		debug.SetMemoryLimit(math.MaxInt64)
	}, percent)
}
