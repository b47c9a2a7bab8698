package mapguardprobe

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Plan says what is probed. The generated file fills it in.
type Plan struct {
	Sites    []Site
	Findings []Finding
	// Frames lists the findings of each function that has a look and its act.
	Frames [][]int
}

// A Site is one operation on a map.
type Site struct {
	Name string // what it does, and where
	// Looks, Acts and Traps are the findings of which it is the look, the act,
	// or the access; Others those to whose map it belongs.
	Looks, Acts, Traps, Others []int
	// Keeps are the findings whose look it does not renew: it belongs to the
	// act, not to the decision.
	Keeps []int
}

// A Finding is what is to be confirmed: an act on a look that is out of date,
// or, without Pair, two accesses at one time. Apart: the act is on another
// object than the look, one that the map held.
type Finding struct {
	// Race: its two operations have no lock, so meeting at one is proof, too.
	Pair, Apart, Race bool
	// Twice: both delete the entry, and both go by having found it.
	Twice bool
	Act   Kind // what its act does
}

// state is what the watch knows. One lock protects it: probes are few.
var (
	mu       sync.Mutex
	now      uint64 // counts events
	routines = map[int64]*routine{}
	looks    = map[*look]struct{}{}
	traps    []*trap
	done     []bool // by finding
	visits   []int  // by site
	// open counts findings that are not confirmed: with none left, hooks only
	// make their operation.
	open atomic.Int64
	// changes counts operations that change a map.
	changes atomic.Int64
)

// A routine is a goroutine that is in a probed function.
type routine struct {
	frames []*Frame
	ops    []*Op // begun and not ended
	copied bool  // runs a copy of a call
}

// An Op is one operation on a map, from its start to its end.
type Op struct {
	site  int
	kind  Kind
	addr  unsafe.Pointer // of the variable, or of the concurrent map
	head  unsafe.Pointer // of the map
	key   any
	keyed bool
	g     int64
	start uint64
	ended bool // its look is noted, and goes on
}

// A look is what a goroutine goes by in one call of a function.
type look struct {
	finding int
	op      *Op
	end     uint64
	found   presence
	stack   []uintptr
	changes []change
	wake    chan struct{} // while the goroutine waits for a change
	acted   bool
	serial  int
	waited  map[int]bool
}

// A change is an operation that another goroutine, or the same one, has made
// since a look.
type change struct {
	op    *Op
	stack []uintptr
}

// A Frame is one call of a function that has a look and its act.
type Frame struct {
	id    int
	g     int64
	looks []*look
	users int
	async bool
}

type presence int8

const (
	unknown presence = iota
	present
	absent
)

func found(ok bool) presence {
	if ok {
		return present
	}
	return absent
}

func begin(site int, kind Kind, addr, head unsafe.Pointer, key any, keyed bool) *Op {
	if open.Load() <= 0 {
		return nil
	}
	op := &Op{site: site, kind: kind, addr: addr, head: head, key: key, keyed: keyed && comparable_(key), g: goid()}
	mu.Lock()
	defer mu.Unlock()
	visited(site)
	if kind.Changes() {
		changes.Add(1)
	}
	s := &plan.Sites[site]
	op.spring(s.Traps, true)
	op.spring(s.Others, false)
	now++
	op.start = now
	for _, f := range s.Acts {
		op.act(f)
	}
	return op
}

// Done ends an operation.
func (op *Op) Done() { op.finish(unknown) }

func (op *Op) finish(found presence) {
	if op == nil {
		return
	}
	mu.Lock()
	defer mu.Unlock()
	now++
	if op.ended {
		if r := routines[op.g]; r != nil {
			r.refresh(op.site)
		}
		return
	}
	s := &plan.Sites[op.site]
	if op.kind.Changes() {
		op.changed()
	} else {
		op.renew(found)
	}
	if r := routines[op.g]; r != nil && len(s.Looks) > 0 {
		for _, f := range s.Looks {
			r.look(op, f, found)
		}
	}
}

// changed notes the change with every look at the map.
func (op *Op) changed() {
	var stack []uintptr
	for l := range looks {
		if l.end > op.start || !op.same(l.op) {
			continue
		}
		if l.op.kind.isEntry() && op.kind.isEntry() && !sameKey(l.op, op) {
			continue
		}
		if len(l.changes) >= maxChanges {
			l.changes = l.changes[1:]
		}
		if stack == nil {
			stack = callers()
		}
		l.changes = append(l.changes, change{op, stack})
		if l.wake != nil && l.op.g != op.g && l.stale(&Op{kind: plan.Findings[l.finding].Act, g: l.op.g, key: l.op.key, keyed: l.op.keyed}) != nil {
			close(l.wake)
			l.wake = nil
		}
	}
}

