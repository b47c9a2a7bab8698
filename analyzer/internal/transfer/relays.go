package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A moment is what becomes of a channel that is sent to as well: to receive from it says little,
// to find it closed says that what closes it has come so far. Such a moment has a path of its own.
type moment uint8

const (
	// closed: it is closed.
	closed moment = iota + 1
	// filled: all room of it, or all of a weighted semaphore, is taken.
	filled
	// read: what a variable holds was read, after a wait.
	read
	// ended: the goroutines have ended that a call starts.
	ended
	// idle: nothing runs any more of what an object was given to run.
	idle
)

// on names a moment of a channel.
func (a *analysis) on(ch accesspath.Path, m moment) accesspath.Path {
	return a.Paths.Apply(ch, m, accesspath.Path{})
}

// joinClosed notes that what finds a channel closed has waited for that: the end of a loop over
// the channel, say.
func (a *analysis) joinClosed(instr ssa.Instruction) {
	recv, ok := instr.(*ssa.UnOp)
	if !ok || !recv.CommaOk || !a.Closes(recv.X) {
		return
	}
	on := []accesspath.Path{a.on(a.Paths.Of(recv.X), closed)}
	for _, x := range ssautil.Extracts(recv) {
		if e, ok := x.(*ssa.Extract); !ok || e.Index != 1 {
			continue
		}
		for _, r := range *x.Referrers() {
			br, ok := r.(*ssa.If)
			if !ok || !on[0].Known() {
				continue
			}
			if to := br.Block().Succs; to[0] != to[1] {
				a.joinEdge(edge{br.Block(), to[1]}, join{on: on})
			}
		}
	}
}

// joinEdge notes a wait that is over where control goes along an edge, as into a case of a select: an
// empty one has no block of its own.
func (a *analysis) joinEdge(e edge, j join) {
	if len(e.to.Preds) > 1 {
		a.joinOnEdge(e, j.on)
		return
	}
	j.instr, j.before = e.to.Instrs[0], true
	a.joinsIn[e.to] = append(a.joinsIn[e.to], j)
}

// A signal is a statement by which a function says that it has come so far.
type signal struct {
	at ssa.Instruction
	// Relay is what a callee that gives the signal has waited for before.
	summary.Relay
}

// signals finds on what the function, or a callee that it waits for, says that
// it has come so far: Done of a WaitGroup, a channel closed or sent to.
func (a *analysis) signals() {
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			if ch := a.Answers(instr); ch != nil {
				a.signal(instr, summary.Relay{On: a.answer(ch)})
			}
			switch instr := instr.(type) {
			case *ssa.Send:
				a.signal(instr, summary.Relay{On: a.Paths.Of(instr.Chan)})
			case *ssa.UnOp:
				a.interesting = a.interesting || ssautil.IsChan(instr.X.Type()) && (a.Done(instr.X) || a.Closes(instr.X) || a.Asked(instr.X) != nil)
			case *ssa.Select:
				for _, st := range instr.States {
					if st.Send != nil {
						a.signal(instr, summary.Relay{On: a.Paths.Of(st.Chan)})
					}
					a.interesting = a.interesting || st.Dir == types.RecvOnly && (a.Done(st.Chan) || a.Asked(st.Chan) != nil)
				}
			case *ssa.Call:
				a.signalsOf(instr, &instr.Call)
			case *ssa.Defer:
				a.signalsOf(instr, &instr.Call)
			}
		}
	}
	for _, s := range a.signalled {
		switch {
		case slices.Contains(a.sum.Signals, s.On):
		case len(a.sum.Signals) < maxWaits:
			a.sum.Signals = append(a.sum.Signals, s.On)
		default:
			a.cut("channels and groups that it signals on", maxWaits)
		}
	}
}

func (a *analysis) signal(at ssa.Instruction, r summary.Relay) {
	if r.On.Known() {
		a.signalled = append(a.signalled, signal{at, r})
	}
}

