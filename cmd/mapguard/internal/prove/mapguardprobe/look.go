package mapguardprobe

// A look is what a goroutine goes by in one call of a function.
type look struct {
	finding int
	op      *Op
	end     uint64
	found   presence
	stack   []uintptr
	changes []change
	missed  *change       // that a second look has seen, and its goroutine goes on all the same
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
			anew := l.op.kind == op.kind && op.same(l.op) && (!op.kind.isEntry() || sameKey(l.op, op))
			if l.op == op || !anew || has(plan.Sites[op.site].Keeps, l.finding) {
				continue
			}
			l.missing(op)
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

// missing keeps the change that a second look finds, where its goroutine goes on
// as if it had found none.
func (l *look) missing(again *Op) {
	if !plan.Findings[l.finding].Own || l.missed != nil || l.found != absent {
		return
	}
	if c := l.stale(&Op{kind: Set, g: again.g, key: l.op.key, keyed: l.op.keyed}); c != nil && c.op.g != again.g {
		missed := *c
		l.missed = &missed
	}
}

// Own is where a goroutine goes on with a value of its own: by its first look
// there was none.
func Own(site int) {
	if open.Load() <= 0 {
		return
	}
	g := goid()
	mu.Lock()
	defer mu.Unlock()
	visited(site)
	r := routines[g]
	if r == nil {
		return
	}
	for _, fr := range r.frames {
		for _, l := range fr.looks {
			if l.missed != nil && has(plan.Sites[site].Uses, l.finding) {
				use := &Op{site: site, kind: Use, g: g, locks: names(g)}
				confirm(l.finding, []step{{"A", l.op, l.stack}, {"B", l.missed.op, l.missed.stack}, {"A", use, callers()}})
			}
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
			other := !op.same(l.op) || op.kind.isEntry() && l.op.kind.isEntry() && !sameKey(l.op, op)
			if l.finding != finding || other && !plan.Findings[finding].Apart {
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