// renew takes a second look of the same goroutine for a new one: it goes by
// that.
func (op *Op) renew(found presence) {
	r := routines[op.g]
	if r == nil {
		return
	}
	for _, fr := range r.frames {
		for _, l := range fr.looks {
			if l.op == op || has(plan.Sites[op.site].Keeps, l.finding) || l.op.kind != op.kind || !op.same(l.op) || op.kind.isEntry() && !sameKey(l.op, op) {
				continue
			}
			kept := l.changes[:0]
			for _, c := range l.changes {
				if c.op.start >= op.start {
					kept = append(kept, c)
				}
			}
			l.changes, l.found = kept, found
		}
	}
}

// look notes what a goroutine goes by, in each call that has the finding.
func (r *routine) look(op *Op, finding int, found presence) {
	if done[finding] {
		return
	}
	for i := len(r.frames) - 1; i >= 0; i-- {
		fr := r.frames[i]
		if !has(plan.Frames[fr.id], finding) {
			continue
		}
		if len(fr.looks) >= maxLooks {
			delete(looks, fr.looks[0])
			fr.looks = fr.looks[1:]
		}
		serials[finding]++
		l := &look{finding: finding, op: op, end: now, found: found, stack: callers(), serial: serials[finding], waited: map[int]bool{}}
		fr.looks = append(fr.looks, l)
		looks[l] = struct{}{}
		return
	}
}

// act asks whether the goroutine acts on a look that is out of date.
func (op *Op) act(finding int) {
	r := routines[op.g]
	if r == nil || done[finding] {
		return
	}
	for i := len(r.frames) - 1; i >= 0; i-- {
		fr := r.frames[i]
		for j := len(fr.looks) - 1; j >= 0; j-- {
			l := fr.looks[j]
			if l.finding != finding || !plan.Findings[finding].Apart && (!op.same(l.op) || l.op.kind.isEntry() && op.kind.isEntry() && !sameKey(l.op, op)) {
				continue
			}
			if c := l.stale(op); c != nil {
				confirm(finding, []step{
					{"A", l.op, l.stack}, {"B", c.op, c.stack}, {"A", op, callers()},
				})
			}
			l.acted = true
			return
		}
	}
}

// stale returns the change by another goroutine that makes the look out of
// date for an act: it is still in force, and it makes a difference to the act.
func (l *look) stale(act *Op) *change {
	var by *change
	state := l.found
	for i := range l.changes {
		c := &l.changes[i]
		if l.op.kind == Iterate && act.kind == Delete && c.op.kind.isEntry() && !sameKey(c.op, act) {
			continue
		}
		switch c.op.kind {
		case Set, Swap:
			state = present
		case Delete, Clear:
			if state == absent && l.op.kind.isEntry() {
				continue // it was not there, and is not there
			}
			state = absent
		default:
			state = unknown
		}
		by = c
	}
	switch {
	case by == nil || by.op.g == l.op.g && by.op.g == act.g:
		return nil // the last word is its own
	case plan.Findings[l.finding].Apart:
		if state == present {
			return nil
		}
	case act.kind == Entry:
		if state != absent {
			return nil // it is still there
		}
	case l.op.kind.isEntry() && l.found == absent && state == absent:
		return nil
	case act.kind == Delete && state == absent && !plan.Findings[l.finding].Twice:
		return nil // what is gone may be deleted again
	}
	return by
}

// same reports whether two operations are on one map, or one variable.
func (op *Op) same(other *Op) bool {
	return op.head != nil && op.head == other.head || op.addr != nil && op.addr == other.addr
}

// sameKey reports whether two operations are on one entry, as far as is known.
func sameKey(a, b *Op) bool { return a.keyed && b.keyed && a.key == b.key }

// comparable_ reports whether a key can be compared: one in an interface may
// not, and then the operation itself will say so.
func comparable_(key any) (ok bool) {
	defer func() { ok = recover() == nil }()
	return key == key || true
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

// again moves the end of a loop's look to now, with the first turn as its end;
// keep says that End will come, too.
func again(site int, keep bool) {
	if open.Load() <= 0 {
		return
	}
	g := goid()
	mu.Lock()
	r := routines[g]
	if r == nil {
		mu.Unlock()
		return
	}
	if n := len(r.ops); n > 0 && r.ops[n-1].site == site && !r.ops[n-1].ended {
		op := r.ops[n-1]
		if !keep {
			r.pop(g)
		}
		mu.Unlock()
		op.Done()
		op.ended = true
		return
	}
	defer mu.Unlock()
	r.refresh(site)
}

// refresh moves the end of looks to now.
func (r *routine) refresh(site int) {
	now++
	for _, fr := range r.frames {
		for _, l := range fr.looks {
			if l.op.site == site {
				l.end = now
				l.changes = nil
			}
		}
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

// Bounds of what is kept.
const (
	maxChanges = 16
	maxLooks   = 16
	maxLater   = 64
	maxHeld    = 16
)

var (
	serials []int // counts looks, by finding
	later   []*Frame
)

func has(list []int, n int) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
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
