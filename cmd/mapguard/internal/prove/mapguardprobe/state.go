package mapguardprobe

import (
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
	// Uses are the findings whose goroutine goes on here with a value of its own,
	// even where the map has another's.
	Uses []int
}

// A Finding is what is to be confirmed: an act on a look that is out of date,
// or, without Pair, two accesses at one time. Apart: the act is on another
// object than the look, one that the map held.
type Finding struct {
	// Race: its two operations have no lock, so meeting at one is proof, too.
	Pair, Apart, Race bool
	// Via: its access is made by a call, and is its own in the call alone.
	Via bool
	// Alone: one goroutine makes the access, so that it does not meet itself.
	Alone bool
	// Twice: both delete the entry, and both go by having found it.
	Twice bool
	// Own: who finds another's entry in a second look goes on with an own value.
	Own bool
	Act Kind // what its act does
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
	// active is the operation that each goroutine is at.
	active = map[int64]*Op{}
	// open counts findings that are not confirmed: with none left, hooks only
	// make their operation.
	open atomic.Int64
	// changes counts operations that change a map.
	changes atomic.Int64
)

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
	locks []string // that its goroutine holds when it begins, as far as they were seen
	ended bool     // its look is noted, and goes on
	stack []uintptr
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
	op.locks = names(op.g)
	driven.saw(op)
	op.spring(s.Traps, true)
	op.spring(s.Others, false)
	op.goes()
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
	if active[op.g] == op {
		delete(active, op.g)
	}
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
