package outside

import "slices"

// maxBeginnings bounds the threads whose beginnings are compared with what sets up.
const maxBeginnings = 16

// SetUp reports whether all that the module shows to run some functions does so before the
// threads begin that run others: on each way to the former stands a function that leads to such a
// beginning, too, and later, and none leads to one earlier, nor where the threads on the way begin
// themselves. Each way is that of the main goroutine, or of a thread that exists once. With by, only
// those threads count that begin in that function. Other modules do not count. Complexity: linear in the runs that lead there, which are bounded, for
// each thread.
func (v *View) SetUp(first, then []Name, by Name) bool {
	first, then = v.places(first), v.places(then)
	begins, ok := v.beginnings(then, by)
	if !ok || len(begins) == 0 || len(begins) > maxBeginnings {
		return false
	}
	c := climb{v: v, begins: begins, leads: v.s.solver.leadsTo(then), strict: by == ""}
	for _, b := range begins {
		up, ok := v.s.solver.above([]Name{b})
		if !ok {
			return false
		}
		c.above = append(c.above, up)
	}
	for _, fn := range first {
		if slices.ContainsFunc(c.above, func(up map[Name]bool) bool { return up[fn] }) {
			return false // nothing tells when
		}
	}
	return c.all(first)
}

// beginnings returns where threads other than the main goroutine begin that run some functions;
// with by, those alone that begin in that function. It returns false if there may be others.
func (v *View) beginnings(fns []Name, by Name) ([]Name, bool) {
	if by == "" {
		return v.begins(fns)
	}
	var out []Name
	for fn := range v.s.solver.leadsTo(fns) {
		if start, begins := v.s.solver.starts[fn]; begins && start.Owner == outermost(by) {
			out = append(out, fn)
		}
	}
	slices.Sort(out)
	return out, true
}

// A climb goes up from functions to where their threads begin.
type climb struct {
	v      *View
	begins []Name
	// above are the functions that lead to each beginning; leads those that lead to what the
	// threads run.
	above  []map[Name]bool
	leads  reaching
	strict bool // nothing but the beginnings tells what else runs
}

// A stage is a function on the way up, and whether a thread begins later in it, or below.
type stage struct {
	fn      Name
	ordered bool
}

// all reports whether some way leads up from functions, and each as it should.
func (c *climb) all(first []Name) bool {
	shown := false
	var start []stage
	for _, fn := range first {
		start = append(start, stage{fn: fn})
	}
	return rise(start, func(at stage, next func(stage)) bool {
		switch s := c.v.s.solver; {
		case c.v.assume && s.rests(at.fn):
			return true // no thread of an application comes here
		case !c.may(at):
			return false
		case s.begin(at.fn) == Main:
			shown = true
			return true
		}
		for _, r := range c.v.s.solver.runs[at.fn] {
			ordered, ok := c.step(r)
			if !ok {
				return false
			}
			next(stage{r.From, at.ordered || ordered})
		}
		return true
	}) && shown
}

// may reports whether a way may come to a stage: an ordered one where a thread begins, and no unknown
// caller. A goroutine's beginning is a stage on the way, since another one may have begun before.
func (c *climb) may(at stage) bool {
	s := c.v.s.solver
	switch s.begin(at.fn) {
	case Main:
		return at.ordered && !(c.strict && c.initialised())
	case "":
		return !s.strangers(at.fn) && (c.v.assume || !s.loosely(at.fn, false))
	}
	return at.ordered && c.alone(at.fn)
}

// initialised reports whether a thread begins while the program is initialised.
func (c *climb) initialised() bool {
	return slices.ContainsFunc(c.above, func(up map[Name]bool) bool { return up[""] })
}

// alone reports whether a thread exists once, and no other one runs meanwhile what begins
// elsewhere.
func (c *climb) alone(thread Name) bool {
	s := c.v.s.solver
	if !c.v.s.single(thread) {
		return false
	}
	if !c.strict {
		return true
	}
	for fn := range c.leads {
		if s.begin(fn) == Main {
			return false
		}
	}
	for i, b := range c.begins {
		if b != thread && !c.above[i][thread] {
			return false // nothing tells which of the two begins first
		}
	}
	return true
}

// step reports whether the beginnings to which the caller of a run leads come later, if any
// does; false if one may come earlier.
func (c *climb) step(r Run) (ordered, ok bool) {
	s := c.v.s.solver
	for _, up := range c.above {
		if !up[r.From] {
			continue
		}
		for _, later := range append(slices.Clone(s.runsIn()[r.From]), s.taken[r.From]...) {
			switch same := later == r; {
			case !up[later.To], same && !r.Looped:
			case same, later.Order <= r.Order:
				return false, false
			default:
				ordered = true
			}
		}
	}
	return ordered, true
}
