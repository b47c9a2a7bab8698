package guards

import "sync"

// The lock's name is exported, but nothing that has it can be named elsewhere.
var times = struct {
	sync.RWMutex
	m map[string]int64
}{m: make(map[string]int64)}

var sizes = &struct {
	Mu sync.Mutex
	m  map[string]int
}{m: make(map[string]int)}

func DropTimes(k string) {
	times.Lock()
	defer times.Unlock()
	delete(times.m, k)
}

func DropSizes(k string) {
	sizes.Mu.Lock()
	defer sizes.Mu.Unlock()
	delete(sizes.m, k)
}

func TimeBad(k string, now int64) int64 {
	t := times.m[k] // want `check-then-act: .*`
	if t <= 0 {
		t = now
		times.Lock()
		times.m[k] = t
		times.Unlock()
	}
	return now - t
}

func SizeBad(k string) int {
	return sizes.m[k] // want `unguarded-access: .*`
}

func AddSize(k string) {
	sizes.Mu.Lock()
	defer sizes.Mu.Unlock()
	sizes.m[k]++
}
