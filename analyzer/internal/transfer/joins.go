package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A join is one wait for goroutines: for those that signal on one of its
// paths, a WaitGroup, a group or a channel. One that cannot be named, as Wait of
// a pool whose body is unknown, ends whatever was started.
type join struct {
	instr ssa.Instruction
	on    []accesspath.Path
	any   bool
	// one: it receives one of the elements that are sent, and waits for who has sent that.
	one bool
	// before: it is over where instr begins, not by it.
	before bool
}

// ends reports whether a goroutine with these signals has ended after the join.
func (j *join) ends(sig summary.Signals) bool { return j.any || sig.EndBy(j.on) }

// indexJoins finds the waits of each block, once.
func (a *analysis) indexJoins() {
	a.joinsIn, a.noWay = make(map[*ssa.BasicBlock][]join), make(map[edge]bool)
	for _, b := range a.fn.Blocks {
		for _, i := range b.Instrs {
			a.joinClosed(i)
			a.joinFilled(i)
			if j, ok := a.joinAt(i); ok {
				a.joinsIn[b] = append(a.joinsIn[b], j)
				if after := unlessNil(i); after != nil {
					a.joinsIn[after] = append(a.joinsIn[after], join{instr: after.Instrs[0], on: j.on, one: j.one, before: true})
				}
			}
			if sel, ok := i.(*ssa.Select); ok {
				a.joinCases(sel)
			}
		}
	}
	a.joinTold()
	a.joinAnswersOfAll()
	a.joinOwnChans()
	a.joinEveryWay()
	a.joinLoops = nil // there may be more by now
}

// joinAt recognises a wait: a table row, a callee that waits whatever it
// returns, or a receive, outside of a select, from a channel that says "done".
func (a *analysis) joinAt(instr ssa.Instruction) (join, bool) {
	switch instr := instr.(type) {
	case *ssa.Call:
		if e := a.effects[instr]; e != nil {
			return a.joinOf(instr, e)
		}
	case *ssa.RunDefers:
		return a.joinDeferred(instr)
	case *ssa.UnOp:
		if on := a.askedOn(instr); on.Known() {
			return join{instr: instr, on: []accesspath.Path{on}}, true
		}
		if on := a.idleAt(instr); on.Known() {
			return join{instr: instr, on: []accesspath.Path{on}}, true
		}
		if on := a.outcomeAt(instr); len(on) > 0 {
			return join{instr: instr, on: on}, true
		}
		if instr.Op == token.ARROW && (a.Done(instr.X) || a.answers(instr.X)) {
			return join{instr: instr, on: []accesspath.Path{a.Paths.Of(instr.X)}, one: !a.Done(instr.X)}, true
		}
	}
	return join{}, false
}

// joinDeferred recognises waits that are deferred on every way to the function's end.
func (a *analysis) joinDeferred(end *ssa.RunDefers) (all join, ok bool) {
	all.instr = end
	for _, b := range a.fn.Blocks {
		if !b.Dominates(end.Block()) {
			continue
		}
		for _, i := range b.Instrs {
			d, deferred := i.(*ssa.Defer)
			if !deferred || a.effects[d] == nil {
				continue
			}
			if j, waits := a.joinOf(d, a.effects[d]); waits {
				all.on, all.any, ok = append(all.on, j.on...), all.any || j.any, true
			}
		}
	}
	return all, ok
}

func (a *analysis) joinOf(instr ssa.CallInstruction, e *effect) (join, bool) {
	j := join{instr: instr}
	for i := range e.targets {
		if t := &e.targets[i]; t.sum != nil && t.kind == summary.Direct && t.sure != guessed {
			j.on = append(j.on, a.substituteAll(t.sum.Waits, t, instr)...)
		}
	}
	j.on = append(j.on, a.drainedAt(e)...)
	if e.model.Kind == model.Join {
		fn, _ := ssautil.Callee(e.call)
		if a.Model.Listed(fn) {
			j.on = append(j.on, a.Paths.Of(e.recv))
		}
		j.any = len(j.on) == 0 // a wait by its name alone
	}
	return j, j.any || len(j.on) > 0
}

