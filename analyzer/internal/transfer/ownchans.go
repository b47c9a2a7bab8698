package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A loop may make a channel for each goroutine that it starts, on which that says, as the last thing that it does, that it has ended, and
// gather the channels in a list or a map. Then a walk over all of them that receives from each has waited for all of the
// goroutines.

// joinOwnChans notes that all such goroutines have ended where a walk has come to all channels.
func (a *analysis) joinOwnChans() {
	walks := a.chanWalks()
	if len(walks) == 0 {
		return
	}
	ssautil.Some(a.fn, func(instr ssa.Instruction) bool {
		made, ok := instr.(*ssa.MakeChan)
		if !ok {
			return false
		}
		for _, w := range walks {
			puts, starts := a.ownChan(made, w.drains)
			if len(starts) > 0 && a.gathers(made, puts, starts, w) {
				a.joinWalked(w.Walk, join{on: []accesspath.Path{a.Paths.Of(made)}})
			}
		}
		return false
	})
}

// A chanWalk is a walk over a list or a map of channels.
type chanWalk struct {
	ssautil.Walk
	of ssa.Value
	// drains: each round receives until the channel is closed.
	drains bool
}

// chanWalks returns the walks that receive in each round from the channel of the round.
func (a *analysis) chanWalks() (out []chanWalk) {
	ssautil.Some(a.fn, func(instr ssa.Instruction) bool {
		recv, ok := instr.(*ssa.UnOp)
		if !ok || recv.Op != token.ARROW {
			return false
		}
		for _, l := range ssautil.Loops(recv.Block()) {
			w, ok := ssautil.WalkAt(l.Head)
			if !ok || !eachRound(recv.Block(), w) {
				continue
			}
			of := w.Map
			if of == nil {
				of, _ = ssautil.LenOf(w.Count)
			}
			if of != nil && a.Paths.Of(recv.X) == a.Paths.Elem(a.Paths.Of(of), a.Paths.Key(w.Key)) {
				out = append(out, chanWalk{w, of, drains(recv)})
			}
		}
		return false
	})
	return out
}

// drains reports whether a receive is that of a loop which ends where the channel is closed, and there alone.
func drains(recv *ssa.UnOp) bool {
	l := ssautil.LoopAt(recv.Block())
	br, ok := last(recv.Block()).(*ssa.If)
	if !ok || len(l.In) == 0 || !recv.CommaOk || !l.In[br.Block().Succs[0]] {
		return false
	}
	more, ok := br.Cond.(*ssa.Extract)
	if !ok || more.Tuple != ssa.Value(recv) || more.Index != 1 {
		return false
	}
	for b := range l.In {
		if b != l.Head && slices.ContainsFunc(b.Succs, func(next *ssa.BasicBlock) bool { return !l.In[next] }) {
			return false
		}
	}
	return true
}

// ownChan returns where a channel is put into lists and maps, and where the goroutines are started that say on it, and on it alone at last,
// that they have ended; none if more is done with it than to receive from it. What the function itself says on it counts as such a start.
// What is sent says nothing where the walk drains the channels.
func (a *analysis) ownChan(made *ssa.MakeChan, drains bool) (puts []ssautil.Put, starts []ssa.Instruction) {
	if made.Parent() != a.fn {
		return nil, nil
	}
	for _, use := range ssautil.ChanUses(a.fn, made) {
		if p, ok := ssautil.PutBy(use); ok && use.Parent() == a.fn {
			puts = append(puts, p)
			continue
		}
		if receives(use) && use.Parent() == a.fn {
			continue
		}
		start := a.saidBy(use, made, drains)
		if start == nil {
			return nil, nil
		}
		if !slices.Contains(starts, start) {
			starts = append(starts, start)
		}
	}
	return puts, starts
}

