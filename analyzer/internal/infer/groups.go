package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// nameGroups lets a signal on a group that a field points to, and a wait for it, be one on the field or
// variable that has the group, if the package never sets the pointer to another one. As with locks that
// have two names, which object that is remains unknown.
func (p *Package) nameGroups() {
	groups := p.pointedGroups()
	if len(groups) == 0 {
		return
	}
	named := func(on []accesspath.Path) []accesspath.Path {
		for i := 0; i < len(on); i++ {
			loc := on[i].Location()
			v := groups[loc.Var]
			if v == nil || loc.Elems > 0 {
				continue
			}
			if group := p.Paths.Root(accesspath.Root{Kind: accesspath.Place, Obj: v}); !slices.Contains(on, group) {
				on = append(slices.Clip(on), group)
			}
		}
		return on
	}
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			f.Accesses[i].Waits = named(f.Accesses[i].Waits)
		}
		for i := range f.Calls {
			c := &f.Calls[i]
			if c.Waits = named(c.Waits); c.Start != nil {
				c.Signals.On = named(c.Signals.On)
			}
		}
	}
}

// pointedGroups finds the fields that point to one group, with the field or variable that has it.
func (p *Package) pointedGroups() map[*types.Var]*types.Var {
	groups := make(map[*types.Var]*types.Var) // nil when they differ
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				st, ok := instr.(*ssa.Store)
				if !ok || !p.pointsToGroup(st.Val.Type()) {
					continue
				}
				addr, ok := st.Addr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				field := ssautil.FieldOf(addr)
				if field == nil || field.Exported() {
					continue // others can set it
				}
				group := p.groupAt(p.Paths.Of(st.Val), 0)
				if before, seen := groups[field]; group == field || seen && before != group {
					group = nil
				}
				groups[field] = group
			}
		}
	}
	return groups
}

// pointsToGroup reports whether t is a pointer to what waits for goroutines.
func (p *Package) pointsToGroup(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, p.Types, "Wait")
	fn, ok := obj.(*types.Func)
	return ok && p.env.Model.Listed(fn) && p.Does(fn).Kind == model.Join
}

// groupAt returns the field or variable that has a group: of a parameter, the one that all calls in the
// package give. Nil if it is not known.
func (p *Package) groupAt(path accesspath.Path, depth int) *types.Var {
	if loc := path.Location(); loc.Valid() {
		if loc.Elems > 0 {
			return nil
		}
		return loc.Var
	}
	root := path.Root()
	f := p.Lookup(root.Fn)
	if root.Kind != accesspath.Param || path.Depth() > 0 || f == nil || depth >= maxPassed {
		return nil
	}
	var group *types.Var
	for i, s := range p.CallersOf(f) {
		if root.Index >= len(s.Call.Args) {
			return nil
		}
		v := p.groupAt(s.Call.Args[root.Index], depth+1)
		if v == nil || i > 0 && v != group {
			return nil
		}
		group = v
	}
	return group
}