func (a *analysis) substituteAll(ps []accesspath.Path, t *target, at ssa.Instruction) []accesspath.Path {
	var out []accesspath.Path
	for _, p := range ps {
		if q := a.substitute(p, *t, at); q.Known() && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// answers reports whether ch is made here for goroutines to send to: who
// receives from it waits for what they have done.
func (a *analysis) answers(ch ssa.Value) bool {
	v := a.Paths.Of(ch).Root().Val
	made, ok := v.(*ssa.MakeChan)
	return ok && made.Parent() == a.fn && a.handed[v]
}

// maxWaits bounds the waits that are noted of one access.
const maxWaits = 8

// joined reports whether a wait for goroutines precedes instr on every path,
// and what it waits for; nothing, when one of the waits ends them all.
func (a *analysis) joined(instr ssa.Instruction) (on []accesspath.Path, any, ok bool) {
	if len(a.joinsIn) == 0 {
		return nil, false, false
	}
	note := func(j *join) {
		ok, any = true, any || j.any
		for _, p := range j.on {
			switch {
			case slices.Contains(on, p):
			case len(on) < maxWaits:
				on = append(on, p)
			default:
				a.cut("waits before one access", maxWaits)
			}
		}
	}
	a.joinsBefore(instr, note)
	return on, any, ok
}

// joinsBefore calls a function with the waits that precede instr on every path.
func (a *analysis) joinsBefore(instr ssa.Instruction, note func(*join)) {
	for b := instr.Block(); b != nil; b = b.Idom() {
		if b != instr.Block() && !a.reach.Blocks(instr.Block(), b) {
			for _, j := range a.joinLoop(b) {
				note(j)
			}
		}
		for i := range a.joinsIn[b] {
			j := &a.joinsIn[b][i]
			if b != instr.Block() || (j.before || j.instr != instr) && ssautil.Before(j.instr, instr) {
				note(j)
			}
		}
	}
}

// joinLoop returns the waits in the rounds of the loop of which b is the head,
// as one has for the answers of several goroutines. A loop that asks before it
// begins whether there is a first round, as one over a number does, begins there.
func (a *analysis) joinLoop(b *ssa.BasicBlock) []*join {
	if a.joinLoops == nil {
		a.joinLoops = make(map[*ssa.BasicBlock][]*join)
		for _, jb := range a.fn.Blocks {
			for i := range a.joinsIn[jb] {
				for h := jb; h != nil; h = h.Idom() {
					if a.reach.Blocks(jb, h) {
						a.joinLoops[h] = append(a.joinLoops[h], &a.joinsIn[jb][i])
						if g := a.firstRound(h, jb); g != nil {
							a.joinLoops[g] = append(a.joinLoops[g], &a.joinsIn[jb][i])
						}
					}
				}
			}
		}
	}
	return a.joinLoops[b]
}

// firstRound returns the block that asks, before the loop of head h and with a
// round at b, whether there is a first one: it goes on to the head or to where
// the loop ends.
func (a *analysis) firstRound(h, b *ssa.BasicBlock) *ssa.BasicBlock {
	g := h.Idom()
	if g == nil || len(g.Succs) != 2 || a.reach.Blocks(b, g) {
		return nil
	}
	i := slices.Index(g.Succs, h)
	if i < 0 {
		return nil
	}
	for _, p := range g.Succs[1-i].Preds {
		if p != g && h.Dominates(p) && a.reach.Blocks(p, h) && sameBound(g, p) {
			return g
		}
	}
	return nil
}

// sameBound reports whether two blocks end by comparing what they count with the
// same number.
func sameBound(g, p *ssa.BasicBlock) bool {
	bound := func(b *ssa.BasicBlock) ssa.Value {
		br, ok := last(b).(*ssa.If)
		if !ok {
			return nil
		}
		cmp, ok := br.Cond.(*ssa.BinOp)
		if !ok {
			return nil
		}
		return cmp.Y
	}
	x, y := bound(g), bound(p)
	return x != nil && x == y
}

// waits finds what every return of the function has waited for, but for those that find at
// once that there is nothing to wait for.
func (a *analysis) waits() {
	a.tellWaits()
	if len(a.joinsIn) == 0 {
		return
	}
	var common []accesspath.Path
	first := true
	for _, b := range a.fn.Blocks {
		ret, ok := last(b).(*ssa.Return)
		if !ok || b == a.fn.Recover || a.refuses(b) {
			continue
		}
		on, _, _ := a.joined(ret)
		if first {
			common, first = on, false
			continue
		}
		common = slices.DeleteFunc(common, func(p accesspath.Path) bool { return !slices.Contains(on, p) })
	}
	a.sum.Waits = a.seenOutside(common)
}

func last(b *ssa.BasicBlock) ssa.Instruction {
	if len(b.Instrs) == 0 {
		return nil
	}
	return b.Instrs[len(b.Instrs)-1]
}

// seenOutside returns those of some paths that callers can name.
func (a *analysis) seenOutside(ps []accesspath.Path) []accesspath.Path {
	return slices.DeleteFunc(ps, func(p accesspath.Path) bool { return !a.outward(p) })
}

// outward reports whether callers can name what p denotes.
func (a *analysis) outward(p accesspath.Path) bool {
	switch p.Root().Kind {
	case accesspath.Param, accesspath.Global:
		return true
	}
	v := p.Root().Val
	return v != nil && v.Parent() != a.fn
}

// signalsAt gives the signals of a goroutine that starts at instr, in this
// function's terms: what its body signals, the group that runs it, and what a
// callee that starts it signals for it. One whose body is unknown may signal
// on anything.
func (a *analysis) signalsAt(instr ssa.CallInstruction, t *target) summary.Signals {
	if t.sum == nil || t.sum.Imported {
		return summary.Signals{Any: true}
	}
	sig := summary.Signals{On: a.substituteAll(t.sum.Signals, t, instr)}
	if start, ok := instr.(*ssa.Go); ok {
		if p := a.slotSignal(start); p.Known() {
			sig.On = append(sig.On, p)
		}
	}
	e := a.effects[instr]
	if e == nil {
		return sig
	}
	sig.On = append(sig.On, a.serversOf(e)...)
	if e.model.Kind == model.Spawn && e.recv != nil {
		sig.On = append(sig.On, a.Paths.Of(e.recv))
	}
	for i := range e.targets {
		runner := &e.targets[i]
		if runner.sum == nil || runner.kind != summary.Direct || runner == t {
			continue
		}
		if endedAt(runner.sum).Result > 0 {
			sig.On = append(sig.On, a.endOfRuns(instr))
		}
		if runner.sum.Work == summary.Counted {
			sig.On = append(sig.On, a.idleOf(e.call))
		} else if runner.sum.Imported {
			sig.Any = true
		} else if runner.sum.Lives != nil {
			sig.On = append(sig.On, a.substituteAll(runner.sum.Lives.On, runner, instr)...)
			sig.Any = sig.Any || runner.sum.Lives.Any
		}
	}
	return sig
}

// noteWaits notes on an access the waits that precede it on every path, those of the call that
// gave the map included: where it gave none, nothing is there that others could change. A channel that
// is found closed, and was sent to, may just have told its goroutine to end: by itself that is no join.
func (a *analysis) noteWaits(acc *access.Access, val ssa.Value, instr ssa.Instruction) {
	on, any, ok := a.joined(instr)
	if val != nil {
		more := a.waitsWhere(val, locks.Cond{Test: locks.Nil}, instr, 0)
		on, ok = bothOf(on, more), ok || len(more) > 0
	}
	on = slices.DeleteFunc(slices.Clone(on), func(p accesspath.Path) bool { return isAnswer(p) && !answersFor(p, acc.Path) })
	acc.Joined, acc.Waits = ok && (any || slices.ContainsFunc(on, func(p accesspath.Path) bool { return !p.IsComputed() })), on
	if any {
		acc.Waits = nil
	}
}
