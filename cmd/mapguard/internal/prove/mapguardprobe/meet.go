package mapguardprobe

import "time"

// A meeting is what a driver runs at one time; live are the goroutines that are
// not through.
type meeting struct {
	live int
	over chan struct{} // closed when there is one left
	// finding is the one for which it is, if any: own are the operations of its
	// own in it, others those that change its map.
	finding     int
	own, others []*Op
}

var driven *meeting

// maxSeen bounds the operations of a meeting that are kept.
const maxSeen = 16

// saw notes an operation of the finding, with mu.
func (m *meeting) saw(op *Op) {
	if m == nil || m.finding < 0 {
		return
	}
	s, f := &plan.Sites[op.site], m.finding
	trap := has(s.Traps, f)
	if (has(s.Looks, f) || trap && (!plan.Findings[f].Via || within(op.g, f))) && len(m.own) < maxSeen {
		m.own = append(m.own, op)
	}
	if (trap || has(s.Acts, f) || has(s.Others, f)) && op.kind.Changes() && len(m.others) < maxSeen {
		m.others = append(m.others, op)
	}
}

// conflict reports whether one goroutine came to the finding, and another one to
// a change of its map.
func (m *meeting) conflict() bool {
	mu.Lock()
	defer mu.Unlock()
	for _, a := range m.own {
		for _, b := range m.others {
			if a.g != b.g && a.same(b) {
				return true
			}
		}
	}
	return false
}

// came reports whether the meeting came to the finding, and to a change of its
// map.
func (m *meeting) came() (own, change bool) {
	mu.Lock()
	defer mu.Unlock()
	return len(m.own) > 0, len(m.others) > 0
}

// maxMeetings bounds the rounds that are kept to be repeated as they were.
const maxMeetings = 8

// repeat keeps a round to be repeated as it was.
func (r *registration) repeat(f fruit, choose func(int) int) {
	if len(r.meetings) < maxMeetings {
		r.meetings = append(r.meetings, f)
		return
	}
	r.meetings[choose(maxMeetings)] = f
}

// alone tells when only one goroutine is left; without a driver, never.
func (m *meeting) alone() chan struct{} {
	if m == nil || background.Load() {
		return nil
	}
	return m.over
}

// meet has goroutines make calls at one time, and returns 1 when they take too
// long. What a call that panics has locked stays so: then the round is lost, the
// others are not waited for, and that is no reason to drive no more.
func meet(lost *bool, calls ...[]func()) int {
	return (&meeting{finding: -1}).run(lost, calls...)
}

// meets is meet for the calls that are to meet at the finding.
func (r *registration) meets(lost *bool, a func(), others []func()) int {
	r.met = &meeting{finding: r.finding}
	return r.met.run(lost, []func(){a}, others)
}

func (m *meeting) run(lost *bool, calls ...[]func()) int {
	done := make(chan bool, len(calls))
	m.live, m.over = len(calls), make(chan struct{})
	mu.Lock()
	driven = m
	mu.Unlock()
	for _, c := range calls {
		c := c
		go func() {
			failed := false
			defer func() { m.through(); done <- failed }()
			for _, call := range c {
				failed = !try(call) || failed
			}
		}()
	}
	limit := time.NewTimer(time.Second)
	defer limit.Stop()
	if *lost {
		limit.Reset(shortly)
	}
	for range calls {
		select {
		case failed := <-done:
			if failed && !*lost {
				*lost = true
				limit.Reset(shortly)
			}
		case <-limit.C:
			if stuck.Add(int64(len(calls))); *lost && stuck.Load() < maxStuck {
				return 0
			}
			return 1
		}
	}
	return 0
}

// through ends one goroutine.
func (m *meeting) through() {
	mu.Lock()
	defer mu.Unlock()
	if m.live--; m.live == 1 {
		close(m.over)
	}
}
