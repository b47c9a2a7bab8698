package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Alternatives reports whether a function comes to one of two blocks at most in each of its activations, by
// conditions that ask what keeps its value: the package changes it where the object is made, or the function
// itself does so before. What other packages change of their own accord is not known.
func (p *Package) Alternatives(f *Func, a, b *ssa.BasicBlock) bool {
	return ssautil.Alternatives(a, b, func(v *types.Var, at *ssa.BasicBlock) bool {
		asked := ssautil.Point{Block: int32(at.Index), Index: int32(len(at.Instrs) - 1)}
		return !slices.ContainsFunc(p.changes()[v.Origin()], func(c change) bool { return !p.before(c, f, asked) })
	})
}

// A change is where the package may set a variable or a field, of an object that some code has at hand.
type change struct {
	at ssa.Instruction
	of ssa.Value // the struct that has the field; nil of a variable
}

// before reports whether a change is over when a function asks for the value: it is made in the function itself, of
// what callers cannot set anew, or while nothing else has the object.
func (p *Package) before(c change, f *Func, asked ssautil.Point) bool {
	if c.at.Parent() == f.SSA {
		if c.of == nil || f.Flow == nil || p.Paths.Of(c.of).Root().Kind != accesspath.Value {
			return false // the next time that the function runs, it may be another one
		}
		return !f.Flow.MayPrecede(asked, ssautil.Point{Block: int32(c.at.Block().Index)})
	}
	return c.of != nil && ssautil.Allocates(c.of) && !p.shownBefore(c.of, c.at)
}

// SetLater reports whether the package may set a field of an object that it has not just made.
func (p *Package) SetLater(field *types.Var) bool {
	return slices.ContainsFunc(p.changes()[field.Origin()], func(c change) bool {
		object := c.of
		for part, ok := object.(*ssa.FieldAddr); ok; part, ok = object.(*ssa.FieldAddr) {
			object = part.X
		}
		return object == nil || !ssautil.Allocates(object)
	})
}

// changes returns where the package may change each variable and field.
func (p *Package) changes() map[*types.Var][]change {
	if p.changesOf != nil {
		return p.changesOf
	}
	p.changesOf = make(map[*types.Var][]change)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				p.noteChange(instr)
			}
		}
	}
	return p.changesOf
}

// noteChange notes what an instruction may change: a store to a variable, a field, or all fields of a struct; a use of
// the address of one by other code; or a call that gets a struct whose type it can ask for, or that comes back to who
// has it.
func (p *Package) noteChange(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		if v := ssautil.Variable(instr.Addr); v != nil {
			p.addChange(v, change{instr, holderOf(instr.Addr)})
		}
		if !ssautil.Allocates(instr.Addr) {
			p.addFields(ssautil.Pointee(instr.Addr.Type()), change{instr, instr.Addr}, false, 0)
		}
	case ssa.CallInstruction:
		p.noteGiven(instr)
	}
	for _, o := range instr.Operands(nil) {
		if *o == nil || !passes(instr, *o) {
			continue
		}
		v := ssautil.Variable(*o)
		if v == nil {
			continue
		}
		p.addChange(v, change{at: instr})
		if !p.runsOwn(instr) {
			p.addFields(v.Type(), change{at: instr}, false, 0)
		}
	}
}

// runsOwn reports whether an instruction calls a function of the package, whose own changes are noted.
func (p *Package) runsOwn(instr ssa.Instruction) bool {
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fn := call.Common().StaticCallee()
	return fn != nil && p.byKey[accesspath.FuncKey(fn)] != nil
}

// noteGiven notes what a call may set that gets a struct: all fields, if a function value gets it, whatever that is;
// the exported ones, if it is given as an interface, as to what decodes it.
func (p *Package) noteGiven(call ssa.CallInstruction) {
	common := call.Common()
	_, builtin := common.Value.(*ssa.Builtin)
	value := common.StaticCallee() == nil && !common.IsInvoke() && !builtin
	for _, arg := range common.Args {
		object := ssautil.Unwrap(arg)
		ptr, ok := object.Type().Underlying().(*types.Pointer)
		if _, wrapped := arg.(*ssa.MakeInterface); ok && (wrapped || value) {
			p.addFields(ptr.Elem(), change{call, object}, true, 0)
		}
	}
}

// maxFields bounds the structs, one in the other, whose fields are set with the outer one.
const maxFields = 4

// addFields notes a change of all fields of a struct, and of those of its parts.
func (p *Package) addFields(typ types.Type, c change, exported bool, depth int) {
	whole, ok := typ.Underlying().(*types.Struct)
	if !ok || depth > maxFields {
		return
	}
	for field := range whole.Fields() {
		if !exported || field.Exported() {
			p.addChange(field, c)
			p.addFields(field.Type(), change{at: c.at}, exported, depth+1)
		}
	}
}

func (p *Package) addChange(v *types.Var, c change) {
	p.changesOf[v.Origin()] = append(p.changesOf[v.Origin()], c)
}

// holderOf returns the struct whose field an address is, nil if it is a variable's.
func holderOf(addr ssa.Value) ssa.Value {
	if fa, ok := addr.(*ssa.FieldAddr); ok {
		return fa.X
	}
	return nil
}

// passes reports whether an instruction hands an address on, and does not only read or write what is there.
func passes(instr ssa.Instruction, addr ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef:
		return false
	case *ssa.Store:
		return instr.Val == addr
	}
	return true
}

// shownBefore reports whether a new object goes somewhere before a change of one of its fields.
func (p *Package) shownBefore(object ssa.Value, st ssa.Instruction) bool {
	in := p.Lookup(accesspath.FuncKey(st.Parent()))
	if in == nil {
		return true
	}
	reach := in.Reach()
	return slices.ContainsFunc(*object.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
			return false
		case *ssa.Store:
			if r.Addr == object {
				return false
			}
		case *ssa.MakeInterface:
			if only := *r.Referrers(); len(only) == 1 && only[0] == st {
				return false
			}
		}
		if r == st {
			return false
		}
		return reach.MayPrecede(r, st)
	})
}
