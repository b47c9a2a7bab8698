package mapguardprobe

import "time"

// A trap is a goroutine that waits before its access.
type trap struct {
	finding int
	main    bool // its access is the finding's own
	op      *Op
	stack   []uintptr
	wake    chan struct{}
}

// spring confirms findings of two accesses at one time: another goroutine is
// just before its own access of the same map, and neither keeps the other out.
// Where none is, the goroutine waits a little for one. It is called with mu,
// and lets go of it while it waits.
func (op *Op) spring(findings []int, own bool) {
	for _, f := range findings {
		main := own && (!plan.Findings[f].Via || within(op.g, f))
		pairs := plan.Findings[f].Pair && !(races && plan.Findings[f].Race) // looks and their acts confirm it
		again := !own && has(plan.Sites[op.site].Traps, f)                  // it is sprung as the finding's own
		if done[f] || pairs || again {
			continue
		}
		other := op.overlaps(f, main)
		if other == nil {
			other = op.keeper(f)
		}
		if other != nil {
			confirm(f, []step{{"A", other, other.stack}, {"B", op, callers()}})
			continue
		}
		if other, conflict := meets(op, f, main); conflict {
			confirm(f, []step{{"A", other.op, other.stack}, {"B", op, callers()}})
			close(other.wake)
			other.wake = nil
			mu.Unlock()
			time.Sleep(time.Millisecond) // let the other one go first: both at once may end the process
			mu.Lock()
			continue
		} else if other != nil && (!main || other.main) { // else that one may go on to what meets this
			continue
		}
		key := waitKey{f, op.site, main}
		if lonely(op.g) || !grant(key) {
			continue
		}
		t := &trap{finding: f, main: main, op: op, stack: callers(), wake: make(chan struct{})}
		traps = append(traps, t)
		pause(key, t.wake)
		for i := range traps {
			if traps[i] == t {
				traps = append(traps[:i:i], traps[i+1:]...)
				break
			}
		}
	}
}

// maxActive bounds the goroutines whose operations are known.
const maxActive = 256

// goes notes that the goroutine is at the operation, until that ends. One that
// may panic instead is left out.
func (op *Op) goes() {
	s := &plan.Sites[op.site]
	delete(active, op.g) // that has ended, or is around this one
	if len(s.Traps)+len(s.Others) > 0 && op.head != nil && len(active) < maxActive {
		op.stack = callers()
		active[op.g] = op
	}
}

// overlaps returns the operation that another goroutine is at, on the same map,
// where one of them changes it: nothing keeps either out.
func (op *Op) overlaps(finding int, main bool) *Op {
	for g, o := range active {
		s := &plan.Sites[o.site]
		own := has(s.Traps, finding)
		if g == op.g || !o.same(op) || op.itself(o, finding) || !own && !has(s.Others, finding) || !o.kind.Changes() && !op.kind.Changes() {
			continue
		}
		if main || own && (!plan.Findings[finding].Via || within(g, finding)) {
			return o
		}
	}
	return nil
}

// maxKept bounds the reads of maps that callers keep.
const maxKept = 64

var kept []*Op