func (a *analysis) signalsOf(instr ssa.CallInstruction, call *ssa.CallCommon) {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		if b.Name() == "close" {
			ch := a.Paths.Of(call.Args[0])
			a.signal(instr, summary.Relay{On: ch})
			if a.Closes(call.Args[0]) && a.endsWith(instr) {
				a.signal(instr, summary.Relay{On: a.on(ch, closed)})
			}
		}
		return
	}
	e := a.effects[instr]
	if e == nil {
		return
	}
	if e.model.Kind == model.Signal {
		a.signal(instr, summary.Relay{On: a.Paths.Of(e.recv), Adds: adds(call)})
	}
	for i := range e.targets {
		if t := &e.targets[i]; t.sum != nil && (t.kind == summary.Direct || t.kind == summary.OnceOnly) {
			for _, p := range t.sum.Signals {
				for _, q := range a.substituteAll([]accesspath.Path{p}, t, instr) {
					r := summary.Relayed(t.sum.Relays, p)
					a.signal(instr, summary.Relay{On: q, After: a.substituteAll(r.After, t, instr), Adds: r.Adds})
				}
			}
		}
	}
}

// endsWith reports whether a function comes to no map any more after an instruction, or defers it.
func (a *analysis) endsWith(instr ssa.CallInstruction) bool {
	if _, deferred := instr.(*ssa.Defer); deferred {
		return true
	}
	return !ssautil.Some(a.fn, func(later ssa.Instruction) bool {
		return a.touches(later) && a.reach.MayPrecede(instr, later)
	})
}

// touches reports whether an instruction, or what it calls, comes to a map.
func (a *analysis) touches(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return true
	case *ssa.Lookup:
		return ssautil.IsMap(instr.X.Type())
	case *ssa.Range:
		return ssautil.IsMap(instr.X.Type())
	case *ssa.Call:
		if _, builtin := instr.Call.Value.(*ssa.Builtin); builtin {
			return len(instr.Call.Args) > 0 && ssautil.IsMap(instr.Call.Args[0].Type())
		}
		e := a.effects[instr]
		return e != nil && slices.ContainsFunc(e.targets, func(t target) bool { return t.sum != nil && len(t.sum.Accesses) > 0 })
	}
	return false
}

// relay finds what the function has waited for before it signals, in any case: of several
// statements by which it signals on one thing, any may be the one that is seen.
func (a *analysis) relay() {
	if len(a.signalled) == 0 {
		return
	}
	for i := range a.signalled {
		s := &a.signalled[i]
		s.After = append(a.before(s.at), s.After...)
	}
	for _, p := range a.sum.Signals {
		r := summary.Relay{On: p, Adds: true}
		for _, s := range a.signalled {
			switch {
			case s.On != p || s.Adds:
			case r.Adds:
				r.After, r.Adds = slices.Clone(s.After), false
			default:
				r.After = slices.DeleteFunc(r.After, func(q accesspath.Path) bool { return !slices.Contains(s.After, q) })
			}
		}
		r.After = a.seenOutside(r.After)
		if r.Adds || len(r.After) > 0 {
			a.sum.Relays = append(a.sum.Relays, r)
		}
	}
}

// adds reports whether a call adds a number to a group, rather than to take one off.
func adds(call *ssa.CallCommon) bool {
	_, args := ssautil.Callee(call)
	if len(args) < 2 {
		return false
	}
	n, ok := ssautil.IntOf(args[1])
	return !ok || n > 0 // what is computed counts those that are to come
}

// before returns what has been waited for when an instruction runs: one that is deferred does
// so behind all ways to the function's end, and after what is deferred later.
func (a *analysis) before(instr ssa.Instruction) []accesspath.Path {
	d, deferred := instr.(*ssa.Defer)
	if !deferred {
		on, _, _ := a.joined(instr)
		return slices.Clone(on)
	}
	var common []accesspath.Path
	first := true
	for _, b := range a.fn.Blocks {
		end := runsDeferred(b)
		if end == nil || b == a.fn.Recover {
			continue
		}
		on, _, _ := a.joined(end)
		on = append(on, a.deferredAfter(d, end)...)
		if first {
			common, first = on, false
			continue
		}
		common = slices.DeleteFunc(common, func(p accesspath.Path) bool { return !slices.Contains(on, p) })
	}
	return common
}

