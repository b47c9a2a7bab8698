package conduct

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// waitedFor returns the functions that run in the goroutines for which a place waits, where all of these are in sight;
// not ok if others may be waited for.
//
// The function waits for a channel or a group that it made itself, or one around it. That one and its literals alone use
// it, each of which is started, called or deferred where it stands. So no other goroutine can end the wait, and to wait for
// these is no more than to call them: what they run begins with the lock held, and what they wait for is waited for.
// What comes from a timer needs no goroutine.
func (t *Theory) waitedFor(f *infer.Func, s *summary.Stay) (starts []*infer.Func, ok bool) {
	if s.Kind != summary.Waits || !s.Pos.IsValid() {
		return nil, false
	}
	i := &insight{t: t, f: f, ok: true}
	switch instr := waitAt(f.SSA, s.Pos).(type) {
	case *ssa.UnOp:
		i.channel(instr.X)
	case *ssa.Send:
		i.channel(instr.Chan)
	case *ssa.Select:
		for _, st := range instr.States {
			i.channel(st.Chan)
		}
	case *ssa.Call:
		fn, args := ssautil.Callee(&instr.Call)
		if fn == nil || fn.FullName() != "(*sync.WaitGroup).Wait" || len(args) != 1 {
			return nil, false
		}
		i.group(args[0])
	default:
		return nil, false
	}
	return i.starts, i.ok
}

// waitAt returns the instruction at a place that may wait for another goroutine.
func waitAt(fn *ssa.Function, at token.Pos) (out ssa.Instruction) {
	ssautil.Some(fn, func(instr ssa.Instruction) bool {
		switch i := instr.(type) {
		case *ssa.UnOp:
			if i.Op != token.ARROW {
				return false
			}
		case *ssa.Send, *ssa.Select, *ssa.Call:
		default:
			return false
		}
		if instr.Pos() == at {
			out = instr
		}
		return out != nil
	})
	return out
}

// An insight gathers which functions can end a wait.
type insight struct {
	t      *Theory
	f      *infer.Func
	starts []*infer.Func
	ok     bool
}

// channel follows a channel that the function has made.
func (i *insight) channel(v ssa.Value) {
	if timed(v) {
		return
	}
	ch := ssautil.ChanOf(v)
	if ch == nil {
		i.ok = false
		return
	}
	maker := ch.Parent()
	if maker != i.f.SSA {
		i.start(maker)
	}
	for _, use := range ssautil.ChanUses(maker, ch) {
		i.ok = i.ok && operates(use, ch)
		i.user(use.Parent(), maker)
	}
}

// timed reports whether a channel is that of a timer or ticker.
func timed(v ssa.Value) bool {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		f, ok := load.X.(*ssa.FieldAddr)
		return ok && slices.Contains([]string{"time.Timer", "time.Ticker"}, types.TypeString(ssautil.Pointee(f.X.Type()), nil))
	}
	made, _, _ := ssautil.GivenBy(v, "time.After", "time.Tick")
	return made != nil
}

// operates reports whether an instruction does nothing with a channel but to send, to receive, to close or to measure it, or
// captures it for a literal, of which the instructions are asked by themselves.
func operates(use ssa.Instruction, ch *ssa.MakeChan) bool {
	switch use := use.(type) {
	case *ssa.Send:
		return ssautil.ChanOf(use.X) != ch
	case *ssa.Select:
		return !slices.ContainsFunc(use.States, func(st *ssa.SelectState) bool { return st.Send != nil && ssautil.ChanOf(st.Send) == ch })
	case *ssa.UnOp, *ssa.MakeClosure:
		return true
	case *ssa.Call:
		_, builtin := use.Call.Value.(*ssa.Builtin)
		return builtin
	case *ssa.Defer:
		_, builtin := use.Call.Value.(*ssa.Builtin)
		return builtin
	}
	return false
}

// group follows a group that is a variable of the function.
func (i *insight) group(v ssa.Value) {
	cell, ok := v.(*ssa.Alloc)
	if !ok {
		i.ok = false
		return
	}
	i.members(cell)
}

// members follows what is done with a group, or with what a literal has captured of it.
func (i *insight) members(v ssa.Value) {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.MakeClosure:
			lit, _ := r.Fn.(*ssa.Function)
			for n, b := range r.Bindings {
				if b == v && lit != nil {
					i.members(lit.FreeVars[n])
				}
			}
			i.user(lit, i.f.SSA)
		case ssa.CallInstruction:
			i.member(r, v)
		default:
			i.ok = false
		}
	}
}

// member follows a call of one of the group's methods.
func (i *insight) member(call ssa.CallInstruction, group ssa.Value) {
	fn, args := ssautil.Callee(call.Common())
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" || len(args) == 0 || args[0] != group {
		i.ok = false
		return
	}
	for _, arg := range args[1:] {
		if _, isFunc := arg.Type().Underlying().(*types.Signature); isFunc {
			i.run(arg)
		}
	}
}

// run notes that a goroutine of the group runs a function.
func (i *insight) run(v ssa.Value) {
	var fn *ssa.Function
	switch v := v.(type) {
	case *ssa.Function:
		fn = v
	case *ssa.MakeClosure:
		fn, _ = v.Fn.(*ssa.Function)
	}
	i.start(fn)
}

func (i *insight) start(fn *ssa.Function) {
	if fn == nil {
		i.ok = false
		return
	}
	g := i.t.pkg.Lookup(accesspath.FuncKey(fn))
	if g == nil {
		i.ok = false
	} else if !slices.Contains(i.starts, g) {
		i.starts = append(i.starts, g)
	}
}

// user notes that the code of a function uses what is waited for: the function that made it, or a literal in that, which is run
// as are those around it.
func (i *insight) user(fn, maker *ssa.Function) {
	for ; fn != nil && fn != maker; fn = fn.Parent() {
		made := ssautil.MakerOf(fn)
		if made == nil || !runInPlace(made) {
			i.ok = false
			return
		}
		i.start(fn)
	}
	i.ok = i.ok && fn != nil
}

// runInPlace reports whether nothing is done with a literal but to call it, to start it or to defer it, or to give it to a
// group.
func runInPlace(made *ssa.MakeClosure) bool {
	for _, r := range *made.Referrers() {
		call, ok := r.(ssa.CallInstruction)
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		if !ok {
			return false
		}
		common := call.Common()
		if common.Value == ssa.Value(made) {
			if slices.Contains(common.Args, ssa.Value(made)) {
				return false
			}
			continue
		}
		fn, args := ssautil.Callee(common)
		if fn == nil || fn.FullName() != "(*sync.WaitGroup).Go" || len(args) != 2 || args[1] != ssa.Value(made) {
			return false
		}
	}
	return true
}
