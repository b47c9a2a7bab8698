package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A carrier is an unexported field that brings a function to a goroutine: it is only
// filled when its object is made, and what it holds is only called, by what one go
// statement runs, in a loop. What is put there runs in that goroutine, one call after
// the other. What is never called there, but looked at, is idle. Where that goroutine runs in turn what
// it is sent (see [owner]), what the field holds runs in turn with that, as a function does that it calls when it ends.
//
// Several goroutines of the function that makes the object may share such a field, as a pool's workers do (see crews).
type carrier struct {
	start              *ssa.Go
	leaks, loops, crew bool
	from               []ssa.Value // the objects from which it is called
}

// carriers finds the fields that bring functions to goroutines, or that hold them idle. Complexity: linear in
// the package's instructions.
func (p *Package) carriers(owners map[*ssa.Function]*owner) map[*types.Var]callback.Field {
	found := make(map[*types.Var]*carrier)
	var uses map[*ssa.Function][]ssa.Instruction
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				field := funcField(instr)
				if field == nil {
					continue
				}
				c := found[field]
				if c == nil {
					c = new(carrier)
					found[field] = c
				}
				if uses == nil {
					uses = p.usesOfFuncs()
				}
				c.leaks = c.leaks || !p.carries(c, instr, uses)
			}
		}
	}
	out := make(map[*types.Var]callback.Field)
	for field, c := range found {
		switch {
		case c.leaks, p.copiedFields()[field], c.crew && c.start != nil:
		case c.crew:
			out[field] = callback.Crewed
		case p.inTurn(c, field, owners):
			out[field] = callback.InTurn
		case c.loops:
			out[field] = callback.Tends
		case c.start == nil:
			out[field] = callback.Idle
		}
	}
	return out
}

// maxCopied bounds how deep a struct that is copied is looked into.
const maxCopied = 4

// copiedFields are the fields of the structs that the package copies, or converts. Complexity: linear in the package's instructions, once.
func (p *Package) copiedFields() map[*types.Var]bool {
	if p.inCopies != nil {
		return p.inCopies
	}
	copied := make(map[types.Type]bool)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if typ := copiedBy(instr); typ != nil {
					copied[typ] = true
				}
			}
		}
	}
	p.inCopies = fieldsOf(copied)
	return p.inCopies
}

// fieldsOf returns the fields of structs that are copied.
func fieldsOf(copied map[types.Type]bool) map[*types.Var]bool {
	fields := make(map[*types.Var]bool)
	for typ := range copied {
		eachCopied(typ, 0, func(v *types.Var) { fields[v] = true })
	}
	return fields
}

// copiedBy returns the type of what an instruction copies, or converts: another type has its fields then. Nil if it does neither.
func copiedBy(instr ssa.Instruction) types.Type {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Type()
	case *ssa.ChangeType:
		return ssautil.Pointee(instr.X.Type())
	}
	return nil
}

// eachCopied visits the fields of a struct that is copied, or converted: what they hold may be used anywhere.
func eachCopied(typ types.Type, depth int, visit func(*types.Var)) {
	st, ok := typ.Underlying().(*types.Struct)
	if !ok || depth > maxCopied {
		return
	}
	for v := range st.Fields() {
		visit(v.Origin())
		eachCopied(v.Type(), depth+1, visit)
	}
}

// funcField returns the unexported field of a function type that an instruction
// selects, nil if it does not.
func funcField(instr ssa.Instruction) *types.Var {
	var field *types.Var
	switch instr := instr.(type) {
	case *ssa.FieldAddr:
		if st, ok := ssautil.Pointee(instr.X.Type()).Underlying().(*types.Struct); ok {
			field = st.Field(instr.Field).Origin()
		}
	case *ssa.Field:
		if st, ok := instr.X.Type().Underlying().(*types.Struct); ok {
			field = st.Field(instr.Field).Origin()
		}
	}
	if field == nil || field.Exported() {
		return nil
	}
	if _, fn := field.Type().Underlying().(*types.Signature); !fn {
		return nil
	}
	return field
}

