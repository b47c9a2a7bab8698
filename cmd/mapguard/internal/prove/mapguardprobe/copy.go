package mapguardprobe

import "unsafe"

var (
	// copies is how often a call may still be copied.
	copies int
	calls  = map[unsafe.Pointer]map[int]func(){}
	copied = map[int]int{}
)

// Called begins a call from outside of a function that reaches a finding. Where
// that is asked for, another goroutine makes the same call at the same time, on
// the same object, and calls that were made before on this object.
func Called(id int, object any, call func()) {
	if open.Load() <= 0 || copies == 0 {
		return
	}
	g := goid()
	mu.Lock()
	defer mu.Unlock()
	if r := routines[g]; r != nil && r.copied || len(calls) > maxObjects {
		return
	}
	on := word(object)
	before := calls[on]
	if before == nil {
		before = map[int]func(){}
		calls[on] = before
	}
	before[id] = call
	copied[id]++
	if n := copied[id]; n > copies || n > 8 && !power(n) {
		return
	}
	for _, c := range before {
		c := c
		go run(c)
	}
}

// maxObjects bounds the objects whose calls are kept.
const maxObjects = 10000

// run makes a call for its effects on maps. It may fail where the first one
// does not: that says nothing.
func run(call func()) {
	g := goid()
	mu.Lock()
	r := &routine{copied: true}
	routines[g] = r
	mu.Unlock()
	defer func() {
		recover()
		mu.Lock()
		delete(routines, g)
		mu.Unlock()
	}()
	call()
}
