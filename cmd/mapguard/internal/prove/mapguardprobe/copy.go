package mapguardprobe

import "unsafe"

var (
	// copies is how often a call may still be copied.
	copies int
	// after: copies come when the call has ended. Without it, one of some calls
	// is copied, other ones with another seed.
	after      bool
	some, seed int
	calls      = map[unsafe.Pointer]map[int]func(){}
	copied     = map[int]int{}
)

// Called begins a call from outside of a function that reaches a finding, and
// returns what ends it. Where that is asked for, another goroutine makes the
// same call at the same time, on the same object, and calls that were made
// before on this object; or they do so among themselves when it has ended, so
// that the test is less disturbed.
func Called(id int, object any, call func()) func() {
	if open.Load() <= 0 || copies == 0 {
		return nothing
	}
	g := goid()
	mu.Lock()
	defer mu.Unlock()
	if r := routines[g]; r != nil && r.copied || len(calls) > maxObjects {
		return nothing
	}
	on := word(object)
	before := calls[on]
	if before == nil {
		before = map[int]func(){}
		calls[on] = before
	}
	before[id] = call
	if len(before) == 1 && copied[id] >= alone { // others may come on this object
		return nothing
	}
	copied[id]++
	n := copied[id]
	if n > copies || n > 16 && n%4 != 0 {
		return nothing
	}
	if after {
		return func() { repeat(before, call) }
	}
	if some > 1 && (n*7+id*13+seed)%some != 0 {
		return nothing
	}
	for _, c := range before {
		start(c)
	}
	return nothing
}

func nothing() {}

// repeat makes a call that has ended in two goroutines, beside the others.
func repeat(before map[int]func(), call func()) {
	mu.Lock()
	defer mu.Unlock()
	start(call)
	for _, c := range before {
		start(c)
	}
}

// alone is how often a call is copied where no other one was made before on the
// object.
const alone = 4

// maxObjects bounds the objects whose calls are kept.
const maxObjects = 10000

// start begins a copy of a call.
func start(call func()) {
	running++
	go run(call)
}

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
		running--
		delete(routines, g)
		mu.Unlock()
	}()
	call()
}
