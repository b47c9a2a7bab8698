package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An object can be kept in a map under a key that it knows itself, and say by its
// state whether its key is taken: "released", say. Who finds it in the state that
// says "free" puts another object in its place. So what an object's own function
// deletes under its key, when it has said "free" before, may be the next one's.

// frees returns the states that the function gives, before a deletion, to the object
// that has its key.
func (a *analysis) frees(act *event) []access.Mark {
	object := act.acc.Key.Parent()
	if !object.Known() || !keptUnderField(act.acc.Path.Location(), act.acc.Key.LastField()) {
		return nil
	}
	var out []access.Mark
	for _, b := range a.fn.Blocks {
		for i, instr := range b.Instrs {
			m, ok := a.sets(instr, object)
			point := ssautil.Point{Block: int32(b.Index), Index: int32(i)}
			if !ok || !a.sum.Flow.MayPrecede(point, act.acc.Point) {
				continue
			}
			m.Pos, m.Held = instr.Pos(), a.stateAt(instr)
			if c, ok := instr.(*ssa.Call); ok {
				m.Pos = ssautil.PosOf(c)
			}
			out = append(out, m)
		}
	}
	return out
}

// keptUnderField reports whether a map holds pointers to objects with such a field.
func keptUnderField(loc accesspath.Location, key *types.Var) bool {
	if !loc.Valid() || loc.Elems > 0 || key == nil {
		return false
	}
	m, ok := loc.Var.Type().Underlying().(*types.Map)
	if !ok {
		return false
	}
	ptr, ok := m.Elem().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	st, ok := ptr.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Origin() == key.Origin() {
			return true
		}
	}
	return false
}

// sets returns the state that an instruction gives to an object: a constant, in a
// field that is one truth value or number, atomic or not.
func (a *analysis) sets(instr ssa.Instruction, object accesspath.Path) (access.Mark, bool) {
	var addr, val ssa.Value
	switch instr := instr.(type) {
	case *ssa.Store:
		addr, val = instr.Addr, instr.Val
	case *ssa.Call:
		fn, args := ssautil.Callee(&instr.Call)
		switch model.Flag(fn) {
		case model.FlagSet, model.FlagSwap, model.FlagClaim:
			addr, val = args[0], args[len(args)-1]
		default:
			return access.Mark{}, false
		}
	default:
		return access.Mark{}, false
	}
	k, ok := val.(*ssa.Const)
	p := a.Paths.Of(addr)
	if !ok || k.Value == nil || p.Parent() != object || p.LastField() == nil {
		return access.Mark{}, false
	}
	return access.Mark{Path: p, State: access.State{At: p.Location(), Is: k.Value.ExactString()}}, true
}

// replaces returns the states of the entry under the key, found in the section of an
// insertion, in which it is replaced, while in another one it stays.
func (a *analysis) replaces(act *event) []access.State {
	found := slices.ContainsFunc(a.events, func(c *event) bool {
		same := c.acc.Path == act.acc.Path && c.acc.Key == act.acc.Key
		return c.acc.Op == access.Lookup && same && locks.SameSections(c.acc.Held, act.acc.Held)
	})
	if !found || !act.acc.Key.Known() {
		return nil
	}
	entry := a.Paths.Elem(act.acc.Path, act.acc.Key)
	var out []access.State
	for _, b := range a.fn.Blocks {
		br, ok := last(b).(*ssa.If)
		if !ok {
			continue
		}
		at := act.instr.Block()
		first, second := a.leadsTo(b.Succs[0], at), a.leadsTo(b.Succs[1], at)
		if first == second {
			continue
		}
		if state, read := a.asks(br.Cond, entry); read != nil && locks.SameSections(a.stateAt(read), act.acc.Held) {
			state.Not = state.Not != second
			out = append(out, state)
		}
	}
	return out
}

func (a *analysis) leadsTo(from, to *ssa.BasicBlock) bool {
	return from == to || a.reach.Blocks(from, to)
}

// asks returns the state of an object that a condition is true of, and what reads
// it; nil if it asks something else.
func (a *analysis) asks(cond ssa.Value, object accesspath.Path) (access.State, ssa.Instruction) {
	state := access.State{Is: "true"}
	for {
		switch x := cond.(type) {
		case *ssa.UnOp:
			if x.Op == token.NOT {
				cond, state.Not = x.X, !state.Not
				continue
			}
		case *ssa.BinOp:
			k, ok := x.Y.(*ssa.Const)
			if !ok || k.Value == nil || x.Op != token.EQL && x.Op != token.NEQ {
				return access.State{}, nil
			}
			cond, state.Is, state.Not = x.X, k.Value.ExactString(), state.Not != (x.Op == token.NEQ)
		}
		break
	}
	var read ssa.Instruction
	var p accesspath.Path
	switch x := cond.(type) {
	case *ssa.UnOp:
		read, p = x, a.Paths.Of(x.X)
	case *ssa.Call:
		if fn, args := ssautil.Callee(&x.Call); model.ReadsFlag(fn) {
			read, p = x, a.Paths.Of(args[0])
		}
	}
	if p.Parent() != object || p.LastField() == nil {
		return access.State{}, nil
	}
	state.At = p.Location()
	return state, read
}