// deferredAfter returns what calls wait for that are deferred after another one, on each way to
// the function's end: they run before it.
func (a *analysis) deferredAfter(d *ssa.Defer, end *ssa.RunDefers) (on []accesspath.Path) {
	for _, later := range a.defers {
		if later == d || !ssautil.Dominates(d, later) || !later.Block().Dominates(end.Block()) || a.effects[later] == nil {
			continue
		}
		if j, waits := a.joinOf(later, a.effects[later]); waits {
			on = append(on, j.on...)
		}
	}
	return on
}

func runsDeferred(b *ssa.BasicBlock) *ssa.RunDefers {
	for _, instr := range b.Instrs {
		if end, ok := instr.(*ssa.RunDefers); ok {
			return end
		}
	}
	return nil
}

// passOn lets those who wait for a goroutine wait for what it has waited for before it signals,
// through any number of goroutines: each adds to waits of which there are few.
func (a *analysis) passOn(c *summary.Call, t *target, instr ssa.Instruction) {
	if t.sum == nil || len(t.sum.Waits)+len(t.sum.Relays) == 0 {
		return
	}
	for _, p := range c.Signals.On {
		r := a.relayed(p, t, instr)
		r.After = slices.DeleteFunc(r.After, func(p accesspath.Path) bool { return a.beforeAny(p, instr) })
		if r.Adds || len(r.After) > 0 {
			c.Relays = append(c.Relays, r)
		}
	}
	a.passOnAlso(c.Relays)
}

// passOnAlso lets all waits wait for what stands behind them by some relays, too.
func (a *analysis) passOnAlso(relays []summary.Relay) {
	a.passedOn = append(a.passedOn, relays...)
	for more := true; more; {
		more = false
		for _, js := range a.joinsIn {
			for i := range js {
				more = a.addRelayed(&js[i].on) || more
			}
		}
		for e, on := range a.joinsOn {
			more = a.addRelayed(&on) || more
			a.joinsOn[e] = on
		}
	}
}

// relayed returns what a goroutine waits for before it signals, or before what runs it does so for it.
func (a *analysis) relayed(on accesspath.Path, t *target, instr ssa.Instruction) summary.Relay {
	for _, p := range t.sum.Signals {
		if slices.Contains(a.substituteAll([]accesspath.Path{p}, t, instr), on) {
			r := summary.Relayed(t.sum.Relays, p)
			return summary.Relay{On: on, After: a.substituteAll(r.After, t, instr), Adds: r.Adds}
		}
	}
	return summary.Relay{On: on, After: a.substituteAll(t.sum.Waits, t, instr)}
}

// beforeAny reports whether a goroutine that waits for a group starts before anything is added to it:
// the function makes the group, or adds to it later alone. Such a goroutine may find nothing to wait for.
func (a *analysis) beforeAny(group accesspath.Path, start ssa.Instruction) bool {
	if IsChan(group) {
		return false
	}
	v := group.Root().Val
	none := v != nil && v.Parent() == a.fn
	for _, s := range a.signalled {
		if s.On == group {
			if a.reach.MayPrecede(s.at, start) {
				return false
			}
			none = true
		}
	}
	for at, e := range a.effects {
		if e.model.Kind == model.Spawn && e.recv != nil && a.Paths.Of(e.recv) == group {
			if a.reach.MayPrecede(at, start) {
				return false
			}
			none = true
		}
	}
	return none
}

// IsChan reports whether a path leads to a channel, as far as it tells.
func IsChan(p accesspath.Path) bool {
	if p.IsComputed() {
		return true // a moment of one
	}
	if f := p.LastField(); f != nil {
		return ssautil.IsChan(f.Type())
	}
	switch r := p.Root(); {
	case p.Depth() > 0:
		return true
	case r.Val != nil:
		return ssautil.IsChan(r.Val.Type()) || ssautil.IsChan(ssautil.Pointee(r.Val.Type()))
	case r.Obj != nil:
		return ssautil.IsChan(r.Obj.Type())
	}
	return true
}

// addRelayed adds to waits what the goroutines that they are for have waited for.
func (a *analysis) addRelayed(on *[]accesspath.Path) (more bool) {
	for _, r := range a.passedOn {
		if !(summary.Signals{On: []accesspath.Path{r.On}}).Has(*on) {
			continue
		}
		for _, p := range r.After {
			if !slices.Contains(*on, p) && len(*on) < maxWaits {
				*on, more = append(slices.Clip(*on), p), true
			}
		}
	}
	return more
}
