package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// changers are what changes the map to which a field leads: calls of its type's methods, and perhaps something else.
type changers struct {
	calls []*ssa.Call
	other bool
}

// solePut reports whether a call is all that changes the map to which a field leads, a map type of another package: the package gives
// the field its object where it makes what has the field, calls its methods, of which it is known that they change nothing, but for
// that call, and does nothing else with it. Complexity: linear in the package, for each field once.
func (p *Package) solePut(field *types.Var, put *ssa.Call) bool {
	if field == nil || !field.IsField() || field.Exported() || field.Pkg() != p.Types {
		return false
	}
	field = field.Origin()
	c, ok := p.puts[field]
	if !ok {
		if p.puts == nil {
			p.puts = make(map[*types.Var]*changers)
		}
		c = p.changersOf(field)
		p.puts[field] = c
	}
	return !c.other && len(c.calls) == 1 && c.calls[0] == put
}

// changersOf finds what changes the map to which a field leads.
func (p *Package) changersOf(field *types.Var) *changers {
	c := new(changers)
	for _, f := range p.Funcs {
		ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			switch instr := instr.(type) {
			case *ssa.FieldAddr:
				if ssautil.FieldOf(instr).Origin() == field {
					p.addUses(c, instr)
				}
			case *ssa.Field:
				st, ok := instr.X.Type().Underlying().(*types.Struct)
				c.other = c.other || ok && st.Field(instr.Field).Origin() == field
			}
			return c.other
		})
	}
	return c
}

// addUses adds what is done with the address of a field to what changes its map.
func (p *Package) addUses(c *changers, addr *ssa.FieldAddr) {
	for _, use := range *addr.Referrers() {
		switch use := use.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			_, made := addr.X.(*ssa.Alloc)
			c.other = c.other || !made || !p.onlyHere(use.Val)
		case *ssa.UnOp:
			for _, r := range *use.Referrers() {
				p.addUse(c, use, r)
			}
		default:
			p.addUse(c, addr, use)
		}
	}
}

// addUse adds a use of a map's object to what changes it.
func (p *Package) addUse(c *changers, object ssa.Value, use ssa.Instruction) {
	call, ok := use.(*ssa.Call)
	if !ok {
		_, debug := use.(*ssa.DebugRef)
		c.other = c.other || !debug
		return
	}
	fn, args := ssautil.Callee(&call.Call)
	method := fn != nil && fn.Pkg() != p.Types && len(args) > 0 && args[0] == object && !slices.Contains(args[1:], object)
	if !method {
		c.other = true
		return
	}
	changes, known := p.changesOwn(fn)
	c.other = c.other || !known
	if changes {
		c.calls = append(c.calls, call)
	}
}

// changesOwn reports whether a method of another package changes a map of its receiver. It is not known of one that gives that map away.
func (p *Package) changesOwn(fn *types.Func) (changes, known bool) {
	sum := p.env.Summary(fn.Origin())
	if sum == nil {
		return false, false
	}
	for i := range sum.Accesses {
		acc := &sum.Accesses[i]
		if !acc.Op.Uses() {
			return false, false
		}
		changes = changes || acc.Op.Writes() || acc.Op == access.Atomic
	}
	return changes, true
}

// onlyHere reports whether a value is an object that is made for the one place where it is put.
func (p *Package) onlyHere(v ssa.Value) bool {
	switch made := v.(type) {
	case *ssa.Alloc:
	case *ssa.Call:
		fn, _ := ssautil.Callee(&made.Call)
		if fn == nil {
			return false
		}
		sum := p.env.Summary(fn.Origin())
		if sum == nil || sum.Own == nil || len(sum.Own.Results) != 1 || sum.Own.Results[0].Own != ownership.Owned {
			return false
		}
	default:
		return false
	}
	uses := slices.DeleteFunc(slices.Clone(*v.Referrers()), func(r ssa.Instruction) bool {
		_, debug := r.(*ssa.DebugRef)
		return debug
	})
	return len(uses) == 1
}
