package records

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

const (
	// maxOpened bounds the steps from a result back to where its object is made.
	maxOpened = 4
	// maxResultValues bounds the values of a result variable.
	maxResultValues = 6
)

// opens notes that the function is no method, and gives back, as its first result, a struct that it has made, or what
// other such functions give, if it is not nil.
func (r *runner) opens() {
	fn := r.f.SSA
	if fn.Parent() != nil || fn.Signature.Recv() != nil || fn.Signature.Results().Len() == 0 {
		return
	}
	o := opened{runner: r, only: true}
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			o.from(ret.Results[0], maxOpened)
		}
	}
	if !o.only || !o.made && len(o.by) == 0 || r.publishes() {
		return
	}
	if r.rec.Openers == nil {
		r.rec.Openers = make(map[outside.Name][]outside.Name)
	}
	slices.Sort(o.by)
	r.rec.Openers[r.node] = slices.Compact(o.by)
}

// publishes reports whether the function puts an object in a place that others know: a package-level variable, what that
// leads to, or what leads from its own parameters.
func (r *runner) publishes() bool {
	known := func(v ssa.Value) bool {
		root := r.pkg.Paths.Of(v).Root()
		return root.Kind == accesspath.Global || root.Kind == accesspath.Param
	}
	of := r.f.SSA.Signature.Results().At(0).Type()
	object := func(v ssa.Value) bool {
		v = ssautil.Unwrap(v)
		return types.AssignableTo(v.Type(), of) && !known(v) && !ssautil.IsNil(v)
	}
	return ssautil.Some(r.f.SSA, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.Store:
			_, local := instr.Addr.(*ssa.Alloc)
			return !local && object(instr.Val) && known(instr.Addr)
		case *ssa.MapUpdate:
			return object(instr.Value) && known(instr.Map)
		case *ssa.Call:
			fn, args := ssautil.Callee(&instr.Call)
			return fn != nil && fn.Signature().Recv() != nil && len(args) > 1 && known(args[0]) && slices.ContainsFunc(args[1:], object)
		}
		return false
	})
}

// An opened is where a function's result comes from.
type opened struct {
	*runner
	made bool           // a struct is made there
	by   []outside.Name // functions that give it
	only bool           // it comes from nowhere else
}

// from notes where a value comes from.
func (o *opened) from(v ssa.Value, steps int) {
	v = ssautil.Unwrap(v)
	if call, i := ssautil.CallResult(v); call != nil {
		fn := call.Call.StaticCallee()
		if i > 0 || fn == nil || fn.Object() == nil {
			o.only = false
			return
		}
		o.by = append(o.by, o.nodeOfSSA(fn))
		return
	}
	var values []ssa.Value
	switch v := v.(type) {
	case *ssa.Const:
		o.only = o.only && v.IsNil()
		return
	case *ssa.Alloc:
		_, isStruct := ssautil.Pointee(v.Type()).Underlying().(*types.Struct)
		o.made, o.only = o.made || isStruct, o.only && isStruct
		return
	case *ssa.Phi:
		values = v.Edges
	case *ssa.UnOp:
		if cell, ok := v.X.(*ssa.Alloc); ok {
			values = ssautil.AllStores(cell, maxResultValues)
		}
	}
	if len(values) == 0 || steps == 0 {
		o.only = false
		return
	}
	for _, v := range values {
		o.from(v, steps-1)
	}
}
