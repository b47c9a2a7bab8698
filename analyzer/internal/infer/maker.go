package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// ByMaker reports whether the goroutine that makes an access has made the object that the map is
// a part of: the function makes it, or gets it at every call from one that does, or that has it the
// same way, in its own goroutine. Others may well know the object: two accesses of this kind
// are never made by two goroutines, since an object is made once. They must be to a field that has no other
// name, so that no access is left out: see unaliased. Complexity: linear in the calls of the package, once.
func (p *Package) ByMaker(s *Site) bool {
	a := s.Acc
	if s.Func == nil || a.Spawned || s.Imported() || !p.ownPart(a.Path) {
		return false
	}
	return p.ownMaking(s.Func, a.Path.Root())
}

// ownPart reports whether a path leads to a map that is a part of the object it starts at: a field of
// it, or of a struct in it, which has a map of its own and no other name.
func (p *Package) ownPart(path accesspath.Path) bool {
	field := path.LastField()
	if field == nil || path != path.Base() && path.IsElem() || !p.MadeFor(field) || !p.unaliased(field) {
		return false
	}
	for at := path.Parent(); at.Depth() > 0; at = at.Parent() {
		f := at.LastField()
		if f == nil {
			return false
		}
		if _, inside := f.Type().Underlying().(*types.Struct); !inside {
			return false
		}
	}
	return true
}

// unaliased reports whether the package uses a field by its name alone, and no one else can: its address is
// not taken, and its map is used where it is read.
func (p *Package) unaliased(field *types.Var) bool {
	if field.Exported() || field.Pkg() != p.Types {
		return false
	}
	if p.named == nil {
		p.named = p.findNamed()
	}
	return p.named[field.Origin()]
}

// OwnMap reports whether each object has a map of its own in a field, and whether the package shows all that is done with it:
// no one else can name the field, nothing has the map under another name, and the package sets it to new maps alone.
func (p *Package) OwnMap(field *types.Var) bool {
	return field != nil && field.IsField() && p.unaliased(field) && !p.GivenTo(field)
}

// OwnVariable reports whether the package shows all that is done with the map in a package-level variable, which only ever has new maps.
func (p *Package) OwnVariable(v *types.Var) bool {
	if v == nil || v.IsField() || v.Exported() || v.Pkg() != p.Types {
		return false
	}
	return !slices.ContainsFunc(p.mentionsOf(v), func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return !newMap(instr.Val)
		case *ssa.UnOp:
			return !usedInPlace(*instr.Referrers())
		}
		return true
	})
}

// findNamed returns the fields with maps that are used by their names alone.
func (p *Package) findNamed() map[*types.Var]bool {
	out := make(map[*types.Var]bool)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.FieldAddr:
					note(out, fieldVar(instr), inPlace(instr, *instr.Referrers()))
				case *ssa.Field:
					note(out, instr.X.Type().Underlying().(*types.Struct).Field(instr.Field), usedInPlace(*instr.Referrers()))
				}
			}
		}
	}
	return out
}

func note(fields map[*types.Var]bool, field *types.Var, ok bool) {
	was, known := fields[field.Origin()]
	fields[field.Origin()] = ok && (was || !known)
}

// inPlace reports whether what is at an address is only assigned, or read and used there.
func inPlace(addr ssa.Value, refs []ssa.Instruction) bool {
	return !slices.ContainsFunc(refs, func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Addr != addr
		case *ssa.UnOp:
			return !usedInPlace(*r.Referrers())
		}
		return true
	})
}

// usedInPlace reports whether a map is used by the instructions that refer to it, and goes nowhere.
func usedInPlace(refs []ssa.Instruction) bool {
	return !slices.ContainsFunc(refs, func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.Lookup, *ssa.MapUpdate, *ssa.Range, *ssa.BinOp:
			return false
		case *ssa.Call:
			_, builtin := r.Call.Value.(*ssa.Builtin)
			return !builtin
		}
		return true
	})
}

