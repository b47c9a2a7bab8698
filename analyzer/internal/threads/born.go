package threads

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A birth is where an object is made: the allocation, preceded by the calls that
// return what they have just made. An object has one birth.
type birth []ssa.Value

// maxBirth bounds the calls of a birth, and maxBirths the births of one place.
const (
	maxBirth  = 3
	maxBirths = 8
)

// same reports whether two births can be one: seen from two functions on the way
// up, one has more calls than the other.
func (b birth) same(c birth) bool {
	n := min(len(b), len(c))
	return slices.Equal(b[len(b)-n:], c[len(c)-n:])
}

// bornApart reports whether two paths lead to objects that are made at different
// places.
func (t *Theory) bornApart(a, b accesspath.Path) bool {
	x, ok := t.births(a)
	if !ok {
		return false
	}
	y, ok := t.births(b)
	return ok && !slices.ContainsFunc(x, func(b birth) bool { return slices.ContainsFunc(y, b.same) })
}

// births returns where the object can be made that holds the map of a path: what
// the path starts at, or what the package puts into the last pointer on the way.
func (t *Theory) births(p accesspath.Path) ([]birth, bool) {
	for p = p.Base(); p.Depth() > 0; p = p.Parent() {
		field := p.LastField()
		if field == nil {
			return nil, false
		}
		switch field.Type().Underlying().(type) {
		case *types.Struct: // a part of the object
		case *types.Pointer:
			return t.bornInto(field)
		default:
			if !t.pkg.MadeFor(field) {
				return nil, false // the map may have two holders
			}
		}
	}
	if v := p.Root().Val; v != nil {
		return t.born(v, 0)
	}
	return nil, false
}

// anewFor reports whether the object at the start of a path is made anew before the second of two
// calls of one function comes, whichever is the first: each round of a loop makes one, and starts one
// thread for it.
func (t *Theory) anewFor(p accesspath.Path, a, b *frame) bool {
	v, ok := p.Root().Val.(ssa.Instruction)
	if !ok || v.Parent() != a.f.SSA {
		return false
	}
	if _, born := t.born(p.Root().Val, 0); !born && !ssautil.Received(p.Root().Val) {
		return false
	}
	first, second := a.call.Point, b.call.Point
	return first != second && !a.f.Flow.ReachesPast(v.Block(), first, second) && !a.f.Flow.ReachesPast(v.Block(), second, first)
}

// GotAnew reports whether a call gives the starter of a thread the object of an access once more before it
// makes that access, in each round of a loop: nothing shows that the thread has the same one.
func (t *Theory) GotAnew(th *Thread, a *access.Access) bool {
	return th.call != nil && t.gotAnew(th.Starter, th.call.Point, a.Path, a.Point)
}

// gotAnew reports whether a function has another object at the start of a path, with what leads from it
// to the map, before control comes from a point to another one: a call gives it one, or the variable that held it has
// been set.
func (t *Theory) gotAnew(f *infer.Func, from ssautil.Point, p accesspath.Path, to ssautil.Point) bool {
	r := p.Root()
	v, ok := r.Val.(ssa.Instruction)
	if !ok || r.Kind != accesspath.Value || v.Parent() != f.SSA {
		return false
	}
	phi, joins := v.(*ssa.Phi)
	if joins && f.Flow.Carries(phi, from, to, t.fresh) || !joins && !ssautil.Received(r.Val) && !t.givenAnew(r.Val, f.Reach()) {
		return false
	}
	for part := p.Base(); part.Depth() > 0; part = part.Parent() {
		field := part.LastField()
		if field == nil {
			return false
		}
		_, inside := field.Type().Underlying().(*types.Struct)
		if !inside && field.Pkg() == t.pkg.Types && t.pkg.GivenTo(field) {
			return false // others may lead there
		}
	}
	return joins || !f.Flow.ReachesPast(v.Block(), from, to)
}

// fresh reports whether a value is a new object each time that it is worked out.
func (t *Theory) fresh(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Phi:
		return false
	case *ssa.MakeMap, *ssa.MakeSlice:
		return true
	}
	_, ok := t.born(v, 0)
	return ok || ssautil.Received(v)
}

// bornInto returns the births of what the package puts into a field that no other
// can set.
func (t *Theory) bornInto(field *types.Var) ([]birth, bool) {
	if field.Exported() || field.Pkg() != t.pkg.Types {
		return nil, false
	}
	if t.put == nil {
		t.put = t.puts()
	}
	var out []birth
	for _, v := range t.put[field.Origin()] {
		if v == nil {
			return nil, false // its address goes elsewhere
		}
		bs, ok := t.born(v, 0)
		if out = append(out, bs...); !ok || len(out) > maxBirths {
			return nil, false
		}
	}
	return out, len(out) > 0
}

// puts returns what the package puts into each pointer field, nil among it where
// something else is done with the field's address.
func (t *Theory) puts() map[*types.Var][]ssa.Value {
	out := make(map[*types.Var][]ssa.Value)
	for _, f := range t.pkg.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				addr, ok := instr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				field := ssautil.FieldOf(addr)
				if _, ptr := field.Type().Underlying().(*types.Pointer); !ptr {
					continue
				}
				for _, r := range *addr.Referrers() {
					switch r := r.(type) {
					case *ssa.UnOp, *ssa.DebugRef:
					case *ssa.Store:
						out[field.Origin()] = append(out[field.Origin()], stored(r, addr))
					default:
						out[field.Origin()] = append(out[field.Origin()], nil)
					}
				}
			}
		}
	}
	return out
}

func stored(st *ssa.Store, addr ssa.Value) ssa.Value {
	if st.Addr == addr {
		return st.Val
	}
	return nil // the address itself is stored
}

// born returns the births of a value: none of nil.
func (t *Theory) born(v ssa.Value, depth int) ([]birth, bool) {
	if depth > maxBirths {
		return nil, false
	}
	v = ssautil.Unwrap(v)
	switch v := v.(type) {
	case *ssa.Alloc:
		_, object := v.Type().(*types.Pointer).Elem().Underlying().(*types.Struct)
		return []birth{{v}}, object // else a variable that holds one
	case *ssa.Const:
		return nil, v.IsNil()
	case *ssa.Phi:
		var out []birth
		for _, e := range v.Edges {
			bs, ok := t.born(e, depth+1)
			if out = append(out, bs...); !ok || len(out) > maxBirths {
				return nil, false
			}
		}
		return out, true
	}
	if call, i := ssautil.CallResult(v); call != nil {
		return t.bornBy(call, v, i, depth)
	}
	return nil, false
}

// bornBy returns the births of a call's result, if the callee has just made it.
func (t *Theory) bornBy(call *ssa.Call, v ssa.Value, i, depth int) ([]birth, bool) {
	fn := call.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || depth > maxBirth {
		return nil, false
	}
	var out []birth
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || i >= len(ret.Results) {
			continue
		}
		bs, ok := t.born(ssautil.ResultAt(ret, i), depth+1)
		if !ok || len(out)+len(bs) > maxBirths {
			return nil, false
		}
		for _, b := range bs {
			out = append(out, append(birth{v}, b...))
		}
	}
	return out, true
}
