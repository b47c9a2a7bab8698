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
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A gate is a channel of a function, into which it puts an element each time before it
// starts a goroutine, and out of which nothing takes one but that goroutine, by the last
// thing that it does. As many of these goroutines run at a time as the channel has room
// for: what waits for the room of another one waits for that one's end.

// gate returns the size of the gate that a goroutine comes through; nil if there is none.
func (a *analysis) gate(instr ssa.Instruction) ssa.Value {
	start, ok := instr.(*ssa.Go)
	if !ok || ssautil.Literal(start.Call.Value) == nil {
		return nil
	}
	lit := ssautil.Literal(start.Call.Value)
	if !usedOnce(start.Call.Value) {
		return nil
	}
	for _, end := range lastActs(lit, receives) {
		recv := end.(*ssa.UnOp)
		made, ok := a.Paths.Of(recv.X).Root().Val.(*ssa.MakeChan)
		if !ok || made.Parent() != a.fn || a.reach.Blocks(start.Block(), made.Block()) {
			continue
		}
		g := gate{recv: recv}
		if g.all(made, 0) && g.waits(start) {
			return made.Size
		}
	}
	return nil
}

// usedOnce reports whether a literal has no other use than one.
func usedOnce(lit ssa.Value) bool {
	n := 0
	if lit.Referrers() != nil {
		for _, use := range *lit.Referrers() {
			if _, debug := use.(*ssa.DebugRef); !debug {
				n++
			}
		}
	}
	return n == 1
}

// lastActs returns the instructions of a kind after which a literal, with what it defers, does no more
// than signal.
func lastActs(lit *ssa.Function, is func(ssa.Instruction) bool) []ssa.Instruction {
	var deferred []*ssa.Defer
	for _, b := range lit.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok && !signals(&d.Call) {
				deferred = append(deferred, d)
			}
		}
	}
	if len(deferred) == 0 {
		return endsBy(lit, is)
	}
	var out []ssa.Instruction
	reach := ssautil.NewReach(lit)
	for _, d := range deferred {
		earlier := func(o *ssa.Defer) bool { return o != d && reach.MayPrecede(o, d) } // it runs later
		if reach.InLoop(d) || slices.ContainsFunc(deferred, earlier) {
			continue
		}
		if fn := ssautil.Literal(d.Call.Value); is(d) {
			out = append(out, d)
		} else if fn != nil && usedOnce(d.Call.Value) {
			out = append(out, endsBy(fn, is)...)
		}
	}
	return out
}

// endsBy returns the instructions of a kind after which a function does no more than signal.
func endsBy(fn *ssa.Function, is func(ssa.Instruction) bool) []ssa.Instruction {
	var out []ssa.Instruction
	for _, b := range fn.Blocks {
		var end ssa.Instruction
		for _, instr := range b.Instrs {
			if is(instr) {
				end = instr
				continue
			}
			switch instr := instr.(type) {
			case *ssa.UnOp, *ssa.Return, *ssa.RunDefers, *ssa.DebugRef, *ssa.FieldAddr:
				continue // reads what a signal is given on
			case *ssa.Call:
				if signals(&instr.Call) {
					continue
				}
			}
			end = nil
		}
		if end != nil && len(b.Succs) == 0 {
			out = append(out, end)
		}
	}
	return out
}

func receives(instr ssa.Instruction) bool {
	recv, ok := instr.(*ssa.UnOp)
	return ok && recv.Op == token.ARROW
}

func signals(call *ssa.CallCommon) bool {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return b.Name() == "close"
	}
	fn, _ := ssautil.Callee(call)
	return fn != nil && model.Lookup(fn).Kind == model.Signal
}

// A gate collects what is done with a channel.
type gate struct {
	recv *ssa.UnOp
	puts []*ssa.Send
}

// maxGate bounds the literals, one in the other, that pass a gate on.
const maxGate = 4

