package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// ReadRoles returns what documentation, names and signatures say of functions.
func ReadRoles(docs *role.Index) func(*ssa.Function) role.Roles {
	var of func(*ssa.Function) role.Roles
	of = func(fn *ssa.Function) role.Roles {
		if obj, ok := fn.Object().(*types.Func); ok {
			roles := docs.Of(obj)
			if roles.Has(role.WithLock) && !obj.Exported() && !handlesLocks(fn) {
				roles |= role.CallerLocks
			}
			return roles
		}
		var outer role.Roles
		if fn.Parent() != nil {
			outer = of(fn.Parent())
		}
		var in *types.Package
		if fn.Pkg != nil {
			in = fn.Pkg.Pkg
		}
		return role.OfLiteral(fn.Signature, in, outer, keptAs(fn))
	}
	return of
}

// keptAs returns the name of the field or package-level variable in which alone a function literal is kept; "" if there is none.
func keptAs(fn *ssa.Function) string {
	if fn.Parent() == nil {
		return ""
	}
	return keptIn(fn, fn.Referrers())
}

func keptIn(v ssa.Value, uses *[]ssa.Instruction) (name string) {
	if uses == nil {
		return ""
	}
	for _, use := range *uses {
		in := ""
		switch use := use.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.MakeClosure:
			in = keptIn(use, use.Referrers())
		case *ssa.MakeInterface:
			in = keptIn(use, use.Referrers())
		case *ssa.ChangeType:
			in = keptIn(use, use.Referrers())
		case *ssa.Store:
			if to := ssautil.Variable(use.Addr); to != nil && use.Val == v {
				in = to.Name()
			}
		}
		if in == "" || name != "" && name != in {
			return ""
		}
		name = in
	}
	return name
}

// handlesLocks reports whether a function takes a lock or releases one, or gets a function
// that it may run under one.
func handlesLocks(fn *ssa.Function) bool {
	for p := range fn.Signature.Params().Variables() {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				return false
			}
			callee, _ := ssautil.Callee(call.Common())
			return model.Lookup(callee).Kind.Locks()
		})
	})
}

// Is reports whether the function has a role.
func (f *Func) Is(r role.Roles) bool { return f.Roles.Has(r) }
