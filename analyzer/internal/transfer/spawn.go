package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// goEvents records a go statement: who runs, on what, and how often.
func (a *analysis) goEvents(s locks.State, instr *ssa.Go) {
	a.sum.Spawns = true
	e := a.goEffect(instr) // go run(f): f runs there too
	if ssautil.Successor(instr) && len(s.Locks()) == 0 {
		for i := range e.targets {
			a.addCall(e.targets[i].enter(s), instr, &e.targets[i], summary.Direct)
		}
		return
	}
	for i := range e.targets {
		a.startEvents(s, instr, &instr.Call, &e.targets[i], false)
	}
}

// startEvents records the start of one goroutine, or of many that a
// registered function will run in.
func (a *analysis) startEvents(s locks.State, instr ssa.CallInstruction, call *ssa.CallCommon, t *target, registered bool) {
	a.sum.Spawns = true
	a.addCall(t.enter(locks.Reached()), instr, t, summary.Goroutine)
	c := &a.sum.Calls[len(a.sum.Calls)-1]
	c.Start = new(summary.Start)
	c.Signals = a.signalsAt(instr, t)
	a.leavesOutcome(c, instr, t)
	a.passOn(c, t, instr)
	c.Leaves, c.Turns, c.Lone = true, t.turns, t.lone
	c.Registered, c.Queue = registered, t.queue
	awaited := t.fate == callback.Awaited
	if awaited {
		c.Many, c.Around = t.many, s.Held()
	} else {
		c.Again = t.queue == "" && a.reach.InLoop(instr) && !a.oneAtATime(instr)
		c.Many = registered || t.many || c.Again && a.sharedAcrossIterations(instr, call)
		if n := a.atMost(instr); n != nil && !registered && !t.many {
			c.Room = a.room(n)
		}
		c.Around = a.around(s, instr, c)
	}
	c.Given = a.handedOver(s, instr, t)
	fn, _ := ssautil.Callee(call)
	c.Repeats = model.Repeats(fn)
	c.Kept = a.kept(call)
	a.putBefore(c, t)
	a.starts = append(a.starts, start{instr: instr, call: len(a.sum.Calls) - 1, awaited: awaited, many: t.many, slot: t.slot, listed: t.listed})
	a.inGoroutine(instr, call, t)
	a.startsInside(instr, len(a.sum.Calls)-1, t)
}

// startsInside notes the goroutines that a literal starts which itself runs in a
// goroutine, as starts of this function: they run beside it as well, until it has
// waited for them. One that ends before the literal does ends before the call returns, if the literal's goroutine does.
func (a *analysis) startsInside(instr ssa.CallInstruction, outer int, t *target) {
	if t.sum == nil || !t.closure {
		return
	}
	for i := range t.sum.Calls {
		n := &t.sum.Calls[i]
		if n.Kind != summary.Goroutine || n.Registered || len(a.starts) >= maxStarts {
			continue
		}
		o := &a.sum.Calls[outer]
		c := summary.Call{Callee: n.Callee, Kind: n.Kind, Pos: n.Pos, Point: a.at, Held: n.Held, Looped: o.Looped || n.Looped, Many: o.Many || n.Many}
		for _, arg := range n.Args {
			c.Args = append(c.Args, a.substitute(arg, *t, instr))
		}
		c.Claim, c.Claimed, c.Latch = a.substitute(n.Claim, *t, instr), n.Claimed, a.substitute(n.Latch, *t, instr)
		c.Owned = shared(len(c.Args))
		c.Start = &summary.Start{Leaves: true, Kept: o.Kept, Signals: summary.Signals{On: a.substituteAll(n.Signals.On, t, instr), Any: n.Signals.Any}}
		for _, r := range n.Relays {
			for _, on := range a.substituteAll([]accesspath.Path{r.On}, t, instr) {
				c.Relays = append(c.Relays, summary.Relay{On: on, After: a.substituteAll(r.After, t, instr), Adds: r.Adds})
			}
		}
		a.vouchedFor(&c, o, n, t, instr)
		for len(a.callAt) < len(a.sum.Calls) {
			a.callAt = append(a.callAt, nil)
		}
		a.callAt = append(a.callAt, instr)
		a.sum.Calls = append(a.sum.Calls, c)
		a.starts = append(a.starts, start{instr: instr, call: len(a.sum.Calls) - 1, awaited: t.fate == callback.Awaited && !n.Leaves})
	}
}

// leaves notes a call that leaves goroutines running, as if it started them.
func (a *analysis) leaves(instr ssa.CallInstruction, t *target) {
	if t.sum == nil || t.sum.Imported || t.sum.Lives == nil {
		return
	}
	c := &a.sum.Calls[len(a.sum.Calls)-1]
	c.Start = &summary.Start{Leaves: true, Kept: a.kept(instr.Common())}
	c.Again = a.reach.InLoop(instr)
	c.Signals = summary.Signals{On: a.substituteAll(t.sum.Lives.On, t, instr), Any: t.sum.Lives.Any}
	if _, deferred := instr.(*ssa.Defer); deferred {
		a.outlived(c.Signals) // nothing of this function comes after it
		return
	}
	a.starts = append(a.starts, start{instr: instr, call: len(a.sum.Calls) - 1})
}

