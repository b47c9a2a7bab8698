package transfer

import (
	"go/types"
	"slices"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A start is one recorded start of a goroutine.
type start struct {
	instr ssa.Instruction
	call  int // index in the summary's calls
	// awaited: it ends before the call returns at which it starts.
	awaited bool
	// again: another one can start here while it runs.
	again bool
	// many: what is called there starts several.
	many bool
	// slot is the argument by which the call gets what it starts, from 1 on; 0 is the function itself.
	slot int32
	// listed: it is one of a list, each of which starts once, but that may be there several times.
	listed bool
}

// beside finds, for each goroutine that the function starts or that a callee
// leaves running, what the function does while it may still run. Complexity: the
// goroutines, which are bounded, times the blocks.
func (a *analysis) beside() {
	serves := sync.OnceValue(a.servesAt)
	for i, st := range a.starts {
		c := &a.sum.Calls[st.call]
		if i >= maxStarts {
			a.cut("goroutines started", maxStarts)
			a.outlived(summary.Signals{})
			return
		}
		if st.awaited {
			a.besideAwaited(st, c)
			c.Vouched = append(c.Vouched, a.vouched(st, nil, c.Signals)...)
			continue
		}
		after := a.besides(st, c, serves)
		again := after.has(st.instr)
		c.After = append(c.After, a.alongside(st, again)...)
		a.starts[i].again = again
		if c.Renewed = a.renewed(st.instr); st.listed {
			c.Renewed = a.renewedInList(c.Renewed, st)
		}
		c.Links = a.links(st.instr, c.Renewed)
		c.Vouched = append(c.Vouched, a.vouched(st, after, c.Signals)...)
		c.Again = c.Again && again
		inCommon := c.Many || len(c.Links) > 0
		c.Many = c.Registered || st.many || c.Queue == "" && inCommon && again
		if c.Leaves = after.out || c.Registered; c.Leaves {
			a.outlived(c.Signals)
			c.Failing = !c.Registered && !after.fine
			if after.fine {
				c.Around = nil // one way out waits for nothing
			}
		} else {
			c.Over = a.overAt(after, c.Signals)
			c.Unheard = a.unheard(st.instr, c.Signals)
		}
		if !c.Leaves || c.Failing {
			c.Until = a.heldAt(after.ends)
		}
	}
}

// besides notes what the function does, and calls, while a goroutine may run that it starts, and returns how far that is.
func (a *analysis) besides(st start, c *summary.Call, serves func() []ssa.Instruction) *running {
	after, feeds := a.whileRunning(st.instr, c.Signals), a.fedAt(st.instr)
	if c.Registered {
		feeds = append(feeds, serves()...)
	}
	beside := func(at ssa.Instruction) bool {
		if d, deferred := at.(*ssa.Defer); deferred && d != st.instr {
			return a.besideDeferred(d, after, c.Signals, feeds)
		}
		return at != nil && at != st.instr && after.has(at) && a.begun(feeds, at)
	}
	for j := range a.events {
		if beside(a.events[j].instr) && !a.nextRound(c.Point, &a.sum.Accesses[j]) {
			c.Beside = append(c.Beside, j)
		}
	}
	for j, instr := range a.callAt {
		if beside(instr) {
			c.After = append(c.After, j)
			c.Others = append(c.Others, a.othersOf(j, c.Point)...)
		}
	}
	if !c.Registered {
		c.After = append(c.After, a.servedBeside(c, after, serves)...)
		a.servedWhile(c, st, after, serves)
	}
	return after
}

// alongside returns the calls of what else is started at the same place, if it runs as well: it is another
// argument of the call, or another element of one, rather than what one value can be, too; or a loop comes there again.
func (a *analysis) alongside(st start, again bool) (calls []int) {
	call, ok := st.instr.(ssa.CallInstruction)
	if !ok {
		return nil
	}
	for _, o := range a.starts {
		if o.instr != st.instr || o.call == st.call || o.awaited {
			continue
		}
		several := false
		if i := int(st.slot) - 1; i >= 0 && i < len(call.Common().Args) {
			_, several = call.Common().Args[i].Type().Underlying().(*types.Slice)
		}
		if again || several || o.slot != st.slot {
			calls = append(calls, o.call)
		}
	}
	return calls
}

// besideAwaited finds what runs beside goroutines that end before the call returns
// that starts them: the others of this call.
func (a *analysis) besideAwaited(st start, c *summary.Call) {
	c.Leaves, c.Until, c.Over = false, a.stateAt(st.instr), numberOf(st.instr, ssautil.NewOrder(a.fn))
	if st.listed {
		c.Renewed = a.renewedInList(nil, st)
	}
	for _, o := range a.starts {
		if o.awaited && o.instr == st.instr && o.call != st.call {
			c.After = append(c.After, o.call)
		}
	}
}

// heldAt returns what is held at all of some instructions; top if there are none.
func (a *analysis) heldAt(instrs []ssa.Instruction) locks.State {
	var lattice locks.Lattice
	held := lattice.Ident()
	for _, instr := range instrs {
		held = lattice.Merge(held, a.stateAt(instr))
	}
	return held
}

// outlived notes a goroutine that can run on when the function has returned.
func (a *analysis) outlived(sig summary.Signals) {
	if a.sum.Lives != nil {
		sig = a.sum.Lives.Both(sig)
	}
	sig.On = slices.DeleteFunc(slices.Clone(sig.On), func(p accesspath.Path) bool { return !a.outward(p) })
	a.sum.Lives = &sig
}

// maxStarts bounds the goroutines of one function that are looked at.
const maxStarts = 40

// A running is the part of a function that can run while a goroutine does.
type running struct {
	whole []bool                              // blocks, by index
	parts map[*ssa.BasicBlock]ssa.Instruction // up to, and without, this join
	from  ssa.Instruction
	ends  []ssa.Instruction // the joins, and the heads of loops that wait
	begun bool              // the goroutine's own block is entered anew
	out   bool              // it can run on when the function returns
	fine  bool              // and the function need not have failed then
}

// whileRunning walks from the start of a goroutine up to the joins that end it.
func (a *analysis) whileRunning(from ssa.Instruction, sig summary.Signals) *running {
	r := &running{whole: make([]bool, len(a.fn.Blocks)), parts: make(map[*ssa.BasicBlock]ssa.Instruction), from: from}
	own := from.Block()
	if j := a.joinIn(own, from, sig); j != nil {
		r.parts[own], r.ends = j, append(r.ends, j)
		return r
	}
	if a.loopEnds(own, sig) && !a.reach.Blocks(own, own) {
		r.parts[own], r.ends = last(own), append(r.ends, last(own)) // it goes on to a loop that waits
		return r
	}
	r.out = len(own.Succs) == 0
	r.fine = r.out
	conds := a.settled()
	conds.walk(own, conds.entry[own], func(e edge) bool { return a.runsOn(r, e, sig) }, func(b *ssa.BasicBlock) bool { return a.runsPast(r, b, sig) })
	return r
}

// runsOn reports whether a goroutine can still run where control goes along an edge: no case of a
// select that is chosen there has waited for it, each time that it was started.
func (a *analysis) runsOn(r *running, e edge, sig summary.Signals) bool {
	on := a.joinsOn[e]
	if len(on) > 0 && sig.Has(on) && a.times(e.from) >= a.startedOn(on[0], last(e.from)) {
		if !slices.Contains(r.ends, last(e.from)) {
			r.ends = append(r.ends, last(e.from))
		}
		return false
	}
	return !a.noWay[e]
}

// runsPast notes that control comes to a block while a goroutine can run, and reports whether it can
// still run at the end of the block.
func (a *analysis) runsPast(r *running, b *ssa.BasicBlock, sig summary.Signals) bool {
	own := r.from.Block()
	r.begun = r.begun || b == own
	if b != own && a.loopEnds(b, sig) && !a.reach.Blocks(b, own) {
		r.ends = append(r.ends, last(b))
		return false
	}
	if j := a.joinIn(b, nil, sig); j != nil && (b != own || ssautil.Before(j, r.from)) {
		r.ends = append(r.ends, j)
		if b != own {
			r.parts[b] = j
		} else {
			r.begun = false // joined before it starts the next one
		}
		return false
	}
	r.whole[b.Index] = true
	if len(b.Succs) == 0 && !a.abandons(b) {
		r.out = true
		r.fine = r.fine || !a.fails(b)
	}
	return true
}

// fails reports whether a function that ends with b returns an error that is not
// nil, or panics.
func (a *analysis) fails(b *ssa.BasicBlock) bool {
	ret, ok := last(b).(*ssa.Return)
	if !ok {
		return true
	}
	if len(ret.Results) == 0 {
		return false
	}
	err := ret.Results[len(ret.Results)-1]
	return ssautil.IsError(err.Type()) && !a.dep.Meets(err, false, ret)
}

// joinIn returns the first join in a block, after the given instruction, that
// ends a goroutine with these signals.
func (a *analysis) joinIn(b *ssa.BasicBlock, after ssa.Instruction, sig summary.Signals) ssa.Instruction {
	for i := range a.joinsIn[b] {
		j := &a.joinsIn[b][i]
		if a.ends(j, sig) && (after == nil || j.instr != after && ssautil.Before(after, j.instr)) {
			return j.instr
		}
	}
	return nil
}

// loopEnds reports whether the loop of which b is the head waits in its rounds
// for a goroutine with these signals.
func (a *analysis) loopEnds(b *ssa.BasicBlock, sig summary.Signals) bool {
	return slices.ContainsFunc(a.joinLoop(b), func(j *join) bool { return a.ends(j, sig) })
}

func (r *running) has(i ssa.Instruction) bool {
	b := i.Block()
	if b == nil {
		return false
	}
	if j := r.parts[b]; j != nil {
		return i != j && ssautil.Before(i, j) && (b != r.from.Block() || ssautil.Before(r.from, i) && i != r.from)
	}
	if b == r.from.Block() {
		return ssautil.Before(r.from, i) && i != r.from || r.begun
	}
	return r.whole[b.Index]
}

// renewed returns the objects handed to the goroutine that each round of the
// loop around its start makes anew: every goroutine has its own. Those of a loop
// within that one share what a round of the outer loop makes.
func (a *analysis) renewed(instr ssa.Instruction) []accesspath.Path {
	c, ok := instr.(ssa.CallInstruction)
	if !ok || !a.reach.InLoop(instr) {
		return nil
	}
	var out []accesspath.Path
	for _, v := range ssautil.HandedOver(c.Common()) {
		out = a.addAnew(out, v, instr)
	}
	return out
}

// addAnew adds the object that v leads to, if control makes it anew before it comes again to an instruction.
func (a *analysis) addAnew(out []accesspath.Path, v ssa.Value, instr ssa.Instruction) []accesspath.Path {
	root := a.Paths.Of(v).Root()
	def, ok := root.Val.(ssa.Instruction)
	if root.Kind != accesspath.Value || !ok || def.Parent() != a.fn || def.Block() == nil || !a.passesAgain(instr, def.Block()) {
		return out
	}
	if p := a.Paths.Root(root); !slices.Contains(out, p) {
		out = append(out, p)
	}
	return out
}

// renewedInList adds what each round of a loop makes anew for the literal that it puts into the list which is started.
func (a *analysis) renewedInList(out []accesspath.Path, st start) []accesspath.Path {
	call, ok := st.instr.(ssa.CallInstruction)
	if i := int(st.slot) - 1; ok && i >= 0 && i < len(call.Common().Args) {
		for _, src := range a.sources(ssautil.Unwrap(call.Common().Args[i])) {
			made, ok := src.(*ssa.MakeClosure)
			if !ok || any(made.Fn) != a.sum.Calls[st.call].Callee || made.Parent() != a.fn || !a.reach.InLoop(made) {
				continue
			}
			for _, captured := range made.Bindings {
				out = a.addAnew(out, captured, made)
			}
		}
	}
	return out
}

// handedLocals collects the objects made here that goroutines get: only these
// local maps can be shared.
func (a *analysis) handedLocals() {
	a.handed = make(map[ssa.Value]bool)
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			_, isGo := instr.(*ssa.Go)
			e := a.effects[instr]
			if !isGo && (e == nil || e.model.Kind != model.Spawn && e.model.Kind != model.Register && !spawnsArgument(e)) {
				continue
			}
			for _, v := range ssautil.HandedOver(c.Common()) {
				if root := a.Paths.Of(v).Root(); root.Kind == accesspath.Value {
					a.handed[root.Val] = true
				}
			}
		}
	}
}

// spawnsArgument reports whether a call runs a function that it gets in a
// goroutine, or starts goroutines itself.
func spawnsArgument(e *effect) bool {
	for _, t := range e.targets {
		if t.kind == summary.Goroutine || t.sum != nil && t.sum.Spawns {
			return true
		}
	}
	return false
}

// abandons reports whether a block panics, and nothing that the function defers recovers, as far as
// its code is known: no caller goes on from there unless it recovers from a mistake. A loop over an
// iterator has such a block, for an iterator that breaks the rules.
func (a *analysis) abandons(b *ssa.BasicBlock) bool {
	_, panics := last(b).(*ssa.Panic)
	return panics && !a.recovers()
}

// recovers reports whether the function defers a call that recovers.
func (a *analysis) recovers() bool {
	return slices.ContainsFunc(a.defers, func(d *ssa.Defer) bool {
		fn := d.Call.StaticCallee() // a literal, too
		return fn != nil && ssautil.Recovers(fn)
	})
}