// carries reports whether an instruction that selects the field does no more than a
// carrier's may.
func (p *Package) carries(c *carrier, instr ssa.Instruction, uses map[*ssa.Function][]ssa.Instruction) bool {
	addr, ok := instr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if _, made := addr.X.(*ssa.Alloc); !made || r.Addr != ssa.Value(addr) {
				return false
			}
		case *ssa.UnOp:
			if idle(r, 0) {
				continue
			}
			if !isCalled(r) {
				return false
			}
			if crews(r.Parent(), addr.X) {
				c.crew = true
				continue
			}
			if !p.runsIn(c, r.Parent(), uses) {
				return false
			}
			c.loops = c.loops || ssautil.NewReach(r.Parent()).InLoop(r)
			c.from = append(c.from, addr.X)
		case *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// isCalled reports whether nothing is done with a function but to call it, or to ask
// whether there is one.
func isCalled(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Call, *ssa.Defer:
			if c := r.(ssa.CallInstruction).Common(); c.Value != v || slices.Contains(c.Args, v) {
				return false
			}
		case *ssa.BinOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// inTurn reports whether the goroutine that calls what a field holds runs in turn what it is sent over a
// channel of the same object, which p.turned then names.
func (p *Package) inTurn(c *carrier, field *types.Var, owners map[*ssa.Function]*owner) bool {
	if c.start == nil {
		return false
	}
	for _, f := range p.Funcs {
		own := owners[f.SSA]
		if own == nil || p.startOf(own.fn, p.usesOfFuncs(), 0) != c.start {
			continue
		}
		object := own.turn.Parent()
		others := slices.ContainsFunc(c.from, func(x ssa.Value) bool {
			path, method := p.Paths.Of(x), x.Parent().Signature.Recv() != nil && x == ssa.Value(x.Parent().Params[0])
			return path != object && !method
		})
		if _, tasks := p.tasks[own.ch]; !tasks || others || !sameStruct(c.from, own.ch) {
			continue
		}
		p.turned[field] = own.ch
		return true
	}
	return false
}

// sameStruct reports whether some pointers are to structs with that field.
func sameStruct(ptrs []ssa.Value, field *types.Var) bool {
	return !slices.ContainsFunc(ptrs, func(x ssa.Value) bool {
		st, ok := ssautil.Pointee(x.Type()).Underlying().(*types.Struct)
		if !ok {
			return true
		}
		for v := range st.Fields() {
			if v.Origin() == field {
				return false
			}
		}
		return true
	})
}

// maxShown bounds the functions through which one is followed that is looked at.
const maxShown = 3

// idle reports whether a function is only looked at, by those that it is passed to, too: it is
// compared, or reflection tells its name.
func idle(v ssa.Value, depth int) bool {
	if v.Referrers() == nil || depth > maxShown {
		return false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.BinOp, *ssa.DebugRef:
		case *ssa.MakeInterface:
			if !idle(r, depth) {
				return false
			}
		case *ssa.Call:
			if !showsOnly(r, v, depth) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// showsOnly reports whether a call does no more with an argument than to look at it.
func showsOnly(call *ssa.Call, arg ssa.Value, depth int) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || call.Call.Value == arg {
		return false
	}
	if obj, ok := fn.Object().(*types.Func); ok && model.ReflectsOn(obj) {
		return !slices.ContainsFunc(*call.Referrers(), func(r ssa.Instruction) bool {
			use, ok := r.(*ssa.Call)
			if !ok {
				return true
			}
			got, _ := ssautil.Callee(&use.Call)
			return got == nil || !model.ShowsReflected(got)
		})
	}
	for i, a := range call.Call.Args {
		if a == arg && (i >= len(fn.Params) || !idle(fn.Params[i], depth+1)) {
			return false
		}
	}
	return true
}

// runsIn reports whether the one go statement of the carrier alone leads to fn, which
// notes the statement at the first time.
func (p *Package) runsIn(c *carrier, fn *ssa.Function, uses map[*ssa.Function][]ssa.Instruction) bool {
	start := p.startOf(fn, uses, 0)
	if start == nil || c.start != nil && c.start != start {
		return false
	}
	c.start = start
	return true
}
