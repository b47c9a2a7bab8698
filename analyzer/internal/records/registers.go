package records

import (
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxRegistryUses bounds the uses of one router that are looked at, and what leads to it.
const maxRegistryUses = 2_000

// A registering tells from when on the functions can be called that one function registers with routers.
type registering struct {
	pkg     *infer.Package
	inScope func(path string) bool
	order   *ssautil.Order
	spans   *ssautil.Spans
	// first are the numbers of the first place where someone else may come to know a router.
	first map[ssa.Value]int
}

// from returns the number from which on a function can be called whose value is taken at an instruction with the number here.
// What is registered with an object that the function has just made is not called before the first place where that, or what
// holds it, is served or goes to someone else.
func (g *registering) from(taken ssa.Instruction, here int) int {
	call := givenTo(taken)
	if call == nil || !registers(call) {
		return here
	}
	object := g.madeFor(receiverOf(call))
	if object == nil {
		return here
	}
	at, known := g.first[object]
	if !known {
		u := passing{at: math.MaxInt, order: g.order, seen: make(map[ssa.Value]bool)}
		u.follow(object)
		at = u.at
		g.first[object] = at
	}
	if at == math.MaxInt {
		return here // others serve
	}
	return max(at, here)
}

// givenTo returns the only call that gets the function value that an instruction takes, nil if that cannot be told.
func givenTo(instr ssa.Instruction) ssa.CallInstruction {
	for range maxHops {
		switch x := instr.(type) {
		case *ssa.Call:
			return x
		case *ssa.ChangeType, *ssa.MakeClosure, *ssa.MakeInterface, *ssa.Slice:
			instr = ssautil.OnlyUse(x.(ssa.Value))
		case *ssa.Store:
			elem, ok := x.Addr.(*ssa.IndexAddr)
			if !ok {
				return nil
			}
			list, ok := elem.X.(*ssa.Alloc)
			if !ok {
				return nil
			}
			i := slices.IndexFunc(*list.Referrers(), func(r ssa.Instruction) bool { _, ok := r.(*ssa.Slice); return ok })
			if i < 0 {
				return nil
			}
			instr = (*list.Referrers())[i]
		default:
			return nil
		}
	}
	return nil
}

// receiverOf returns the object on which a call is made, nil if it is no method that it calls.
func receiverOf(call ssa.CallInstruction) ssa.Value {
	common := call.Common()
	if common.IsInvoke() {
		return common.Value
	}
	if fn := common.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(common.Args) > 0 {
		return common.Args[0]
	}
	return nil
}

// registers reports whether a call, by its signature, gives an object handlers of requests, and does not serve: what serves
// gets none, or gives back an error.
func registers(call ssa.CallInstruction) bool {
	sig := call.Common().Signature()
	for r := range sig.Results().Variables() {
		if ssautil.IsError(r.Type()) {
			return false
		}
	}
	for p := range sig.Params().Variables() {
		t := p.Type()
		if list, ok := t.Underlying().(*types.Slice); ok {
			t = list.Elem()
		}
		if f, ok := t.Underlying().(*types.Signature); ok && model.HandlerOf(f, nil) != nil || model.ServesHTTP(t) {
			return true
		}
	}
	return false
}

// madeFor returns the object that the function has made to which a value belongs: that, or what its methods give back, as a
// group of paths; nil if it has made none.
func (g *registering) madeFor(v ssa.Value) ssa.Value {
	for range maxHops {
		switch x := ssautil.Unwrap(v).(type) {
		case *ssa.Call:
			fn, _ := ssautil.Callee(&x.Call)
			library := fn != nil && fn.Pkg() != nil && !g.inScope(fn.Pkg().Path())
			if g.pkg.Makes(x) || library && model.MakesAnew(fn) {
				return x
			}
			if !library {
				return nil
			}
			if v = receiverOf(x); v == nil {
				return nil
			}
		case *ssa.FieldAddr:
			v = x.X // a router that is embedded
		case *ssa.UnOp:
			cell, ok := x.X.(*ssa.Alloc)
			if !ok {
				return nil
			}
			if v = ssautil.SoleStore(cell); v == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// A passing looks for the first place where an object goes to someone else.
type passing struct {
	at    int
	order *ssautil.Order
	seen  map[ssa.Value]bool
}

// goes notes a place where others may come to know the object, or begin to serve it.
func (u *passing) goes(instr ssa.Instruction) {
	u.at = min(u.at, u.order.At(instr.Block(), slices.Index(instr.Block().Instrs, instr)))
}

// follow goes through the uses of an object, of what holds it, and of its parts.
func (u *passing) follow(v ssa.Value) {
	if u.seen[v] || v.Referrers() == nil {
		return
	}
	u.seen[v] = true
	for _, r := range *v.Referrers() {
		if len(u.seen) > maxRegistryUses {
			u.at = 0
			return
		}
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.ChangeType, *ssa.FieldAddr, *ssa.Field, *ssa.UnOp, *ssa.IndexAddr:
			u.follow(r.(ssa.Value))
		case *ssa.Store:
			u.stored(r, v)
		case *ssa.Call:
			u.called(r, v)
		default:
			u.goes(r)
		}
	}
}

// stored follows what is put into a variable of the function, or into a field of one.
func (u *passing) stored(st *ssa.Store, v ssa.Value) {
	if st.Val != v {
		return // it gets something
	}
	at := st.Addr
	for range maxHops {
		field, ok := at.(*ssa.FieldAddr)
		if !ok {
			break
		}
		at = field.X
	}
	if cell, ok := at.(*ssa.Alloc); ok {
		u.follow(cell)
		return
	}
	u.goes(st)
}

// called follows what a method gives back that is called on the object; a method that registers nothing and gives back
// nothing, or an error, may serve.
func (u *passing) called(call *ssa.Call, v ssa.Value) {
	if receiverOf(call) != v {
		u.goes(call)
		return
	}
	results := call.Call.Signature().Results()
	fails := results.Len() > 0 && ssautil.IsError(results.At(results.Len()-1).Type())
	if !registers(call) && (results.Len() == 0 || fails) || slices.Contains(call.Call.Args[min(1, len(call.Call.Args)):], v) {
		u.goes(call)
		return
	}
	u.follow(call)
}
