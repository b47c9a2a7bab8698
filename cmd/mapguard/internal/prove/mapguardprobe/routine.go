package mapguardprobe

import "runtime"

// A routine is a goroutine that is in a probed function.
type routine struct {
	frames []*Frame
	ops    []*Op // begun and not ended
	copied bool  // runs a copy of a call
}

// A Frame is one call of a function that has a look and its act.
type Frame struct {
	id    int
	g     int64
	looks []*look
	users int
	async bool
}

// hold keeps an operation until End or Step of its goroutine.
func (op *Op) hold() {
	if op == nil {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	r := routines[op.g]
	if r == nil {
		r = &routine{}
		routines[op.g] = r
	}
	if len(r.ops) >= maxHeld { // what a panic has left
		r.ops = r.ops[1:]
	}
	r.ops = append(r.ops, op)
}

func held() *Op {
	if open.Load() <= 0 {
		return nil
	}
	g := goid()
	mu.Lock()
	defer mu.Unlock()
	r := routines[g]
	if r == nil {
		return nil
	}
	return r.pop(g)
}

// pop takes the operation that was begun last.
func (r *routine) pop(g int64) *Op {
	if len(r.ops) == 0 {
		return nil
	}
	op := r.ops[len(r.ops)-1]
	r.ops = r.ops[:len(r.ops)-1]
	r.idle(g)
	return op
}

// idle forgets a goroutine that is in no probed function any more.
func (r *routine) idle(g int64) {
	if len(r.frames) == 0 && len(r.ops) == 0 && !r.copied {
		delete(routines, g)
	}
}

// Enter begins a call of a function that has a look and its act; async says
// that a goroutine which it starts may act.
func Enter(id int, async bool) *Frame {
	if open.Load() <= 0 {
		return nil
	}
	f := &Frame{id: id, async: async}
	f.join()
	return f
}

// In lets the goroutine at hand take part in the call.
func (f *Frame) In() *Frame {
	if f != nil {
		f.join()
	}
	return f
}

func (f *Frame) join() {
	g := goid()
	mu.Lock()
	defer mu.Unlock()
	if f.users == 0 && f.g == 0 {
		f.g = g
	}
	f.users++
	r := routines[g]
	if r == nil {
		r = &routine{}
		routines[g] = r
	}
	r.frames = append(r.frames, f)
}

// Leave ends the call for the goroutine at hand.
func (f *Frame) Leave() {
	if f == nil {
		return
	}
	g := goid()
	mu.Lock()
	defer mu.Unlock()
	r := routines[g]
	if r == nil {
		return
	}
	for i := len(r.frames) - 1; i >= 0; i-- {
		if r.frames[i] == f {
			r.frames = append(r.frames[:i:i], r.frames[i+1:]...)
			break
		}
	}
	r.idle(g)
	f.users--
	switch {
	case f.users > 0:
	case f.async && f.g == g: // what it has started may act later
		later = append(later, f)
		if len(later) > maxLater {
			later[0].forget()
			later = later[1:]
		}
	default:
		f.forget()
	}
}

func (f *Frame) forget() {
	for _, l := range f.looks {
		delete(looks, l)
	}
}

// callers is the stack of the goroutine at hand.
func callers() []uintptr {
	pcs := make([]uintptr, 32)
	return pcs[:runtime.Callers(3, pcs)]
}

// goid is the number of the goroutine at hand, which only its stack tells.
func goid() int64 {
	var buf [40]byte
	var id int64
	for _, c := range buf[len("goroutine "):runtime.Stack(buf[:], false)] {
		if c < '0' || c > '9' {
			break
		}
		id = id*10 + int64(c-'0')
	}
	return id
}

// inner reports whether the function at hand was called by its own package, its
// tests aside, or by a driver.
func inner() bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	f, more := frames.Next()
	pkg := packageOf(f.Function)
	for more {
		f, more = frames.Next()
		if own(f.File) || packageOf(f.Function) == pkg && !testFile(f.File) {
			return true
		}
	}
	return false
}

// packageOf is the package in the name of a function.
func packageOf(function string) string {
	slash := len(function) - 1
	for slash >= 0 && function[slash] != '/' {
		slash--
	}
	for i := slash + 1; i < len(function); i++ {
		if function[i] == '.' {
			return function[:i]
		}
	}
	return function
}

func testFile(name string) bool {
	const suffix = "_test.go"
	return len(name) > len(suffix) && name[len(name)-len(suffix):] == suffix
}
