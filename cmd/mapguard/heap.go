package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// firstHeap is the size of the heap at which it is collected for the first
// time, as in the Go compiler. What a run has loaded stays until its end, so
// that the collections of a small heap only cost time.
const firstHeap = 128 << 20

// leastHeap is the size below which Go collects no heap, at 100 percent.
const leastHeap = 4 << 20

// delayCollection puts the first collection off until the heap has the given
// size; from then on it grows as usual, and at least to the size that it had
// before: less of it is in use once packages are analysed, and to collect it more
// often would give back memory that the run has needed already. Who has set how it
// grows is left alone.
func delayCollection(size int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	percent := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(size)
	afterCollection(func() {
		debug.SetMemoryLimit(math.MaxInt64)
		keepSize(percent, uint64(size))
	})
}

// afterCollection calls a function once the heap is collected the next time.
func afterCollection(f func()) {
	// The collection finds that nothing refers to the object.
	runtime.AddCleanup(new([16]byte), func(f func()) { f() }, f)
}

// keepSize lets the heap grow by so many percent of what is in use, or to the size
// that it had, and goes on with that after each collection.
func keepSize(percent int, size uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	metrics.Read(samples)
	scanned := uint64(1) // what the percentage is of
	for _, s := range samples {
		if s.Value.Kind() != metrics.KindUint64 {
			debug.SetGCPercent(percent)
			return // a version of Go that does not tell
		}
		scanned += s.Value.Uint64()
	}
	used := samples[0].Value.Uint64()
	goal := used + scanned*uint64(percent)/100
	if size > goal {
		debug.SetGCPercent(int(min((size-used)/max(scanned/100, 1), size/(leastHeap/100))))
	} else {
		debug.SetGCPercent(percent)
		size = goal
	}
	afterCollection(func() { keepSize(percent, size) })
}
