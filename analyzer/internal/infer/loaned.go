package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A loan is a value that a function value gets as an interface, or functions of other modules get in a struct, and nothing
// else does: code that the package does not show has the value as long as these calls run. It calls the value's methods
// before it returns, as is assumed of functions that are passed. An object that is wrapped is lent to each call of its methods
// (see [Package.heldInWraps]).
type loan struct {
	by    *Func
	made  *ssa.MakeInterface
	calls []*ssa.Call
}

// loaned finds the methods that run under what is held at each loan of their object, and reports whether there are some:
// the package calls them nowhere, code outside cannot name their type or get a value of it elsewhere, and each time
// that the package makes an interface of such a value it is for a loan. It asks for the contexts of those who lend.
func (p *Package) loaned(sites map[*Func][]site) bool {
	var boxes map[*types.TypeName][]loan
	var exposed map[*types.TypeName]bool
	found := false
	for _, f := range p.Funcs {
		owner := hiddenOwner(f)
		if owner == nil || len(sites[f]) > 0 || !f.Ctx.Root || f.Ctx.Escaped {
			continue
		}
		if boxes == nil {
			boxes, exposed = p.boxes(), p.exposed()
		}
		if held := p.heldAtLoans(f, boxes[owner]); !exposed[owner] && len(held) > 0 {
			p.handed[f] = append(p.handed[f], held...)
			found = true
		}
	}
	return found
}

// hiddenOwner returns the type that no other package can name of which a function is a declared method.
func hiddenOwner(f *Func) *types.TypeName {
	if f.Obj == nil || f.SSA.Signature.Recv() == nil || f.Is(role.Public) {
		return nil
	}
	owner := receiver(f.SSA.Signature.Recv().Type())
	if owner == nil || owner.Exported() && f.Obj.Pkg().Name() != "main" {
		return nil
	}
	return owner
}

// exposed returns the types of which code outside can get a value by the names that the package exports.
func (p *Package) exposed() map[*types.TypeName]bool {
	var from []*types.Package
	if p.Types.Name() != "main" {
		from = append(from, p.Types)
	}
	return ssautil.Exposed(from, func(path string) bool { return path == p.Types.Path() })
}

// boxes returns where the package makes interfaces of values, by their types and by those of what they embed: they have
// the methods of these, too.
func (p *Package) boxes() map[*types.TypeName][]loan {
	out := make(map[*types.TypeName][]loan)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				made, ok := instr.(*ssa.MakeInterface)
				if !ok {
					continue
				}
				if _, none := made.X.(*ssa.Const); none {
					continue // a declaration that the type has an interface
				}
				for _, owner := range p.withMethods(made.X.Type()) {
					out[owner] = append(out[owner], loan{by: f, made: made, calls: p.lentIn(made)})
				}
			}
		}
	}
	return out
}

// withMethods returns the types of this package of which a type has methods: its own, and those that it embeds.
func (p *Package) withMethods(t types.Type) (out []*types.TypeName) {
	switch t := types.Unalias(ssautil.Pointee(t)).(type) {
	case *types.Struct:
	case *types.Named:
		if t.Obj().Pkg() != p.Types {
			return nil
		}
	default:
		return nil
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		m, ok := set.At(i).Obj().(*types.Func)
		if !ok {
			continue
		}
		if owner := receiver(m.Signature().Recv().Type()); owner != nil && !slices.Contains(out, owner) {
			out = append(out, owner)
		}
	}
	return out
}

// lentIn returns the calls to which alone an interface is lent, none if there are others that get it.
func (p *Package) lentIn(made *ssa.MakeInterface) []*ssa.Call {
	if call := lentTo(made); call != nil {
		return []*ssa.Call{call}
	}
	return p.lodgedIn(made)
}

// lentTo returns the call of a function value that alone gets an interface, nil if there is none.
func lentTo(made *ssa.MakeInterface) (only *ssa.Call) {
	for _, r := range *made.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		call, ok := r.(*ssa.Call)
		if !ok || only != nil || !ssautil.CallsValue(&call.Call) || call.Call.Value == ssa.Value(made) {
			return nil
		}
		only = call
	}
	return only
}

// heldAtLoans returns the locks that are held at all loans of the object of a method, in the method's terms.
func (p *Package) heldAtLoans(f *Func, loans []loan) []locks.Held {
	var entries [][]locks.Held
	for _, l := range loans {
		if receiver(l.made.X.Type()) != hiddenOwner(f) {
			return nil
		}
		if len(l.calls) == 0 {
			wraps, ok := p.heldInWraps(f, &l, len(loans) == 1)
			if !ok {
				return nil
			}
			entries = append(entries, wraps...)
		}
		for _, c := range l.calls {
			at, ok := l.heldAt(c)
			if !ok {
				return nil
			}
			call := &summary.Call{Kind: summary.Direct, Point: pointOf(c), Held: at, Args: []accesspath.Path{p.Paths.Of(l.made.X)}}
			entries = append(entries, p.entryAt(f, site{l.by, call}, l.by.Ctx.Entry))
		}
	}
	return meet(p.Paths.Table, entries)
}

// heldAt returns what the lender holds at a call, of a function of which not all is known; false if it is no such one.
func (l *loan) heldAt(call *ssa.Call) (locks.State, bool) {
	if call.Call.StaticCallee() != nil {
		return heldAtBorrower(l.by, call)
	}
	return heldAtValue(l.by, call)
}

// heldAtValue returns what f holds at a call of a function value of which not all is known; false if it is none.
func heldAtValue(f *Func, call *ssa.Call) (locks.State, bool) {
	at := pointOf(call)
	for i := range f.Stays {
		if s := &f.Stays[i]; s.Kind == summary.Value && s.Sig != nil && s.Func == nil && s.Point == at {
			return s.Held, true
		}
	}
	return locks.State{}, false
}
