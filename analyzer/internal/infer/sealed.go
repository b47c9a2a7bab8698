package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
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

// isSet reports whether an object's flag is set wherever a function comes to an instruction.
func (s *seal) isSet(f *Func, object accesspath.Path, at ssa.Instruction) bool {
	known := s.solve(f, object, false)[at.Block().Index]
	for _, instr := range at.Block().Instrs {
		if instr == at {
			break
		}
		known = known || s.gives(f, instr, object, false)
	}
	return known
}

// solve tells of each block of a function whether an object's flag is set where it begins: a forward analysis, in which
// nothing that is known is lost, since nothing sets the flag back. If it is asked for the function's end, what the function
// defers counts as done.
func (s *seal) solve(f *Func, object accesspath.Path, atEnd bool) []bool {
	blocks := f.SSA.Blocks
	in, gives := make([]bool, len(blocks)), make([]bool, len(blocks))
	for i, b := range blocks {
		in[i] = len(b.Preds) > 0
		for _, instr := range b.Instrs {
			gives[i] = gives[i] || s.gives(f, instr, object, atEnd)
		}
	}
	for changed := true; changed; {
		changed = false
		for i, b := range blocks {
			for _, from := range b.Preds {
				if in[i] && !in[from.Index] && !gives[from.Index] && !s.edge(f, from, b, object) {
					in[i], changed = false, true
				}
			}
		}
	}
	return in
}

// edge reports whether control goes from one block to another only if an object's flag was found set.
func (s *seal) edge(f *Func, from, to *ssa.BasicBlock, object accesspath.Path) bool {
	if len(from.Succs) != 2 || from.Succs[0] == from.Succs[1] {
		return false
	}
	side := 0
	if from.Succs[1] == to {
		side = 1
	}
	read, set, ok := s.tells(from, side, object)
	if !ok || !set {
		return false
	}
	_, atomic := read.(*ssa.Call)
	return atomic && !s.plain || s.heldAt(f, object, read, true)
}

// gives reports whether an object's flag is set behind an instruction, whatever it was before.
func (s *seal) gives(f *Func, instr ssa.Instruction, object accesspath.Path, atEnd bool) bool {
	if of, ok := s.sets(instr); ok && of == object {
		_, deferred := instr.(*ssa.Defer)
		return atEnd || !deferred
	}
	call, ok := instr.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	callee := s.p.byKey[accesspath.FuncKey(call.Call.StaticCallee())]
	if callee == nil || callee == f {
		return false
	}
	if !object.Known() {
		return s.ensures(sealed{callee, object})
	}
	for i, arg := range call.Call.Args {
		if i < len(callee.SSA.Params) && s.p.Paths.Of(arg) == object && s.ensures(sealed{callee, s.p.Paths.Of(callee.SSA.Params[i])}) {
			return true
		}
	}
	return false
}

// ensures reports whether a function returns only when an object's flag is set. Of one that comes to call itself nothing
// is known.
func (s *seal) ensures(what sealed) bool {
	if out, ok := s.known[what]; ok {
		return out
	}
	s.known[what] = false
	blocks, returns := what.f.SSA.Blocks, 0
	in := s.solve(what.f, what.object, true)
	for i, b := range blocks {
		if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); !ok || b == what.f.SSA.Recover && !mayRecover(what.f.SSA) {
			continue
		}
		returns++
		known := in[i]
		for _, instr := range b.Instrs {
			known = known || s.gives(what.f, instr, what.object, true)
		}
		if !known {
			return false
		}
	}
	s.known[what] = returns > 0
	return returns > 0
}

// mayRecover reports whether a function may return in spite of a panic: something that it defers recovers, or is not known.
// What package sync does recovers nothing.
func mayRecover(fn *ssa.Function) bool {
	for call := range ssautil.Calls(fn) {
		if _, ok := call.(*ssa.Defer); !ok {
			continue
		}
		lib, _ := ssautil.Callee(call.Common())
		if lib != nil && lib.Pkg() != nil && (lib.Pkg().Path() == "sync" || lib.Pkg().Path() == "sync/atomic") {
			continue
		}
		if of := ssautil.Function(call.Common().Value); of == nil || len(of.Blocks) == 0 || ssautil.Recovers(of) {
			return true
		}
	}
	return false
}
