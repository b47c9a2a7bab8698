package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// flagVar returns the field or variable of the package that an address is of, nil if it is of another.
func flagVar(addr ssa.Value) *types.Var {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		return ssautil.FieldOf(addr).Origin()
	case *ssa.Global:
		v, _ := addr.Object().(*types.Var)
		return v
	}
	return nil
}

// flagRead returns the address of the flag for which the branch at the end of a block asks, what reads it, and the
// constant that it is equal to where the first side is taken, or "!" and that constant where the second one is; nil if the
// branch asks for something else.
func flagRead(b *ssa.BasicBlock) (addr ssa.Value, read ssa.Instruction, is string) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, nil, ""
	}
	cond, not := ssautil.Unnegated(br.Cond)
	is = "true"
	if cmp, ok := cond.(*ssa.BinOp); ok {
		k, ok := cmp.Y.(*ssa.Const)
		if !ok || k.Value == nil || cmp.Op != token.EQL && cmp.Op != token.NEQ {
			return nil, nil, ""
		}
		cond, not, is = cmp.X, not != (cmp.Op == token.NEQ), k.Value.ExactString()
	}
	switch v := cond.(type) {
	case *ssa.UnOp:
		if v.Op == token.MUL {
			addr, read = v.X, v
		}
	case *ssa.Call:
		if fn, args := ssautil.Callee(&v.Call); model.ReadsFlag(fn) {
			addr, read = args[0], v
		}
	}
	if not {
		is = "!" + is
	}
	return addr, read, is
}

// tells returns what one side of the branch at the end of a block says of an object's flag: that it is set, or not; and
// what reads it. A plain read says so under the lock alone.
func (s *seal) tells(b *ssa.BasicBlock, side int, object accesspath.Path) (read ssa.Instruction, set, ok bool) {
	if s.full != nil {
		return s.filled(b, side, object)
	}
	addr, read, is := flagRead(b)
	if addr == nil {
		if read, is = s.told(b, object); read == nil {
			return nil, false, false
		}
	} else if of, known := ownerOf(s.p.Paths.Of(addr)); flagVar(addr) != s.flag || !known || of != object {
		return nil, false, false
	}
	not := is[0] == '!'
	if not {
		is = is[1:]
	}
	equal := not == (side == 1)
	switch is {
	case s.set:
		return read, equal, true
	case "0", "false":
		return read, !equal, true
	}
	return nil, false, false
}

// told returns the call of a function for which the branch at the end of a block asks, if that only returns an object's
// flag, which it reads atomically, and what is so where the first side is taken; nil if it asks for something else.
func (s *seal) told(b *ssa.BasicBlock, object accesspath.Path) (read ssa.Instruction, is string) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, ""
	}
	cond, not := ssautil.Unnegated(br.Cond)
	call, ok := cond.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil || len(call.Call.StaticCallee().Blocks) != 1 {
		return nil, ""
	}
	fn := call.Call.StaticCallee()
	body := fn.Blocks[0].Instrs
	ret, ok := body[len(body)-1].(*ssa.Return)
	if !ok || len(ret.Results) != 1 {
		return nil, ""
	}
	load, ok := ret.Results[0].(*ssa.Call)
	if !ok {
		return nil, ""
	}
	lib, args := ssautil.Callee(&load.Call)
	if !model.ReadsFlag(lib) || flagVar(args[0]) != s.flag {
		return nil, ""
	}
	of, ok := ownerOf(s.p.Paths.Of(args[0]))
	if i := slices.IndexFunc(fn.Params, func(v *ssa.Parameter) bool { return s.p.Paths.Of(v) == of }); ok && i >= 0 {
		of = s.p.Paths.Of(call.Call.Args[i])
	}
	if !ok || of != object {
		return nil, ""
	}
	if not {
		return call, "!true"
	}
	return call, "true"
}

// A sealState is what is known of an object's flag and lock where a function has come.
type sealState uint8

const (
	// flagSet: the flag is set.
	flagSet sealState = 1 << iota
	// still: the flag is set, or the function holds the lock: nothing changes the map, whichever it is.
	still
)

// sealStates is the semilattice of what is known: less of it where ways meet.
type sealStates struct{}

// Ident returns what is known where no way leads.
func (sealStates) Ident() sealState { return flagSet | still }

// Equals reports whether two say the same.
func (sealStates) Equals(a, b sealState) bool { return a == b }

// Merge returns what is known on both of two ways.
func (sealStates) Merge(a, b sealState) sealState { return a & b }

// standsAt returns what is known of an object wherever a function comes to an instruction, if that is known where it begins.
func (s *seal) standsAt(f *Func, object accesspath.Path, at ssa.Instruction, entry sealState) sealState {
	now := s.solve(f, object, entry, false)[at.Block().Index]
	for _, instr := range at.Block().Instrs {
		if instr == at {
			break
		}
		now = s.after(f, now, instr, object, false)
	}
	return now
}

// solve tells of each block of a function what is known of an object where it begins: a forward analysis, in which the
// flag stays set, since nothing sets it back. If it is asked for the function's end, what the function defers counts as done.
func (s *seal) solve(f *Func, object accesspath.Path, entry sealState, atEnd bool) []sealState {
	block := func(b *ssa.BasicBlock, now sealState) sealState {
		for _, instr := range b.Instrs {
			now = s.after(f, now, instr, object, atEnd)
		}
		return now
	}
	in := ssautil.Forward[sealStates](f.SSA.Blocks, entry, block, func(from *ssa.BasicBlock, n int, out, _ sealState) sealState {
		if s.edge(f, from, n, object) {
			return flagSet | still
		}
		return out
	})
	if b := f.SSA.Recover; b != nil {
		in[b.Index] = 0
	}
	return in
}

