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
// The function waits for a channel or a group that it made itself, or one around it. That one alone uses it, with its literals, each
// of which is started, called or deferred where it stands, and with functions of the package that get it. So no other goroutine can end the wait, and to wait for
// these is no more than to call them: what they run begins with the lock held, and what they wait for is waited for.
// What comes from a timer needs no goroutine.
func (t *Theory) waitedFor(f *infer.Func, s *summary.Stay) (starts []*infer.Func, ok bool) {
	if s.Kind != summary.Waits || !s.Pos.IsValid() {
		return nil, false
	}
	i := &insight{t: t, f: f, seen: make(map[ssa.Value]bool), ok: true}
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
	seen   map[ssa.Value]bool // the names by which what is waited for was followed
	asked  []*ssa.Parameter   // of which it was asked what callers pass
	ok     bool
}

// channel follows a channel that the function has made.
func (i *insight) channel(v ssa.Value) {
	if timed(v) {
		return
	}
	if ch := ssautil.ChanOf(v); ch != nil {
		i.made(ch, ch.Parent())
	} else {
		i.passed(v, i.channel)
	}
}

// group follows a group that is a variable of the function, or that one points to for good.
func (i *insight) group(v ssa.Value) {
	if cell := ssautil.GroupOf(v); cell != nil {
		i.made(cell, cell.Parent())
	} else {
		i.passed(v, i.group)
	}
}

// passed goes on with what all callers pass for a parameter, where all of these are known.
func (i *insight) passed(v ssa.Value, on func(ssa.Value)) {
	p, ok := v.(*ssa.Parameter)
	if !ok || slices.Contains(i.asked, p) {
		i.ok = i.ok && ok
		return
	}
	i.asked = append(i.asked, p)
	f := i.t.pkg.Lookup(accesspath.FuncKey(p.Parent()))
	if f == nil || f.Ctx.Open() || f.Ctx.Escaped {
		i.ok = false
		return
	}
	n := slices.Index(p.Parent().Params, p)
	for _, s := range i.t.pkg.CallersOf(f) {
		call, ok := s.Call.Point.Instr(s.Caller.SSA).(ssa.CallInstruction)
		if i.ok = i.ok && ok && call.Common().StaticCallee() == p.Parent(); i.ok {
			on(call.Common().Args[n])
		}
	}
}

// made follows what is waited for from the function that made it.
func (i *insight) made(v ssa.Value, maker *ssa.Function) {
	if maker != i.f.SSA {
		i.start(maker)
	}
	i.follow(v)
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

// follow asks of all that is done with a channel, or with the address of a group, whether it shows who else has it.
func (i *insight) follow(v ssa.Value) {
	if i.seen[v] || !i.ok {
		return
	}
	i.seen[v] = true
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeType:
			i.follow(r)
		case *ssa.Store:
			i.ok = i.ok && r.Val == v
			i.kept(r)
		case *ssa.MakeClosure:
			i.captured(r, v, i.follow)
		case *ssa.Send:
			i.ok = i.ok && r.X != v
		case *ssa.Select:
			i.ok = i.ok && !slices.ContainsFunc(r.States, func(st *ssa.SelectState) bool { return st.Send == v })
		case *ssa.UnOp:
			i.ok = i.ok && r.Op == token.ARROW
		case ssa.CallInstruction:
			i.call(r, v)
		default:
			i.ok = false
		}
	}
}

// kept follows a value to the variable of the function that has it for good.
func (i *insight) kept(st *ssa.Store) {
	cell, ok := st.Addr.(*ssa.Alloc)
	if !ok || ssautil.SoleStore(cell) != st.Val {
		i.ok = false
		return
	}
	i.reads(cell)
}

// reads follows what a variable gives, also in literals.
func (i *insight) reads(cell ssa.Value) {
	for _, r := range *cell.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp:
			i.follow(r)
		case *ssa.MakeClosure:
			i.captured(r, cell, i.reads)
		}
	}
}

// captured goes on in a literal that captures a variable.
func (i *insight) captured(made *ssa.MakeClosure, v ssa.Value, on func(ssa.Value)) {
	lit, _ := made.Fn.(*ssa.Function)
	if i.ok = i.ok && lit != nil && lit.Parent() == made.Parent() && runInPlace(made); !i.ok {
		return
	}
	i.start(lit)
	for n, b := range made.Bindings {
		if b == v {
			on(lit.FreeVars[n])
		}
	}
}

// call follows what a call does with it: a builtin function, a method of the group, or a function of the package that gets it.
// That one counts as run, for whomever it is called.
func (i *insight) call(call ssa.CallInstruction, v ssa.Value) {
	common := call.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin {
		return
	}
	fn, args := ssautil.Callee(common)
	if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync" && len(args) > 0 && args[0] == v {
		for _, arg := range args[1:] {
			if _, isFunc := arg.Type().Underlying().(*types.Signature); isFunc {
				i.run(arg)
			}
		}
		return
	}
	callee := common.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 || len(callee.Params) != len(common.Args) {
		i.ok = false
		return
	}
	i.start(callee)
	for n, arg := range common.Args {
		if arg == v {
			i.follow(callee.Params[n])
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
