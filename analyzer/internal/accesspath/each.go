package accesspath

// each is the key of the step that stands for every element of a container. It is no constant of a program, since the
// exact text of a string has quotes.
func each() Root { return Root{Kind: Const, Const: "…"} }

// Each returns the path that stands for all elements of a container: what holds the lock of such a path holds
// the lock of each element. No access has one.
func (t *Table) Each(container Path) Path {
	return t.Elem(container, t.Root(each()))
}

// isEach reports whether a step stands for all elements.
func (n *node) isEach() bool {
	return n.field == nil && n.op == nil && n.key.Depth() == 0 && n.key.InConst() && *n.key.n.root == each()
}

// IsEach reports whether the last step of p goes to all elements of a container.
func (p Path) IsEach() bool { return p.IsElem() && p.n.isEach() }

// OfEach reports whether p stands for something of all elements of a container.
func (p Path) OfEach() bool { return p.n != nil && p.n.each }

// Covers reports whether p stands for what q is, among others: it takes the same steps, but those to all elements
// where q goes to one.
func (p Path) Covers(q Path) bool {
	if p == q || !p.OfEach() || p.Depth() != q.Depth() {
		return p == q
	}
	x, y := p.n, q.n
	for ; x != y && x.parent != nil; x, y = x.parent, y.parent {
		if x.field == y.field && x.op == y.op && (x.key == y.key || x.isEach()) {
			continue
		}
		return false
	}
	return x == y
}

// Leads reports whether something of p is on the way to q: p is q or an ancestor of q, or covers one.
func (p Path) Leads(q Path) bool {
	if !p.OfEach() {
		return q.HasPrefix(p)
	}
	for ; q.Depth() > p.Depth(); q = q.Parent() {
	}
	return p.Covers(q)
}

// At returns what p, which stands for something of all elements, is of an object that lies at one of them, or is
// one; the unknown path if it is of no such object.
func (t *Table) At(p, object Path) Path {
	of := p
	for of.Depth() > object.Depth() {
		of = of.Parent()
	}
	if !of.OfEach() || !of.Covers(object) {
		return Path{}
	}
	return t.Rebase(p, of, object)
}

// EachOf returns the container of all whose elements p stands for something, the outermost if there are several; the
// unknown path if there is none.
func (p Path) EachOf() (container Path) {
	for ; p.OfEach(); p = p.Parent() {
		if p.n.isEach() {
			container = p.Parent()
		}
	}
	return container
}
