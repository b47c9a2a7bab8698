package infer

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// OneByOne reports whether a server calls a handler once at a time, for each object: the
// library does unless its options say otherwise, and the package neither sets that field to
// more than one nor gets the options from elsewhere.
func (p *Package) OneByOne(f *Func) bool {
	by, ok := model.SerialOf(f.SSA.Signature)
	if !ok {
		return false
	}
	if by == (model.Serial{}) {
		return true
	}
	one, known := p.serial[f]
	if !known {
		one = p.byDefault(f, by)
		p.serial[f] = one
	}
	return one
}

// byDefault reports whether nothing in the package may set a field of the options.
func (p *Package) byDefault(f *Func, by model.Serial) bool {
	for _, g := range p.Funcs {
		if p.ofAnother(g, f) {
			continue
		}
		for v := range g.SSA.Signature.Params().Variables() {
			if by.Options(v.Type()) && !g.IsLiteral() {
				return false
			}
		}
		for _, b := range g.SSA.Blocks {
			for _, instr := range b.Instrs {
				if p.sets(instr, by) {
					return false
				}
			}
		}
	}
	return true
}

// ofAnother reports whether a function is a method of a type that has such a handler of its
// own: the options that it sets are for that.
func (p *Package) ofAnother(g, f *Func) bool {
	own, other := f.MethodOf(), g.MethodOf()
	if own == nil || other == nil || own == other {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(other.Type()), false, p.Types, f.SSA.Name())
	h, ok := m.(*types.Func)
	if !ok {
		return false
	}
	_, serial := model.SerialOf(h.Signature())
	return serial
}

// MethodOf returns the type of which a function, or the one that it stands in, is a method; nil if it is none.
func (f *Func) MethodOf() *types.TypeName {
	return methodOf(callback.Outermost(f.SSA))
}

// fieldName returns the name of the field of which an address is taken.
func fieldName(addr *ssa.FieldAddr) string {
	ptr := addr.X.Type().Underlying().(*types.Pointer)
	return ptr.Elem().Underlying().(*types.Struct).Field(addr.Field).Name()
}

// sets reports whether an instruction sets the field, or fetches options from somewhere: not
// from the library that makes them, nor from this package.
func (p *Package) sets(instr ssa.Instruction, by model.Serial) bool {
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		return fieldName(instr) == by.Field && by.Options(instr.X.Type()) && !leavesOne(instr)
	case *ssa.Call:
		fn, args := ssautil.Callee(&instr.Call)
		if by.Setter == "" || fn == nil || fn.Pkg() == nil {
			res, ok := instr.Type().(*types.Named)
			return ok && by.Options(res)
		}
		if fn.Name() == by.Setter && len(args) == 2 && by.Options(args[0].Type()) {
			return !isTrue(args[1]) // as it is anyway
		}
		return by.Options(instr.Type()) && fn.Pkg().Path() != by.Package && fn.Pkg() != p.Types
	}
	return false
}

// leavesOne reports whether a field that tells how many run at once is only read, or set to one; zero stands for the
// library's default.
func leavesOne(field *ssa.FieldAddr) bool {
	for _, r := range *field.Referrers() {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			c, ok := r.Val.(*ssa.Const)
			if r.Addr != ssa.Value(field) || !ok || c.Value == nil || c.Value.Kind() != constant.Int || constant.Compare(c.Value, token.GTR, constant.MakeInt64(1)) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func isTrue(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Bool && constant.BoolVal(c.Value)
}

// handler returns how a library calls a function of the package, nil if none does, and
// whether it calls several at a time.
func (p *Package) handler(key any) (*model.Handler, bool) {
	f := p.Lookup(key)
	if f == nil || !f.Is(role.Handler) {
		return nil, false
	}
	h := model.HandlerOf(f.SSA.Signature, p.Types)
	return h, h != nil && (h.Calls == model.Several || !p.OneByOne(f))
}
