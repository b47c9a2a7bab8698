package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// everies are the loops of a function that do the same to the lock of each element of a list or a map.
type everies struct {
	within  map[*ssa.BasicBlock][]every // by head
	through map[edge][]every            // the edges on which such a loop has come to all elements
}

// An every is such a loop, with what a round does to the locks of its element.
type every struct {
	locks.Round
	loop ssautil.Loop
}

// findEveries looks for the loops that take the lock of each element, or let it go. The inner ones come first: what
// they do is a part of a round of those around them. Complexity: the loops that come to locks of elements, times the
// function.
func (a *analysis) findEveries() {
	for _, h := range a.walkHeads() {
		w, ok := ssautil.WalkAt(h)
		if !ok {
			continue
		}
		for _, elem := range a.lockedElems(w) {
			if !a.comesToAll(w, elem.Parent()) {
				continue
			}
			if e := (every{a.round(w, elem), w.Loop}); len(e.Locks) > 0 || len(e.Defers) > 0 {
				a.every.note(e, w)
				if g := a.firstRound(h, w.From); g != nil {
					on := edge{g, w.To}
					a.every.through[on] = append(a.every.through[on], e)
				}
			}
		}
	}
}

func (ev *everies) note(e every, w ssautil.Walk) {
	if ev.within == nil {
		ev.within, ev.through = make(map[*ssa.BasicBlock][]every), make(map[edge][]every)
	}
	on := edge{w.From, w.To}
	ev.within[w.Head], ev.through[on] = append(ev.within[w.Head], e), append(ev.through[on], e)
}

// walkHeads returns the heads of the loops that may choose the element whose lock a call takes or lets go, the inner
// ones first.
func (a *analysis) walkHeads() []*ssa.BasicBlock {
	var heads []*ssa.BasicBlock
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			for _, elem := range a.elemsLocked(instr) {
				if h := chosenAt(elem); h != nil && h.Parent() == a.fn && !slices.Contains(heads, h) {
					heads = append(heads, h)
				}
			}
		}
	}
	slices.SortFunc(heads, func(x, y *ssa.BasicBlock) int { return x.Index - y.Index })
	slices.SortStableFunc(heads, func(x, y *ssa.BasicBlock) int { return len(ssautil.Loops(y)) - len(ssautil.Loops(x)) })
	return heads
}

// chosenAt returns the block in which the index or key of an element gets its value of a round; nil if nothing tells.
func chosenAt(elem accesspath.Path) *ssa.BasicBlock {
	switch v := elem.Key().Root().Val.(type) {
	case *ssa.Phi:
		return v.Block()
	case *ssa.Next:
		return v.Block()
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok {
			return next.Block()
		}
	}
	return nil
}

