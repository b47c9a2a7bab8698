package threads

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A listing is a struct that a caller makes for one call alone, options say: what it lists of them is known in the callee.
type listing struct {
	param *ssa.Parameter
	made  *ssa.Alloc
}

// listingsOf returns the structs that an instruction makes for its call of g, which only reads them.
func listingsOf(instr ssa.Instruction, g *infer.Func) (out []listing) {
	call, ok := instr.(ssa.CallInstruction)
	if !ok || call.Common().StaticCallee() != g.SSA {
		return nil
	}
	for i, arg := range call.Common().Args {
		arg, ok := arg.(*ssa.Alloc)
		if !ok || i >= len(g.SSA.Params) || !onlyRead(g.SSA.Params[i]) {
			continue
		}
		if made := literalFor(arg, instr); made != nil {
			out = append(out, listing{g.SSA.Params[i], made})
		}
	}
	return out
}

// literalFor returns the struct by which a variable gets its fields that goes to one call alone: the variable itself, or the
// literal that it is given as a whole; nil if something else can come to it.
func literalFor(v *ssa.Alloc, call ssa.Instruction) *ssa.Alloc {
	var given *ssa.Store
	set := false
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			set = set || !onlyLoaded(r)
		case *ssa.Store:
			if given != nil || r.Addr != v {
				return nil
			}
			given = r
		default:
			if r != call {
				return nil
			}
		}
	}
	if given == nil {
		return v
	}
	load, ok := given.Val.(*ssa.UnOp)
	if !ok || set || !ssautil.Dominates(given, call) {
		return nil
	}
	if made, ok := load.X.(*ssa.Alloc); ok && onlyListed(made, load) {
		return made
	}
	return nil
}

// onlyListed reports whether a struct is set field by field, and read as a whole once.
func onlyListed(made *ssa.Alloc, load ssa.Instruction) bool {
	return !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		switch r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
			return false
		}
		return r != load
	})
}

// onlyLoaded reports whether nothing but reading is done by the address of a field.
func onlyLoaded(at *ssa.FieldAddr) bool {
	return !slices.ContainsFunc(*at.Referrers(), func(use ssa.Instruction) bool {
		switch use.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// onlyRead reports whether a function does nothing with a pointer but come to fields by it: it passes it to nothing that
// could set them.
func onlyRead(p *ssa.Parameter) bool {
	return p.Referrers() != nil && !slices.ContainsFunc(*p.Referrers(), func(r ssa.Instruction) bool {
		switch r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
			return false
		}
		return true
	})
}

// firstOf returns the struct of the first listing, which tells two ways to a function apart.
func firstOf(listings []listing) *ssa.Alloc {
	if len(listings) == 0 {
		return nil
	}
	return listings[0].made
}

// unreached reports whether a function that was entered with these structs does not come to a point: what they list is
// compared with another constant on the way.
func (s *stop) unreached(at ssautil.Point) bool {
	if len(s.listings) == 0 {
		return false
	}
	instr := at.Instr(s.g.SSA)
	if instr == nil || instr.Block() == nil {
		return false
	}
	for b := instr.Block().Idom(); b != nil; b = b.Idom() {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for i := range b.Succs {
			if ssautil.DominatesEdge(b, i, instr.Block()) && s.rulesOut(br.Cond, i == 0) {
				return true
			}
		}
	}
	return false
}

// rulesOut reports whether a condition cannot come out so with the structs that were passed.
func (s *stop) rulesOut(cond ssa.Value, holds bool) bool {
	cond, not := ssautil.Unnegated(cond)
	holds = holds != not
	if is := s.lists(cond); is != nil && is.Kind() == constant.Bool {
		return constant.BoolVal(is) != holds
	}
	cmp, ok := cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ {
		return false
	}
	x, y := s.lists(cmp.X), s.lists(cmp.Y)
	if x == nil || y == nil || x.Kind() != y.Kind() {
		return false
	}
	return constant.Compare(x, cmp.Op, y) != holds
}

// lists returns the constant that a value is, by itself or as a field of a struct that was passed, nil if that is not known.
func (s *stop) lists(v ssa.Value) constant.Value {
	if k, ok := v.(*ssa.Const); ok {
		return k.Value
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	at, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	for _, l := range s.listings {
		if at.X != ssa.Value(l.param) || setThrough(l.param, at.Field) {
			continue
		}
		if given, ok := ssautil.AtFirst(l.made, ssautil.FieldOf(at)); ok {
			return constantOf(given, load.Type())
		}
	}
	return nil
}

// constantOf returns the constant that a field is given, the zero value of a basic type where it is given none.
func constantOf(given ssa.Value, field types.Type) constant.Value {
	if k, ok := given.(*ssa.Const); ok {
		return k.Value
	}
	basic, ok := field.Underlying().(*types.Basic)
	if given != nil || !ok {
		return nil
	}
	switch info := basic.Info(); {
	case info&types.IsBoolean != 0:
		return constant.MakeBool(false)
	case info&types.IsString != 0:
		return constant.MakeString("")
	case info&types.IsInteger != 0:
		return constant.MakeInt64(0)
	}
	return nil
}

// setThrough reports whether a function does more with a field of what a parameter points to than to read it.
func setThrough(p *ssa.Parameter, field int) bool {
	return slices.ContainsFunc(*p.Referrers(), func(r ssa.Instruction) bool {
		at, ok := r.(*ssa.FieldAddr)
		return ok && at.Field == field && !onlyLoaded(at)
	})
}
