package refused

import "sync"

type reporter interface{ report(string) bool }

// Maps are counted and walked, in ways in which one copy would not do.
type reporters struct {
	mu sync.Mutex
	// byName is guarded by mu.
	byName map[string]reporter
	// nested is guarded by mu.
	nested map[string]map[string]reporter
	done   chan bool
}

func (r *reporters) put(k string, v reporter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.byName[k] = v
	r.nested[k] = map[string]reporter{k: v}
}

// What others put in before it is told must be walked.
func (r *reporters) waited() {
	if len(r.byName) == 0 {
		println("none yet")
	}
	<-r.done
	for k, one := range r.byName { // want `.*`
		one.report(k)
	}
}

func (r *reporters) called(v reporter) {
	if len(r.byName) == 0 { // want `.*`
		r.put("none", v)
	}
	for k, one := range r.byName { // want `.*`
		one.report(k)
	}
}

func (r *reporters) looped(names []string) {
	for range names {
		if len(r.byName) == 0 {
			println("none yet")
		}
	}
	for k, one := range r.byName { // want `.*`
		one.report(k)
	}
}

func (r *reporters) times() {
	n := 0
	for i := 0; i < 3; i++ {
		n += len(r.byName)
	}
	for k, one := range r.byName { // want `.*`
		one.report(k + string(rune(n)))
	}
}

func (r *reporters) jumps() {
again:
	if len(r.byName) == 0 {
		goto again
	}
	for k, one := range r.byName { // want `.*`
		one.report(k)
	}
}

func (r *reporters) deep() {
	if len(r.nested) == 0 {
		return
	}
	for k, all := range r.nested { // want `.*`
		for _, one := range all {
			one.report(k)
		}
	}
}

// The one that is gone is looked at under the lock.
func (r *reporters) beside() {
	n := len(r.byName)
	for k, one := range r.byName { // want `.*`
		one.report(k)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	println(n - len(r.byName))
}

func (r *reporters) put2(k string, v reporter) {
	if r.byName[k] == nil { // want `.*`
		v.report(k)
		r.byName[k] = v
	}
	for k, one := range r.byName {
		one.report(k)
	}
}

var reportersNow = &reporters{byName: make(map[string]reporter)}

func swapReporters(r *reporters) { reportersNow = r }

// What is walked is not what was counted.
func swapped(next *reporters) {
	println(len(reportersNow.byName))
	swapReporters(next)
	for k, one := range reportersNow.byName { // want `.*`
		one.report(k)
	}
}