// ownMaking reports whether what a path starts at was made by the goroutine that runs f.
func (p *Package) ownMaking(f *Func, r accesspath.Root) bool {
	switch r.Kind {
	case accesspath.Value:
		return p.inFrame(f, r.Val.Parent()) && p.makesOne(r.Val)
	case accesspath.Param:
		outer := p.byKey[r.Fn]
		return outer != nil && p.makers()[outer].Has(r.Index) && p.inFrame(f, outer.SSA)
	}
	return false
}

// makesOne reports whether a value is an object that is made where it stands, or the variable that has it, and
// never has another one.
func (p *Package) makesOne(v ssa.Value) bool {
	cell, variable := v.(*ssa.Alloc)
	if variable && !isStruct(cell) {
		held := ssautil.SettledVariable(cell)
		if held == nil {
			return false
		}
		v = ssautil.Unwrap(held)
	}
	switch v := v.(type) {
	case *ssa.Alloc:
		return isStruct(v) && !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
			st, ok := r.(*ssa.Store)
			if !ok || st.Val != v {
				return false
			}
			cell, local := st.Addr.(*ssa.Alloc)
			return local && ssautil.SettledVariable(cell) == nil // its name may be that of another object
		})
	case *ssa.Call:
		return p.Makes(v)
	}
	return false
}

// isStruct reports whether a variable is a struct itself, rather than a pointer to one.
func isStruct(v *ssa.Alloc) bool {
	_, ok := ssautil.Pointee(v.Type()).Underlying().(*types.Struct)
	return ok
}

// inFrame reports whether f is a function, or a literal in it that it calls itself, and nothing else does.
func (p *Package) inFrame(f *Func, outer *ssa.Function) bool {
	for f.SSA != outer {
		sites, up := p.sites()[f], f.SSA.Parent()
		own := func(s site) bool { return s.caller.SSA == up && s.call.Kind.InPlace() }
		if up == nil || len(sites) == 0 || slices.ContainsFunc(sites, func(s site) bool { return !own(s) }) {
			return false
		}
		f = sites[0].caller
	}
	return true
}

// makers returns, of each function, the inputs whose objects the goroutine that calls it has made
// at every call: the greatest solution, so that recursion takes nothing away.
func (p *Package) makers() map[*Func]ownership.Set {
	if p.made != nil {
		return p.made
	}
	p.made = make(map[*Func]ownership.Set)
	sites, kept := p.sites(), p.findKept()
	for _, f := range p.Funcs {
		unseen := f.Ctx.Open() || f.Ctx.Escaped || f.Ctx.Stored || f.Ctx.ValueOnly
		if !unseen && !f.IsLiteral() && len(sites[f]) > 0 {
			p.made[f] = ^ownership.Set(0)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range p.Funcs {
			for _, s := range sites[f] {
				if left := p.made[f] & p.brings(kept, f, s); left != p.made[f] {
					p.made[f], changed = left, true
				}
			}
		}
	}
	return p.made
}

// brings is passed for a call, or for a place from which the method's value goes to a field that keeps it: what calls it there has
// the object whose field that is.
func (p *Package) brings(kept *keptMethods, f *Func, s site) (out ownership.Set) {
	calls, own := kept.of(f)
	if s.call.Kind != summary.Escaped || !own {
		return p.passed(s)
	}
	object, _ := ownership.Input(0)
	for _, c := range calls {
		path := p.Paths.Of(c.object)
		if !path.Known() || path.Depth() > 0 || !p.ownMaking(c.caller, path.Root()) {
			return 0
		}
	}
	return object
}

// passed returns the arguments of a call whose objects its goroutine has made.
func (p *Package) passed(s site) (out ownership.Set) {
	if !s.call.Kind.InPlace() {
		return 0
	}
	for i, arg := range s.call.Args {
		if in, ok := ownership.Input(i); ok && arg.Known() && arg.Depth() == 0 && p.ownMaking(s.caller, arg.Root()) {
			out |= in
		}
	}
	return out
}
