package transfer

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Slots are what a counting semaphore of a function has: the room of a channel, or the size of a
// weighted semaphore. Goroutines hold one each until they end, so that who has taken all of them
// has waited for all goroutines that had one, and keeps out those that have yet to take theirs.
type slots struct {
	made ssa.Value
	size ssa.Value
	// takes and gives are all that is done with them.
	takes, gives []slot
}

// A slot is what is taken or given back by a statement.
type slot struct {
	at ssa.Instruction
	// weight is how much of a semaphore; 0 if that is not a constant.
	weight int
	// by is the block from which on it is taken: behind the test of an error, or in a case.
	by *ssa.BasicBlock
}

// slotsOf returns the slots that v leads to, if the function makes them and all that is done with
// them is known; nil if not.
func (a *analysis) slotsOf(v ssa.Value) *slots {
	made := a.Paths.Of(v).Root().Val
	if s, known := a.slots[made]; known {
		return s
	}
	if a.slots == nil {
		a.slots = make(map[ssa.Value]*slots)
	}
	a.slots[made] = nil
	s := &slots{made: made, size: sizeOf(made)}
	if s.size == nil || made.Parent() != a.fn || !a.slotUses(s, made, 0) || !a.givenByHolders(s) {
		return nil
	}
	a.slots[made] = s
	return s
}

// sizeOf returns the number of slots that a value has which has just been made.
func sizeOf(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.MakeChan:
		return v.Size
	case *ssa.Call:
		if fn, args := ssautil.Callee(&v.Call); model.MakesSemaphore(fn) {
			return args[0]
		}
	}
	return nil
}

// slotUses notes what is done with slots, or the variable that holds them; false if something else than
// to take them and to give them back may be done.
func (a *analysis) slotUses(s *slots, v ssa.Value, depth int) bool {
	if depth > maxGate || v.Referrers() == nil {
		return false
	}
	for _, use := range *v.Referrers() {
		if !a.slotUse(s, v, use, depth) {
			return false
		}
	}
	return true
}

func (a *analysis) slotUse(s *slots, v ssa.Value, use ssa.Instruction, depth int) bool {
	switch use := use.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Send:
		s.takes = append(s.takes, slot{at: use, weight: 1, by: use.Block()})
		return use.X != v
	case *ssa.Select:
		return a.useCase(s, v, use)
	case *ssa.Store:
		cell, local := use.Addr.(*ssa.Alloc)
		return use.Addr == v || local && ssautil.SoleStore(cell) == v && a.slotUses(s, cell, depth+1)
	case *ssa.UnOp:
		if use.Op == token.ARROW {
			s.gives = append(s.gives, slot{at: use, weight: 1})
			return true
		}
		return a.slotUses(s, use, depth+1)
	case *ssa.MakeClosure:
		for i, bound := range use.Bindings {
			if bound == v && !a.slotUses(s, use.Fn.(*ssa.Function).FreeVars[i], depth+1) {
				return false
			}
		}
		return true
	case ssa.CallInstruction:
		return a.useCall(s, v, use)
	}
	return false
}

// useCase notes the case of a select that takes a slot.
func (a *analysis) useCase(s *slots, v ssa.Value, sel *ssa.Select) bool {
	for i, st := range sel.States {
		switch {
		case st.Send == v || st.Chan == v && st.Dir == types.RecvOnly:
			return false
		case st.Chan == v:
			if _, to := chosen(sel, i); to != nil && len(to.Preds) == 1 {
				s.takes = append(s.takes, slot{at: sel, weight: 1, by: to})
			}
		}
	}
	return true
}

