package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// evictions finds the cache fields of the package. Complexity: linear in its instructions.
func (p *Package) evictions() *evictions {
	e := &evictions{p: p, fields: make(map[*types.Var]*cacheField), given: make(map[ssa.Value][]dropped)}
	copied := make(map[types.Type]bool)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if typ := copiedBy(instr); typ != nil {
					copied[typ] = true
				}
				switch instr := instr.(type) {
				case *ssa.Field:
					copied[instr.X.Type()] = true
				case *ssa.FieldAddr:
					if c := e.fieldAt(instr); c != nil {
						e.address(f, c, instr)
					}
				}
			}
		}
	}
	for typ := range copied {
		eachCopied(typ, 0, func(v *types.Var) {
			if c := e.fields[v]; c != nil {
				c.leaks = true
			}
		})
	}
	return e
}

// fieldAt returns the cache field that an address is that of, nil if it is none.
func (e *evictions) fieldAt(addr *ssa.FieldAddr) *cacheField {
	v := fieldVar(addr)
	if v.Exported() || !model.Evicts(v.Type()) {
		return nil
	}
	if e.fields[v] == nil {
		e.fields[v] = new(cacheField)
	}
	return e.fields[v]
}

// address notes what is done with a cache field.
func (e *evictions) address(f *Func, c *cacheField, addr *ssa.FieldAddr) {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			e.uses(f, c, r, nil, addr.X)
		case *ssa.Store:
			if !ssautil.IsNil(r.Val) {
				e.filled(f, c, r, addr)
			}
		default:
			c.leaks = true
		}
	}
}

// filled notes that a cache is put into its field, which must be one that is made for that.
func (e *evictions) filled(f *Func, c *cacheField, store *ssa.Store, addr *ssa.FieldAddr) {
	object, made := addr.X, store.Val
	if tuple, ok := made.(*ssa.Extract); ok && tuple.Index == 0 {
		made = tuple.Tuple
	}
	by, ok := made.(ssa.Instruction)
	if again := ok && by.Block() != store.Block() && ssautil.NewReach(f.SSA).InLoop(store); again {
		c.leaks = true // several objects may get it
	}
	switch made := made.(type) {
	case *ssa.Call:
		fn, args := ssautil.Callee(&made.Call)
		arg, makes := model.MakesEvictor(fn)
		if !makes {
			c.leaks = true
			return
		}
		if arg >= 0 {
			e.give(args[arg], c, object)
		}
	case *ssa.Alloc:
	default:
		c.leaks = true // it may be another object's
	}
	e.uses(f, c, store.Val, store, object)
}

// uses notes what is done with the cache of an object: nothing but this store may put it anywhere.
func (e *evictions) uses(f *Func, c *cacheField, cache ssa.Value, store *ssa.Store, object ssa.Value) {
	for _, r := range *cache.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.Store:
			c.leaks = c.leaks || r != store
		case *ssa.FieldAddr:
			e.setUp(c, r, object)
		case *ssa.Call:
			fn, args := ssautil.Callee(&r.Call)
			drops, known := model.OfEvictor(fn)
			if !known || args[0] != cache || slices.Contains(args[1:], cache) {
				c.leaks = true
			}
			if drops {
				c.drops = append(c.drops, dropCall{f, r, object})
			}
		default:
			c.leaks = true
		}
	}
}

// setUp notes what is done with a field of a cache: that of the function is only set.
func (e *evictions) setUp(c *cacheField, addr *ssa.FieldAddr, object ssa.Value) {
	if !model.EvictionField(addr.X.Type(), ssautil.FieldOf(addr)) {
		return
	}
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if r.Addr == ssa.Value(addr) {
				e.give(r.Val, c, object)
				continue
			}
			c.leaks = true
		default:
			c.leaks = true // it may be called from anywhere
		}
	}
}

// give notes that a function goes to the cache of an object. What goes elsewhere, too, goes to a cache that leaks.
func (e *evictions) give(fn ssa.Value, c *cacheField, object ssa.Value) {
	for change, ok := fn.(*ssa.ChangeType); ok; change, ok = fn.(*ssa.ChangeType) {
		fn = change.X
	}
	if made, ok := fn.(*ssa.MakeClosure); ok && ssautil.OnlyUse(made) == nil {
		c = &cacheField{leaks: true}
	}
	e.given[fn] = append(e.given[fn], dropped{c, object})
}