// keep notes that the caller goes on to read the map.
func (op *Op) keep() {
	if op == nil || op.head == nil {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	op.stack = callers()
	if kept = append(kept, op); len(kept) > maxKept {
		kept = kept[1:]
	}
}

// keeper returns the read of a map that another goroutine keeps, where the
// operation changes that map.
func (op *Op) keeper(finding int) *Op {
	for _, o := range kept {
		if o.g != op.g && o.same(op) && op.kind.Changes() && has(plan.Sites[o.site].Traps, finding) {
			return o
		}
	}
	return nil
}

// itself reports whether two operations are both those of a goroutine that is
// alone.
func (op *Op) itself(other *Op, finding int) bool {
	return plan.Findings[finding].Alone && has(plan.Sites[op.site].Traps, finding) && has(plan.Sites[other.site].Traps, finding)
}

// within reports whether a goroutine is in the function of a finding.
func within(g int64, finding int) bool {
	if r := routines[g]; r != nil {
		for _, fr := range r.frames {
			if has(plan.Frames[fr.id], finding) {
				return true
			}
		}
	}
	return false
}

// meets looks for a goroutine that waits at an access of the same map.
func meets(op *Op, finding int, main bool) (other *trap, conflict bool) {
	for _, t := range traps {
		if t.finding != finding || t.wake == nil || t.op.g == op.g || !t.op.same(op) {
			continue
		}
		if (main || t.main) && !op.itself(t.op, finding) && (t.op.kind.Changes() || op.kind.Changes()) {
			return t, true
		}
		other = t
	}
	return other, false
}

// Gap is a place between a look and its act: the goroutine may wait here for
// another one to change the map.
func Gap(id int) {
	if open.Load() <= 0 {
		return
	}
	g := goid()
	mu.Lock()
	defer mu.Unlock()
	r := routines[g]
	if r == nil || len(looks) == 0 {
		return
	}
	for _, fr := range r.frames {
		for _, l := range fr.looks {
			if !l.acted && !done[l.finding] && !l.changed() && !l.waited[id] {
				if l.gap(id) {
					return
				}
			}
		}
	}
}

// changed reports whether another goroutine has changed the map since the look.
func (l *look) changed() bool {
	for _, c := range l.changes {
		if c.op.g != l.op.g {
			return true
		}
	}
	return false
}

// gap waits at one of the gaps of a finding: another one in each call, since it
// cannot be told at which of them the goroutine holds the lock.
func (l *look) gap(id int) bool {
	key := waitKey{l.finding, id, true}
	known := gaps[l.finding]
	at := -1
	for i, k := range known {
		if k == id {
			at = i
		}
	}
	if at < 0 {
		gaps[l.finding] = append(known, id)
	} else if len(known) > 0 && l.serial%len(known) != at {
		return false
	}
	for other := range looks { // one waits, the others go on
		if other.finding == l.finding && other != l && other.wake != nil && other.op.same(l.op) {
			return false
		}
	}
	if lonely(l.op.g) || !grant(key) {
		return false
	}
	l.waited[id] = true
	l.wake = make(chan struct{})
	wake := l.wake
	pause(key, wake)
	l.wake = nil
	return true
}

// waitKey is where goroutines wait, and for which finding; main ones are those
// whose operation is the finding's own, and others do not make their waits
// shorter.
type waitKey struct {
	finding, place int
	main           bool
}

// waits are those at one place: all of them, and those since the last one that
// was not in vain.
type waits struct{ count, vain int }

var (
	gaps   [][]int // by finding
	races  bool    // meeting at one access confirms a pair without locks
	waited = map[waitKey]*waits{}
	// left is the time that all waits together may still take.
	left time.Duration
	// longest is how long one wait may take.
	longest time.Duration
	// unwaiting: no goroutine waits for now.
	unwaiting bool
	// running counts the copies of calls that are not through.
	running int
)

// setWaits says whether goroutines wait.
func setWaits(on bool) {
	mu.Lock()
	unwaiting = !on
	mu.Unlock()
}

// lonely reports whether waits would be in vain: others are to come from copies
// of calls, and there is none at this time.
func lonely(g int64) bool {
	r := routines[g]
	return copies > 0 && running == 0 && (r == nil || !r.copied)
}

// length is how long to wait: less, the more often it was in vain.
func (w *waits) length() time.Duration {
	return max(longest>>min(w.vain/eager, 7), 50*time.Microsecond)
}

// eager is after how many waits in vain they become shorter.
const eager = 6

// grant asks whether there is time for a wait.
func grant(key waitKey) bool {
	w := waited[key]
	if w == nil {
		w = &waits{}
		waited[key] = w
	}
	return !unwaiting && left >= w.length()
}

// pause waits without mu, until it is woken or the time is up.
func pause(key waitKey, wake chan struct{}) {
	w := waited[key]
	d, r := w.length(), driven
	single := r != nil && r.live <= 1 && !background.Load()
	if single {
		d = min(d, grace)
	}
	w.count++
	if power(w.count) {
		note("waited", key.finding, w.count)
	}
	begun := time.Now()
	mu.Unlock()
	t := time.NewTimer(d)
	woken, alone := false, false
	select {
	case <-wake:
		woken = true
	case <-t.C:
	case <-r.alone():
		alone = true
		time.Sleep(min(d, grace))
	}
	t.Stop()
	mu.Lock()
	left -= time.Since(begun)
	switch {
	case woken:
		w.vain = 0
	case !alone && !single: // those were short, and say nothing of other goroutines
		w.vain++
	}
}

// grace is how long a goroutine waits when the driver's other ones are through:
// those that they have started may still come.
const grace = 300 * time.Microsecond

func power(n int) bool { return n&(n-1) == 0 }