// useCall notes the call that takes of a weighted semaphore, or gives back.
func (a *analysis) useCall(s *slots, v ssa.Value, call ssa.CallInstruction) bool {
	if b, ok := call.Common().Value.(*ssa.Builtin); ok {
		return b.Name() == "cap" || b.Name() == "len"
	}
	fn, args := ssautil.Callee(call.Common())
	does := a.Model.Lookup(fn)
	if len(args) == 0 || args[0] != v || does.Arg >= len(args) || slices.Contains(args[1:], v) {
		return false
	}
	weight, _ := ssautil.IntOf(args[does.Arg])
	switch does.Kind {
	case model.Release:
		s.gives = append(s.gives, slot{at: call, weight: weight})
		return true
	case model.Acquire, model.TryAcquire:
		taken := slot{at: call, weight: weight}
		if c, ok := call.(*ssa.Call); ok {
			taken.by = takenFrom(c, does.Kind, args)
		}
		s.takes = append(s.takes, taken)
		return true
	}
	return false
}

// takenFrom returns the block from which on a call has taken what it asks a semaphore for: its own
// where nothing can keep it from that, else the one behind the test of what it returns, nil if
// there is no such test.
func takenFrom(call *ssa.Call, kind model.Kind, args []ssa.Value) *ssa.BasicBlock {
	if kind == model.Acquire && neverDone(variable(args[1])) {
		return call.Block()
	}
	for _, r := range *call.Referrers() {
		var br *ssa.If
		taken := 0
		switch r := r.(type) {
		case *ssa.If:
			br = r
		case *ssa.BinOp:
			br = branchOn(r)
			if !ssautil.IsNil(r.Y) || br == nil {
				continue
			}
			if r.Op == token.NEQ {
				taken = 1
			}
		}
		if br != nil && len(br.Block().Succs[taken].Preds) == 1 {
			return br.Block().Succs[taken]
		}
	}
	return nil
}

func branchOn(cond ssa.Value) *ssa.If {
	for _, r := range *cond.Referrers() {
		if br, ok := r.(*ssa.If); ok {
			return br
		}
	}
	return nil
}

// givenByHolders reports whether each slot that is given back is one that a goroutine holds, by
// the last thing that it does, and only one: what else is given back may be another one's.
func (a *analysis) givenByHolders(s *slots) bool {
	given, taken := 0, make(map[ssa.Instruction]bool)
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			start, ok := instr.(*ssa.Go)
			if !ok {
				continue
			}
			if give, take := a.holds(s, start); give != nil {
				if taken[take] {
					return false // two goroutines have one
				}
				taken[take] = true
				given++
			}
		}
	}
	return given == len(s.gives)
}

// holds returns how a goroutine gives back the slot that it holds from its start on, or takes before
// it does anything, and what took that; nil if it holds none.
func (a *analysis) holds(s *slots, start *ssa.Go) (give, take ssa.Instruction) {
	lit := ssautil.Literal(start.Call.Value)
	if lit == nil || !usedOnce(start.Call.Value) {
		return nil, nil
	}
	if made, ok := s.made.(ssa.Instruction); !ok || a.reach.Blocks(start.Block(), made.Block()) {
		return nil, nil // goroutines of an earlier round have others
	}
	last := lastActs(lit, func(instr ssa.Instruction) bool {
		return slices.ContainsFunc(s.gives, func(g slot) bool { return g.at == instr })
	})
	if len(last) != 1 {
		return nil, nil
	}
	give = last[0]
	i := slices.IndexFunc(s.gives, func(g slot) bool { return g.at == give })
	for _, t := range s.takes {
		switch {
		case t.by == nil || t.weight == 0 || t.weight != s.gives[i].weight:
		case t.by.Parent() == a.fn && a.takenFor(t, start) && (take == nil || ssautil.Dominates(take, t.at)):
			take = t.at
		case t.by.Parent() == lit && takenFirst(lit, t):
			return give, t.at
		}
	}
	if take == nil {
		return nil, nil
	}
	return give, take
}

// takenFor reports whether a slot is taken before each start of a goroutine, anew for each.
func (a *analysis) takenFor(t slot, start *ssa.Go) bool {
	if t.at.Block() == start.Block() {
		return ssautil.Before(t.at, start)
	}
	return t.by.Dominates(start.Block()) && !ssautil.Again(start.Block(), map[*ssa.BasicBlock]bool{t.at.Block(): true})
}

