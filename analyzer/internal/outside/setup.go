package outside

import "slices"

// maxBeginnings bounds the threads whose beginnings are compared with what sets up.
const maxBeginnings = 16

// SetUp reports whether all that the module shows to run some functions does so before the
// threads begin that run others: on each way to the former stands a function that leads to such a
// beginning, too, and later, and none leads to one earlier, nor where the threads on the way begin
// themselves. Each way is that of the main goroutine, or of a thread that exists once. With by, only those threads count that begin in that function.
// Other modules do not count. Complexity: linear in the runs that lead there, which are bounded, for
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

func (c *climb) all(first []Name) bool {
	s, shown := c.v.s.solver, false
	seen := make(map[stage]bool)
	var work []stage
	for _, fn := range first {
		work = append(work, stage{fn: fn})
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[at] {
			continue
		}
		if seen[at] = true; len(seen) > maxWho {
			return false
		}
		if c.v.assume && (s.unused(at.fn) || s.idle[at.fn]) {
			continue
		}
		if at.fn == "" || s.begin(at.fn) == Main {
			if !at.ordered || c.strict && c.initialised() {
				return false
			}
			shown = true
			continue
		}
		if s.begin(at.fn) != "" {
			if !at.ordered || !c.alone(at.fn) {
				return false
			}
			for _, r := range s.runs[at.fn] { // where it begins, no other one has begun before
				ordered, ok := c.step(r)
				if !ok {
					return false
				}
				work = append(work, stage{r.From, at.ordered || ordered})
			}
			continue
		}
		if s.strangers(at.fn) || !c.v.assume && s.loosely(at.fn, false) {
			return false
		}
		for _, r := range s.runs[at.fn] {
			ordered, ok := c.step(r)
			if !ok {
				return false
			}
			work = append(work, stage{r.From, at.ordered || ordered})
		}
	}
	return shown
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