// oneAtATime reports whether the group that runs a goroutine has been told to
// run no more than one, or there is room for one only.
func (a *analysis) oneAtATime(instr ssa.CallInstruction) bool {
	if n := a.atMost(instr); n != nil && ssautil.IsInt(ssautil.Unwrap(n), 1) {
		return true
	}
	e := a.effects[instr]
	if e == nil || e.recv == nil || e.model.Kind != model.Spawn {
		return false
	}
	group := a.Paths.Of(e.recv)
	for other, o := range a.effects {
		if o.model.Kind != model.Limit || len(o.call.Args) < 2 || a.Paths.Of(o.call.Args[0]) != group || !ssautil.Dominates(other, instr) {
			continue
		}
		if k, ok := o.call.Args[1].(*ssa.Const); ok && k.Value != nil && k.Value.String() == "1" {
			return true
		}
	}
	return false
}

// around returns the locks held without a break from the start of a goroutine
// until a wait for it.
func (a *analysis) around(s locks.State, instr ssa.Instruction, c *summary.Call) []locks.Held {
	var out []locks.Held
	if len(s.Held()) == 0 {
		return nil
	}
	for _, b := range a.fn.Blocks {
		for i := range a.joinsIn[b] {
			j := &a.joinsIn[b][i]
			if !j.ends(c.Signals) || !a.reach.MayPrecede(instr, j.instr) {
				continue
			}
			at := a.stateAt(j.instr)
			for _, h := range s.Held() {
				if at.Keeps(h) {
					out = append(out, h)
				}
			}
			return out
		}
	}
	return nil
}

// handedOver returns the locks that the function holds where it starts a goroutine and keeps until
// it returns, and that the goroutine lets go: from then on they are the goroutine's.
func (a *analysis) handedOver(s locks.State, instr ssa.Instruction, t *target) []locks.Held {
	if len(s.Held()) == 0 || t.sum == nil {
		return nil
	}
	released := a.substituteAll(t.sum.Effect.Releases(), t, instr)
	out := slices.DeleteFunc(slices.Clone(s.Held()), func(h locks.Held) bool { return !slices.Contains(released, h.Lock) })
	if start, ok := instr.(*ssa.Go); ok {
		passed := a.passes[start] // those the function itself has no more
		marks := slices.DeleteFunc(slices.Clone(out), func(h locks.Held) bool { return !slices.Contains(passed, h.Lock) })
		return append(marks, a.keptFor(instr, slices.DeleteFunc(out, func(h locks.Held) bool { return slices.Contains(passed, h.Lock) }))...)
	}
	return a.keptFor(instr, out)
}

// keptFor returns those of some locks that the function keeps from the start of a goroutine until it returns.
func (a *analysis) keptFor(instr ssa.Instruction, out []locks.Held) []locks.Held {
	for _, b := range a.fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(out) == 0 || !a.reach.MayPrecede(instr, ret) {
			continue
		}
		at := a.stateAt(ret)
		out = slices.DeleteFunc(out, func(h locks.Held) bool { return !at.Keeps(h) })
	}
	return out
}

// kept returns the objects among what a goroutine gets that this function also
// returns or stores, or of which it hands out a method value: others can come
// to know them.
func (a *analysis) kept(call *ssa.CallCommon) []accesspath.Path {
	var out []accesspath.Path
	for _, v := range ssautil.HandedOver(call) {
		root := a.Paths.Root(a.Paths.Of(v).Root())
		if root.Root().Kind == accesspath.Value && a.keptHere()[root] && !slices.Contains(out, root) {
			out = append(out, root)
		}
	}
	return out
}

// keptHere returns the objects that the function returns, stores or hands out a
// method value of.
func (a *analysis) keptHere() map[accesspath.Path]bool {
	if a.keptRoots != nil {
		return a.keptRoots
	}
	a.keptRoots = make(map[accesspath.Path]bool)
	note := func(v ssa.Value) {
		if p := a.Paths.Of(v); p.Depth() == 0 && p.Root().Kind == accesspath.Value {
			a.keptRoots[p] = true
		}
	}
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Return:
				for _, r := range instr.Results {
					note(r)
				}
			case *ssa.Store:
				if a.Paths.Of(instr.Addr).Depth() > 0 {
					note(instr.Val)
				}
			case *ssa.MapUpdate:
				note(instr.Value)
			case *ssa.MakeClosure:
				if recv, m := ssautil.BoundMethod(instr); m != nil {
					note(recv) // code with the method value knows the object
				}
			}
		}
	}
	return a.keptRoots
}

// sharedAcrossIterations reports whether a goroutine that a loop starts gets
// an object that the loop did not make.
func (a *analysis) sharedAcrossIterations(instr ssa.Instruction, call *ssa.CallCommon) bool {
	for _, v := range ssautil.HandedOver(call) {
		switch ssautil.Pointee(v.Type()).Underlying().(type) {
		case *types.Struct, *types.Map, *types.Interface, *types.Pointer:
		default:
			continue
		}
		root := a.Paths.Of(v).Root()
		def, ok := root.Val.(ssa.Instruction)
		if root.Kind != accesspath.Value || !ok {
			return true // a parameter or a package-level variable
		}
		if def.Parent() != a.fn || def.Block() != nil && !a.passesAgain(instr, def.Block()) {
			return true
		}
	}
	return false
}

// passesAgain reports whether control comes past a block wherever it comes to an instruction again: what is made there
// is another object then. A loop in the loop that makes it has one object in all its rounds, unless a flag, set at the first time, lets
// no other round come to the instruction.
func (a *analysis) passesAgain(instr ssa.Instruction, block *ssa.BasicBlock) bool {
	at, from := ssautil.PointOf(instr), instr.Block()
	if !a.reach.Blocks(from, block) || !a.sum.Flow.ReachesPast(block, at, at) {
		return a.reach.Blocks(from, block)
	}
	s := a.settled()
	past := func(b *ssa.BasicBlock) bool { return b != block }
	_, back := s.walk(from, s.entry[from], func(edge) bool { return true }, past)[from]
	return !back
}