// all notes what is done with a channel, or the variable that holds it; false if that is
// more than to put something in and to take it out by the one receive.
func (g *gate) all(v ssa.Value, depth int) bool {
	if depth > maxGate || v.Referrers() == nil {
		return false
	}
	for _, use := range *v.Referrers() {
		fine := false
		switch use := use.(type) {
		case *ssa.Send:
			fine = use.X != v
			g.puts = append(g.puts, use)
		case *ssa.DebugRef:
			fine = true
		case *ssa.Store:
			cell, local := use.Addr.(*ssa.Alloc)
			fine = use.Addr == v || local && ssautil.SoleStore(cell) == v && g.all(cell, depth+1)
		case *ssa.UnOp:
			fine = use == g.recv || !ssautil.IsChan(v.Type()) && g.all(use, depth+1)
		case *ssa.MakeClosure:
			fine = true
			for i, bound := range use.Bindings {
				fine = fine && (bound != v || g.all(use.Fn.(*ssa.Function).FreeVars[i], depth+1))
			}
		case *ssa.Call:
			_, fine = use.Call.Value.(*ssa.Builtin)
		}
		if !fine {
			return false
		}
	}
	return true
}

// waits reports whether each start of the goroutine has an element put in for it.
func (g *gate) waits(start *ssa.Go) bool {
	for _, s := range g.puts {
		if s.Parent() != start.Parent() || !ssautil.Dominates(s, start) {
			continue
		}
		if s.Block() == start.Block() || !ssautil.Again(start.Block(), map[*ssa.BasicBlock]bool{s.Block(): true}) {
			return true
		}
	}
	return false
}

// room returns the parameter on which it depends how much room there is: for one, where the
// caller gives it the number 1, or leaves it out that is a list of options. It is unknown
// where there is none.
func (a *analysis) room(size ssa.Value) accesspath.Path {
	size = ssautil.Unwrap(size)
	if p, ok := size.(*ssa.Parameter); ok {
		return a.Paths.Of(p)
	}
	phi, ok := size.(*ssa.Phi)
	if !ok {
		return accesspath.Path{}
	}
	for _, p := range a.fn.Params {
		if _, list := p.Type().Underlying().(*types.Slice); list && a.oneWithout(phi, p) {
			return a.Paths.Of(p)
		}
	}
	return accesspath.Path{}
}

// oneWithout reports whether a number is 1 where a list has no elements.
func (a *analysis) oneWithout(phi *ssa.Phi, list *ssa.Parameter) bool {
	seen := make(map[edge]bool)
	for work := []*ssa.BasicBlock{a.fn.Blocks[0]}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		succs := b.Succs
		if br, ok := last(b).(*ssa.If); ok {
			if holds, known := ofNone(br.Cond, list); known && holds {
				succs = succs[:1]
			} else if known {
				succs = succs[1:]
			}
		}
		for _, s := range succs {
			if e := (edge{b, s}); !seen[e] {
				seen[e] = true
				work = append(work, s)
			}
		}
	}
	for i, pred := range phi.Block().Preds {
		if seen[edge{pred, phi.Block()}] && !ssautil.IsInt(phi.Edges[i], 1) {
			return false
		}
	}
	return true
}

// ofNone returns what a condition on a list's length says of one without elements; known
// if it is such a condition.
func ofNone(cond ssa.Value, list *ssa.Parameter) (holds, known bool) {
	cmp, ok := cond.(*ssa.BinOp)
	if !ok {
		return false, false
	}
	k, ok := cmp.Y.(*ssa.Const)
	if of, _ := ssautil.LenOf(cmp.X); !ok || k.Value == nil || of != ssa.Value(list) {
		return false, false
	}
	return constant.Compare(constant.MakeInt64(0), cmp.Op, k.Value), true
}

// lone returns a run as a call with these arguments makes it: one goroutine at a time where
// they leave room for no other. What passes on a parameter of its own leaves it to its callers.
func (a *analysis) lone(r summary.Run, args []ssa.Value) summary.Run {
	root := r.Room.Root()
	r.Room = accesspath.Path{}
	if !r.Many || root.Kind != accesspath.Param || root.Index >= len(args) {
		return r
	}
	switch arg := args[root.Index].(type) {
	case *ssa.Const:
		r.Many = !arg.IsNil() && !ssautil.IsInt(arg, 1)
		r.Lone = !r.Many
	case *ssa.Parameter:
		r.Room = a.Paths.Of(arg)
	}
	return r
}
