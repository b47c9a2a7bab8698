package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// changers are what changes the map to which a field leads: calls of its type's methods, and perhaps something else.
type changers struct {
	calls []ssa.CallInstruction
	other bool
	// filled are the objects to whose field a map has been given.
	filled map[*ssa.Alloc]bool
}

// solePut reports whether a call is all that changes the map to which a field leads, a map type of another package.
func (p *Package) solePut(field *types.Var, put *ssa.Call) bool {
	c := p.changersOf(field)
	return !c.other && len(c.calls) == 1 && c.calls[0] == ssa.CallInstruction(put)
}

// OnlyCalled reports whether calls of its type's methods, all in plain sight, are all that is done with the map to which a field leads,
// one that no other field and no variable knows.
func (p *Package) OnlyCalled(field *types.Var) bool { return !p.changersOf(field).other }

// changersOf finds what changes the map to which a field leads, a map type of another package: the package gives the field its object
// where it makes what has the field, which is never copied, and calls its methods, of which it is known whether they change something.
// Complexity: linear in the package, for each field once.
func (p *Package) changersOf(field *types.Var) *changers {
	if field == nil || !field.IsField() || field.Exported() || field.Pkg() != p.Types {
		return &changers{other: true}
	}
	field = field.Origin()
	if c, ok := p.puts[field]; ok {
		return c
	}
	if p.puts == nil {
		p.puts = make(map[*types.Var]*changers)
	}
	c := &changers{filled: make(map[*ssa.Alloc]bool), other: p.copiedFields()[field]}
	p.puts[field] = c
	for _, f := range p.Funcs {
		if c.other {
			break
		}
		ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			if addr, ok := instr.(*ssa.FieldAddr); ok && ssautil.FieldOf(addr).Origin() == field {
				p.addUses(c, addr)
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
			made, ok := addr.X.(*ssa.Alloc)
			once := ok && !c.filled[made] && made.Block() == use.Block()
			c.other = c.other || !once || !p.onlyHere(use)
			c.filled[made] = true
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
	call, ok := use.(ssa.CallInstruction)
	if !ok {
		_, debug := use.(*ssa.DebugRef)
		c.other = c.other || !debug
		return
	}
	fn, args := ssautil.Callee(call.Common())
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

// changesOwn reports whether a method of another package changes a map of its receiver. It is not known of one that gives that map or its
// object away, or may have others come to it: it starts goroutines, or has to do with other values than keys and entries.
func (p *Package) changesOwn(fn *types.Func) (changes, known bool) {
	sum := p.env.Summary(fn.Origin())
	if sum == nil || sum.Spawns || len(sum.Accesses) == 0 || !plainMethod(fn.Origin()) {
		return false, false
	}
	if sum.Own != nil && sum.Own.Inputs[0].Own != ownership.OwnedIfInput(0) {
		return false, false
	}
	for i := range sum.Accesses {
		acc := &sum.Accesses[i]
		if !acc.Op.Uses() || acc.Path.Root().Kind != accesspath.Param || acc.Path.Root().Index != 0 {
			return false, false
		}
		changes = changes || acc.Op.Writes() || acc.Op == access.Atomic
	}
	return changes, true
}

// plainMethod reports whether what a method gets and gives are no more than keys, entries and numbers, or functions of these.
func plainMethod(fn *types.Func) bool { return plainTypes(fn.Signature(), 0) }

// plainTypes reports whether a function gets and gives plain values alone: none leads to the object whose method has it.
func plainTypes(sig *types.Signature, depth int) bool {
	return !slices.ContainsFunc([]*types.Tuple{sig.Params(), sig.Results()}, func(t *types.Tuple) bool {
		for v := range t.Variables() {
			if !plain(v.Type(), depth+1) {
				return true
			}
		}
		return false
	})
}

// maxPlain bounds how deep a type is looked into.
const maxPlain = 3

// plain reports whether a type is a basic one, a type parameter, an error or a lock, or made of these.
func plain(t types.Type, depth int) bool {
	if _, param := types.Unalias(t).(*types.TypeParam); param || model.IsMutex(t) || ssautil.IsError(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Slice:
		return depth < maxPlain && plain(u.Elem(), depth+1)
	case *types.Signature:
		return depth < maxPlain && plainTypes(u, depth)
	}
	return false
}

// onlyHere reports whether a store puts an object into its place that is made for it: in the same block, so that there is one for each.
func (p *Package) onlyHere(st *ssa.Store) bool {
	switch made := st.Val.(type) {
	case *ssa.Alloc:
	case *ssa.Call:
		fn, _ := ssautil.Callee(&made.Call)
		if fn == nil {
			return false
		}
		sum := p.env.Summary(fn.Origin())
		if sum == nil || sum.Spawns || sum.Own == nil || len(sum.Own.Results) != 1 || sum.Own.Results[0].Own != ownership.Owned {
			return false
		}
	default:
		return false
	}
	uses := slices.DeleteFunc(slices.Clone(*st.Val.Referrers()), func(r ssa.Instruction) bool {
		_, debug := r.(*ssa.DebugRef)
		return debug
	})
	return len(uses) == 1 && st.Val.(ssa.Instruction).Block() == st.Block()
}