// saidBy returns where the goroutine is started that says by a statement that it has ended, or that gets the channel for that;
// the statement itself if the function makes it; nil if it says or does something else with the channel.
func (a *analysis) saidBy(use ssa.Instruction, made ssa.Value, drains bool) ssa.Instruction {
	if start, ok := use.(*ssa.Go); ok && use.Parent() == a.fn {
		if !a.saysByArgument(start, made, drains) {
			return nil
		}
		return start
	}
	if !says(use, made) {
		return nil
	}
	passing := drains && !closes(use)
	for use.Parent() != a.fn {
		if !passing && !ssautil.EndsAfter(use) {
			return nil
		}
		site := runOf(use.Parent())
		if site == nil || site.Parent() == a.fn && !a.startsAt(site) {
			return nil
		}
		if use = site; use.Parent() == a.fn {
			return use
		}
		if _, other := use.(*ssa.Go); other {
			return nil
		}
	}
	return use
}

// saysByArgument reports whether the function that a goroutine runs says on a channel that it gets that it has ended, and does no more with it.
func (a *analysis) saysByArgument(start *ssa.Go, made ssa.Value, drains bool) bool {
	fn := start.Call.StaticCallee()
	if fn == nil {
		return false
	}
	some := false
	for i, arg := range start.Call.Args {
		if ssautil.ChanFrom(arg) != made || i >= len(fn.Params) {
			continue
		}
		for _, use := range ssautil.ChanUses(fn, fn.Params[i]) {
			if some = true; !says(use, fn.Params[i]) {
				return false
			}
			passing := drains && !closes(use)
			for at := use; ; {
				if !passing && !ssautil.EndsAfter(at) {
					return false
				}
				if at.Parent() == fn {
					break
				}
				if at = runOf(at.Parent()); at == nil || isGo(at) {
					return false
				}
			}
		}
	}
	return some
}

func isGo(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.Go)
	return ok
}

// says reports whether a statement sends on a channel or closes it.
func says(use ssa.Instruction, ch ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.Send:
		return ssautil.ChanFrom(use.Chan) == ch
	case *ssa.Select:
		return !slices.ContainsFunc(use.States, func(st *ssa.SelectState) bool {
			return ssautil.ChanFrom(st.Chan) == ch && st.Dir != types.SendOnly || st.Send != nil && ssautil.ChanFrom(st.Send) == ch
		})
	}
	return closes(use)
}

func closes(use ssa.Instruction) bool { return ssautil.Closed(use) != nil }

// runOf returns the one statement that runs a literal, nil if it is used otherwise.
func runOf(lit *ssa.Function) ssa.CallInstruction {
	made := ssautil.MakerOf(lit)
	if made == nil {
		return nil
	}
	var run ssa.CallInstruction
	for _, use := range *made.Referrers() {
		call, ok := use.(ssa.CallInstruction)
		if _, debug := use.(*ssa.DebugRef); debug {
			continue
		}
		if !ok || run != nil {
			return nil
		}
		run = call
	}
	return run
}

// startsAt reports whether a statement starts what it calls, or gets, in a goroutine.
func (a *analysis) startsAt(site ssa.CallInstruction) bool {
	if isGo(site) {
		return true
	}
	e := a.effects[site]
	return e != nil && e.model.Kind == model.Spawn
}

// gathers reports whether a walk comes to a channel whenever a goroutine was started that says on it that it has ended, and that for
// each channel one is started at most.
func (a *analysis) gathers(made *ssa.MakeChan, puts []ssautil.Put, starts []ssa.Instruction, w chanWalk) bool {
	flow := ssautil.NewFlow(a.fn, a.reach)
	begin, head := ssautil.PointOf(made), ssautil.Point{Block: int32(w.Head.Index)}
	for _, st := range starts {
		at := ssautil.PointOf(st)
		if slices.ContainsFunc(starts, func(o ssa.Instruction) bool { return flow.ReachesPast(made.Block(), at, ssautil.PointOf(o)) }) {
			return false
		}
		if !slices.ContainsFunc(puts, func(p ssautil.Put) bool {
			by := p.At.Block()
			comes := ssautil.Dominates(p.At, st) || by == st.Block() || !flow.ReachesPast(by, at, head) && !flow.ReachesPast(by, at, begin)
			return comes && flow.Retains(p, w.of, w.Walk)
		}) {
			return false
		}
	}
	return true
}