// takenFirst reports whether a goroutine takes a slot before it does anything else.
func takenFirst(lit *ssa.Function, t slot) bool {
	if ssautil.NewReach(lit).InLoop(t.at) {
		return false
	}
	return !ssautil.Some(lit, func(instr ssa.Instruction) bool {
		_, deferred := instr.(*ssa.Defer)
		behind := t.by.Dominates(instr.Block()) && (t.by != instr.Block() || t.by != t.at.Block() || ssautil.Before(t.at, instr))
		return instr != t.at && !behind && (acts(instr) || deferred && !signals(&instr.(*ssa.Defer).Call))
	})
}

// slotSignal returns by what others see that a goroutine which holds a slot has ended: that they
// have all. It is unknown of one that holds none.
func (a *analysis) slotSignal(start *ssa.Go) accesspath.Path {
	for _, captured := range ssautil.HandedOver(&start.Call) {
		made := a.Paths.Of(captured).Root().Val
		if made == nil || sizeOf(made) == nil {
			continue
		}
		if s := a.slotsOf(captured); s != nil {
			if give, _ := a.holds(s, start); give != nil {
				return a.on(a.Paths.Of(made), filled)
			}
		}
	}
	return accesspath.Path{}
}

// joinFilled notes that what takes all slots of a semaphore waits for the goroutines that hold some.
func (a *analysis) joinFilled(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Send:
		if s := a.slotsOf(instr.Chan); s != nil && a.fills(s, instr) {
			a.joinsIn[instr.Block()] = append(a.joinsIn[instr.Block()], join{instr: instr, on: []accesspath.Path{a.on(a.Paths.Of(s.made), filled)}})
		}
	case *ssa.Call:
		fn, args := ssautil.Callee(&instr.Call)
		does := a.Model.Lookup(fn)
		if does.Kind != model.Acquire || does.Arg >= len(args) {
			return
		}
		s := a.slotsOf(args[0])
		if s == nil || !sameSize(args[does.Arg], s) {
			return
		}
		on := []accesspath.Path{a.on(a.Paths.Of(s.made), filled)}
		switch by := takenFrom(instr, does.Kind, args); by {
		case nil:
		case instr.Block():
			a.joinsIn[by] = append(a.joinsIn[by], join{instr: instr, on: on})
		default:
			a.joinsIn[by] = append(a.joinsIn[by], join{instr: by.Instrs[0], on: on, before: true})
		}
	}
}

// fills reports whether a loop that does nothing else takes one slot in each of as many rounds as
// there are slots.
func (a *analysis) fills(s *slots, send *ssa.Send) bool {
	for h := send.Block(); h != nil; h = h.Idom() {
		if !headOf(h) || !a.reach.Blocks(send.Block(), h) {
			continue
		}
		bound := a.countsUpTo(h)
		if bound == nil || !sameSize(bound, s) {
			return false
		}
		return !slices.ContainsFunc(a.fn.Blocks, func(b *ssa.BasicBlock) bool {
			if !h.Dominates(b) || !a.reach.Blocks(b, h) {
				return false
			}
			back := slices.Contains(b.Succs, h) && !send.Block().Dominates(b) // a round without it
			return back || slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
				v, _ := instr.(ssa.Value)
				_, room := ssautil.BuiltinCall(v, "cap")
				return instr != ssa.Instruction(send) && acts(instr) && !room
			})
		})
	}
	return false
}

// sameSize reports whether a number is that of the slots.
func sameSize(n ssa.Value, s *slots) bool {
	n, size := plain(n), plain(s.size)
	if args, ok := ssautil.BuiltinCall(n, "cap"); ok {
		made, isChan := s.made.(*ssa.MakeChan)
		return isChan && ssautil.ChanOf(args[0]) == made
	}
	x, ok := n.(*ssa.Const)
	y, too := size.(*ssa.Const)
	if ok && too {
		return x.Value != nil && y.Value != nil && constant.Compare(x.Value, token.EQL, y.Value)
	}
	return n == size
}

// plain returns the number that v is in another type, or that a variable holds which never has another.
func plain(v ssa.Value) ssa.Value {
	for range 4 {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			v = variable(v)
		}
	}
	return v
}