// elemsLocked returns the elements to whose locks an instruction does something.
func (a *analysis) elemsLocked(instr ssa.Instruction) (out []accesspath.Path) {
	e := a.effects[instr]
	if e == nil {
		return nil
	}
	for _, d := range e.does {
		for _, l := range d.Exit().Locks() {
			for p := l.Path; p.Depth() > 0; p = p.Parent() {
				if p.IsElem() {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// lockedElems returns the elements that a loop chooses and to whose locks it does something.
func (a *analysis) lockedElems(w ssautil.Walk) (out []accesspath.Path) {
	key := a.Paths.Key(w.Key)
	for _, b := range a.fn.Blocks {
		if !w.In[b] {
			continue
		}
		for _, instr := range b.Instrs {
			for _, elem := range a.elemsLocked(instr) {
				if elem.Key() == key && !slices.Contains(out, elem) {
					out = append(out, elem)
				}
			}
		}
	}
	return out
}

// comesToAll reports whether the rounds of a loop come to all elements of a list or a map, and not to a part of them.
func (a *analysis) comesToAll(w ssautil.Walk, container accesspath.Path) bool {
	if w.Map != nil {
		return a.Paths.Of(w.Map) == container
	}
	if n, ok := ssautil.IntOf(w.Count); ok {
		return int64(n) == a.arrayLen(container)
	}
	call, ok := w.Count.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	if !ok || b.Name() != "len" || a.Paths.Of(call.Call.Args[0]) != container {
		return false
	}
	list := call.Call.Args[0]
	return ssautil.Whole(list) || sameElements(list) != nil
}

// arrayLen returns the length of the array that a path names, -1 if it names none.
func (a *analysis) arrayLen(p accesspath.Path) int64 {
	var t types.Type
	switch r := p.Root(); {
	case p.LastField() != nil:
		t = p.LastField().Type()
	case p.Depth() > 0:
		return -1
	case r.Obj != nil:
		t = r.Obj.Type()
	case r.Val != nil:
		t = r.Val.Type()
	case r.Kind == accesspath.Param && r.Fn == a.key && r.Index < len(a.fn.Params):
		t = a.fn.Params[r.Index].Type()
	default:
		return -1
	}
	if array, ok := ssautil.Pointee(t).Underlying().(*types.Array); ok {
		return array.Len()
	}
	return -1
}

// round works out what each round of a loop does to the locks of an element. What only some rounds do is left out.
func (a *analysis) round(w ssautil.Walk, elem accesspath.Path) locks.Round {
	r := locks.Round{Elem: elem}
	end := a.roundEnd(w, elem)
	if end.IsTop() || end.Widened() {
		return r
	}
	for _, l := range end.Locks() {
		if l.Path.HasPrefix(elem) && (l.Must() || l.Can == locks.Gone) {
			r.Locks = append(r.Locks, l)
		}
	}
	for _, d := range a.defers {
		if n := a.deferred[d]; n < locks.MaxDefers && a.eachRound(d, w) && a.releasesEach(d, elem) {
			r.Defers = append(r.Defers, n)
		}
	}
	return r
}

// roundEnd returns the state at the end of a round that begins with nothing changed. A round in which nothing is to be
// done for the element does not count.
func (a *analysis) roundEnd(w ssautil.Walk, elem accesspath.Path) locks.State {
	var lattice locks.Lattice
	out := func(from *ssa.BasicBlock, n int, s locks.State) locks.State {
		return a.edge(from, from.Succs[n], s)
	}
	in := ssautil.Forward[locks.Lattice](a.fn.Blocks, locks.Reached(), a.block, func(from *ssa.BasicBlock, n int, s, _ locks.State) locks.State {
		switch to := from.Succs[n]; {
		case !w.In[from]:
			return locks.Reached()
		case !w.In[to], to == w.Head, a.done(w, elem, from, n):
			return lattice.Ident()
		}
		return out(from, n, s)
	})
	end := lattice.Ident()
	for _, p := range w.Head.Preds {
		if n := slices.Index(p.Succs, w.Head); w.In[p] && !a.done(w, elem, p, n) {
			end = lattice.Merge(end, out(p, n, a.block(p, in[p.Index])))
		}
	}
	return end
}

// eachRound reports whether each round of a loop comes to a deferred call, once.
func (a *analysis) eachRound(d *ssa.Defer, w ssautil.Walk) bool {
	around := ssautil.Loops(d.Block())
	return len(around) > 0 && around[0].Head == w.Head && !slices.ContainsFunc(w.Head.Preds, func(p *ssa.BasicBlock) bool {
		return w.In[p] && !d.Block().Dominates(p)
	})
}

// releasesEach makes a deferred call that lets go the lock of an element, and that each round registers, one that
// lets go those of all elements; false if it does something else.
func (a *analysis) releasesEach(d *ssa.Defer, elem accesspath.Path) bool {
	e := *a.effects[d]
	e.does = slices.Clone(e.does)
	some := false
	for i, does := range e.does {
		of := does.Exit().Map(locks.Subst{
			Lock: func(p accesspath.Path) accesspath.Path { return p },
			Each: func(p accesspath.Path) []accesspath.Path {
				if !p.HasPrefix(elem) {
					return nil
				}
				some = true
				return a.ofEach(elem)(p)
			},
			Cond:    func(c locks.Cond) (locks.Cond, locks.Verdict) { return c, locks.If },
			Section: func(s locks.Section) locks.Section { return s },
		})
		e.does[i] = locks.EffectOf(of)
	}
	if some {
		a.effects[d] = &e
	}
	return some
}

// ofEach returns what names of all elements what a path names of one: the path that stands for them, and those of the
// elements that the function puts into a list of its own.
func (a *analysis) ofEach(elem accesspath.Path) func(accesspath.Path) []accesspath.Path {
	list := elem.Parent()
	return func(p accesspath.Path) []accesspath.Path {
		all := a.Paths.Rebase(p, elem, a.Paths.Each(list))
		if v := list.Root().Val; v != nil && list.Depth() == 0 && all.EachOf() == list {
			return append(a.spread(all, v), all)
		}
		return []accesspath.Path{all}
	}
}

// onEvery returns s on an edge of a loop that does the same to each element's locks: to the next round, or to where it has
// come to all.
func (a *analysis) onEvery(s locks.State, from, to *ssa.BasicBlock) locks.State {
	for _, e := range a.every.within[to] {
		if e.loop.In[from] {
			s = s.Between(e.Round)
		}
	}
	for _, e := range a.every.through[edge{from, to}] {
		s = s.Through(e.Round, a.ofEach(e.Elem))
	}
	return s
}
