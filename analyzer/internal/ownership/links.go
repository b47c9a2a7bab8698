package ownership

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// links are the stores of one function that make one object known by two
// paths, or one object part of another: who publishes one publishes the other.
// They hold for the whole function; the values themselves follow control flow.
type links struct {
	// same: what lies at one path can lie at the other.
	same map[accesspath.Root][][2]accesspath.Path
	// holds: code that has the first has the second.
	holds map[accesspath.Root][][2]accesspath.Path
	memo  map[accesspath.Path][]accesspath.Path
	// byRoot are the answers of spreadBy.
	byRoot map[accesspath.Path][]group
	cut    bool // some paths are not followed
}

func newLinks(r *Result) *links {
	l := &links{same: make(map[accesspath.Root][][2]accesspath.Path), holds: make(map[accesspath.Root][][2]accesspath.Path), memo: make(map[accesspath.Path][]accesspath.Path)}
	for _, b := range r.fn.Blocks {
		for _, instr := range b.Instrs {
			l.instruction(r, instr)
		}
	}
	return l
}

func (l *links) instruction(r *Result, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		l.store(r, instr)
	case *ssa.MapUpdate:
		if r.carries(instr.Value.Type()) {
			l.alias(r.element(r.Paths.Of(instr.Map)), r.Paths.Of(instr.Value))
		}
		if r.carries(instr.Key.Type()) {
			l.contain(r.Paths.Of(instr.Map), r.Paths.Of(instr.Key))
		}
	case *ssa.Phi:
		if p := r.Paths.Of(instr); r.carries(instr.Type()) && p.Root().Val == ssa.Value(instr) {
			for _, e := range instr.Edges {
				l.alias(p, r.Paths.Of(e))
			}
		}
	case *ssa.MakeClosure:
		for _, b := range instr.Bindings {
			l.contain(r.Paths.Of(instr), r.Paths.Of(b))
		}
	case *ssa.Call:
		l.call(r, instr)
	}
}

// store links a place and what is stored there.
func (l *links) store(r *Result, st *ssa.Store) {
	if !r.carries(st.Val.Type()) {
		return
	}
	q := r.Paths.Of(st.Addr)
	from, _ := q.CopyOf()
	if !from.Known() || !cell(st.Addr) {
		l.alias(q, r.Paths.Of(st.Val))
		return
	}
	l.copied(r, q)
}

// copied links a copy to what it shares with the original.
func (l *links) copied(r *Result, q accesspath.Path) {
	from, _ := q.CopyOf()
	for f := range r.borrowed(q) {
		l.contain(q, r.Paths.Field(from, f))
	}
}

func (l *links) call(r *Result, c *ssa.Call) {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append":
			for _, arg := range c.Call.Args {
				l.alias(r.Paths.Of(c), r.Paths.Of(arg))
			}
		case "copy":
			l.alias(r.Paths.Of(c.Call.Args[0]), r.Paths.Of(c.Call.Args[1]))
		}
		return
	}
	call := r.call(c)
	if call == nil {
		return
	}
	if call.Stores && len(c.Call.Args) > 1 {
		for _, arg := range c.Call.Args[1:] {
			l.alias(r.element(r.Paths.Of(c.Call.Args[0])), r.Paths.Of(arg))
		}
	}
	for i := range call.Callees {
		if t := &call.Callees[i]; t.Sum != nil && t.How == Runs && !t.Passed {
			l.callee(r, c, t)
		}
	}
}

// callee links what a known callee stores in its other arguments, and its
// results to what they hold.
func (l *links) callee(r *Result, c *ssa.Call, t *Callee) {
	for i, in := range t.Sum.Inputs {
		set, _ := in.Own.If()
		for j := range set.All {
			if j != i {
				l.contain(r.input(t, j), r.input(t, i))
			}
		}
	}
	for i, res := range t.Sum.Results {
		set, _ := res.Own.If()
		for j := range set.All {
			for _, v := range results(c, i) {
				l.alias(r.Paths.Of(v), r.input(t, j))
			}
		}
		for _, v := range results(c, i) {
			l.copied(r, r.Paths.Of(v))
		}
	}
}

func (l *links) alias(a, b accesspath.Path) {
	if a == b || !linkable(a) || !linkable(b) {
		return
	}
	l.same[a.Root()] = append(l.same[a.Root()], [2]accesspath.Path{a, b})
	l.same[b.Root()] = append(l.same[b.Root()], [2]accesspath.Path{b, a})
}

func (l *links) contain(a, b accesspath.Path) {
	if a != b && linkable(a) && linkable(b) {
		l.holds[a.Root()] = append(l.holds[a.Root()], [2]accesspath.Path{a, b})
	}
}

func linkable(p accesspath.Path) bool {
	k := p.Root().Kind
	return k == accesspath.Value || k == accesspath.Param
}

// sole reports whether only one thing is ever put at p.
func (l *links) sole(p accesspath.Path) bool {
	n := 0
	for _, s := range l.same[p.Root()] {
		if s[0] == p {
			n++
		}
	}
	return n == 1
}

// spread returns p and every other path of what p denotes or leads to.
func (l *links) spread(t *accesspath.Table, p accesspath.Path) []accesspath.Path {
	if out, ok := l.memo[p]; ok {
		return out
	}
	out := []accesspath.Path{}
	if linkable(p) {
		out = append(out, p)
	}
	for i := 0; i < len(out) && len(out) < maxKeys; i++ {
		p := out[i]
		add := func(q accesspath.Path) {
			if q.Known() && linkable(q) && !slices.Contains(out, q) {
				out = append(out, q)
			}
		}
		for _, s := range l.same[p.Root()] {
			switch {
			case s[0].HasPrefix(p):
				add(s[1])
			case p.HasPrefix(s[0]):
				add(t.Rebase(p, s[0], s[1]))
			}
		}
		for _, h := range l.holds[p.Root()] {
			if h[0].HasPrefix(p) || p.HasPrefix(h[0]) {
				add(h[1])
			}
		}
	}
	l.cut = l.cut || len(out) >= maxKeys
	l.memo[p] = out
	return out
}

// A group are the paths with one root, by their numbers.
type group struct {
	root  accesspath.Path
	paths []accesspath.Path
}

// spreadBy is spread, by the roots in their order there.
func (l *links) spreadBy(t *accesspath.Table, p accesspath.Path) []group {
	if out, ok := l.byRoot[p]; ok {
		return out
	}
	var out []group
	for _, q := range l.spread(t, p) {
		root := rootOf(q)
		i := slices.IndexFunc(out, func(g group) bool { return g.root == root })
		if i < 0 {
			i = len(out)
			out = append(out, group{root: root})
		}
		out[i].paths = append(out[i].paths, q)
	}
	for _, g := range out {
		slices.SortFunc(g.paths, func(a, b accesspath.Path) int { return a.ID() - b.ID() })
	}
	if l.byRoot == nil {
		l.byRoot = make(map[accesspath.Path][]group)
	}
	l.byRoot[p] = out
	return out
}
