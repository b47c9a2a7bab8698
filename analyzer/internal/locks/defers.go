package locks

// MaxDefers bounds the deferred calls of a function that are told apart.
const MaxDefers = 64

// Register returns s after a defer statement, by its number.
func (s State) Register(n int) State {
	if s.IsTop() || n >= MaxDefers {
		return s
	}
	return s.each(func(c Case) Case {
		c.registered |= 1 << n
		c.unsure &^= 1 << n
		return c
	})
}

// RunDefers returns s after the deferred calls that its paths registered have
// run, the one with the greatest number first. run gives the state after one.
func (s State) RunDefers(run func(n int, s State) State) State {
	if s.IsTop() {
		return s
	}
	var lattice Lattice
	out := lattice.Ident()
	for _, c := range s.s.cases {
		registered, unsure := c.registered, c.unsure
		c.registered, c.unsure = 0, 0
		at := newState([]Case{c}, s.s.dropped, s.s.widened)
		for n := MaxDefers - 1; n >= 0; n-- {
			if registered&(1<<n) == 0 {
				continue
			}
			before := at
			at = run(n, at)
			if unsure&(1<<n) != 0 {
				at = lattice.Merge(at, before)
			}
		}
		out = lattice.Merge(out, at)
	}
	return out
}
