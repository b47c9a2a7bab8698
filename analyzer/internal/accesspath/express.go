package accesspath

// Express writes p with the parameters of a callee, given the arguments of a
// call: it is what substituting arguments for parameters undoes. A key that no
// argument leads to stays as it is. It returns the unknown path when p starts
// at none of the arguments.
func (t *Table) Express(p Path, args []Path, param func(int) Path) Path {
	if p.n == nil {
		return Path{}
	}
	for i, arg := range args {
		if p == arg {
			return param(i)
		}
	}
	if p.n.parent == nil {
		return Path{}
	}
	base := t.Express(Path{p.n.parent}, args, param)
	if !base.Known() {
		return Path{}
	}
	key := p.n.key
	if key.Root().Kind != Const {
		if k := t.Express(key, args, param); k.Known() {
			key = k
		}
	}
	return t.step(base, p.n.field, key, p.n.op)
}

// Rename is Express for a literal, which goes on to know what its function knows:
// it writes p with the literal's parameters where an argument leads, also in keys,
// and leaves the rest as it is.
func (t *Table) Rename(p Path, args []Path, param func(int) Path) Path {
	if p.n == nil {
		return p
	}
	for i, arg := range args {
		if p == arg {
			return param(i)
		}
	}
	if p.n.parent == nil {
		return p
	}
	base, key := t.Rename(Path{p.n.parent}, args, param), p.n.key
	if key.Root().Kind != Const {
		key = t.Rename(key, args, param)
	}
	if base.n == p.n.parent && key == p.n.key {
		return p
	}
	return t.step(base, p.n.field, key, p.n.op)
}