// edge reports whether control goes from a block to its n-th successor only if an object's flag was found set.
func (s *seal) edge(f *Func, from *ssa.BasicBlock, n int, object accesspath.Path) bool {
	if len(from.Succs) != 2 || from.Succs[0] == from.Succs[1] {
		return false
	}
	read, set, ok := s.tells(from, n, object)
	if !ok || !set {
		return false
	}
	_, atomic := read.(*ssa.Call)
	return atomic && !s.plain || s.heldAt(f, object, read, true)
}

// after returns what is known of an object behind an instruction.
func (s *seal) after(f *Func, now sealState, instr ssa.Instruction, object accesspath.Path, atEnd bool) sealState {
	if of, ok := s.sets(instr); ok && of == object {
		if _, deferred := instr.(*ssa.Defer); atEnd || !deferred {
			return flagSet | still
		}
	}
	call, ok := instr.(*ssa.Call)
	if !ok {
		return now
	}
	return s.locked(f, now, call, object) | s.afterCall(f, call, object)
}

// locked returns what is known of an object once a call has taken or let go the locks that it does.
func (s *seal) locked(f *Func, now sealState, call *ssa.Call, object accesspath.Path) sealState {
	if s.lock == nil {
		return now
	}
	for i := range f.Locking {
		step := &f.Locking[i]
		switch {
		case step.Point.Instr(f.SSA) != ssa.Instruction(call):
		case !step.Acquire && step.Lock.Location().Var == s.lock && now&flagSet == 0:
			now &^= still
		case step.Acquire && s.is(step.Lock, object) && takes(f, step, true):
			now |= still
		}
	}
	return now
}

// afterCall returns what a function of the package tells by its end of an object that a call gives it.
func (s *seal) afterCall(f *Func, call *ssa.Call, object accesspath.Path) sealState {
	if call.Call.StaticCallee() == nil {
		return 0
	}
	callee := s.p.byKey[accesspath.FuncKey(call.Call.StaticCallee())]
	if callee == nil || callee == f {
		return 0
	}
	if !object.Known() {
		return s.ensures(sealed{callee, object})
	}
	for i, arg := range call.Call.Args {
		if i < len(callee.SSA.Params) && s.p.Paths.Of(arg) == object {
			if now := s.ensures(sealed{callee, s.p.Paths.Of(callee.SSA.Params[i])}); now != 0 {
				return now
			}
		}
	}
	return 0
}

// ensures returns what is known of an object whenever a function returns. Of one that comes to call itself nothing is known.
func (s *seal) ensures(what sealed) sealState {
	if out, ok := s.known[what]; ok {
		return out
	}
	s.known[what] = 0
	returns, all := 0, flagSet|still
	in := s.solve(what.f, what.object, 0, true)
	for i, b := range what.f.SSA.Blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); !ok || b == what.f.SSA.Recover && !ssautil.MayRecover(what.f.SSA) {
			continue
		}
		returns++
		now := in[i]
		for _, instr := range b.Instrs {
			now = s.after(what.f, now, instr, what.object, true)
		}
		all &= now
	}
	if returns == 0 {
		return 0
	}
	if all&flagSet == 0 && slices.ContainsFunc(what.f.Locking, func(l summary.LockStep) bool { return l.Deferred && !l.Acquire && l.Lock.Location().Var == s.lock }) {
		all = 0
	}
	s.known[what] = all
	return all
}

// entered returns what is known of an object wherever a function is called, if the package shows all that call it. What
// begins behind a point, as a goroutine or a literal does, comes after the flag that is set by then. Of a function that is
// called by what it calls nothing is known.
func (s *seal) entered(f *Func, object accesspath.Path) sealState {
	what := sealed{f, object}
	if out, ok := s.entering[what]; ok {
		return out
	}
	s.entering[what] = 0
	out := flagSet | still
	if !s.madeBehind(f, object) {
		out = s.atCalls(f, object)
	}
	s.entering[what] = out
	return out
}

// atCalls returns what is known of an object at all calls of a function.
func (s *seal) atCalls(f *Func, object accesspath.Path) sealState {
	sites := s.p.sites()[f]
	if len(sites) == 0 || f.Ctx.Open() || f.Ctx.Escaped {
		return 0
	}
	all := flagSet | still
	for _, c := range sites {
		given, at := givenTo(f, c, object), c.call.Point.Instr(c.caller.SSA)
		begins := c.call.Kind == summary.Goroutine
		if at == nil || !begins && !c.call.Kind.InPlace() || object.Known() != given.Known() {
			return 0
		}
		now := s.behind(c.caller, given, at, all)
		if begins && now&flagSet == 0 {
			return 0 // the locks are not those of what begins there
		}
		if all &= now; all == 0 {
			return 0
		}
	}
	return all
}

// behind returns what is known of an object wherever a function comes to an instruction: by itself or, where that does not tell all
// that is asked for, by those that call it.
func (s *seal) behind(f *Func, object accesspath.Path, at ssa.Instruction, want sealState) sealState {
	now := s.standsAt(f, object, at, 0)
	if now&want != want {
		now = s.standsAt(f, object, at, s.entered(f, object))
	}
	return now
}

// madeBehind reports whether a function is a literal that is made only where the flag of an object of the function around it is set:
// whatever becomes of it, it runs later.
func (s *seal) madeBehind(f *Func, object accesspath.Path) bool {
	made := ssautil.MakerOf(f.SSA)
	if made == nil || object.Known() && object.Root().Fn == f.Key {
		return false
	}
	around := s.p.byKey[accesspath.FuncKey(made.Parent())]
	return around != nil && s.behind(around, object, made, flagSet)&flagSet != 0
}
