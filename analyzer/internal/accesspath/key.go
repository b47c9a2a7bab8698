package accesspath

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Key returns the path of a key or an index. What is computed from other values
// is named by the computation, so that shards[index(k)] is one shard wherever
// it is written, in callers too. Functions used in keys are taken to be pure;
// one that gets nothing that varies, or draws its result, is not.
func (b *Builder) Key(v ssa.Value) Path {
	if p := b.computed(v, 0); p.Known() {
		return p
	}
	return b.Of(v)
}

// maxComputed bounds the nesting of computations that have a name.
const maxComputed = 3

func (b *Builder) computed(v ssa.Value, depth int) Path {
	if depth > maxComputed {
		return Path{}
	}
	operand := func(x ssa.Value) Path {
		if p := b.computed(x, depth+1); p.Known() {
			return p
		}
		return b.Of(x)
	}
	switch v := v.(type) {
	case *ssa.Convert:
		return b.computed(v.X, depth)
	case *ssa.ChangeType:
		return b.computed(v.X, depth)
	case *ssa.BinOp:
		return b.Apply(operand(v.X), v.Op, operand(v.Y))
	case *ssa.Call:
		fn, args := ssautil.Callee(&v.Call)
		if fn == nil || len(args) == 0 || len(args) > 2 || !b.repeats(v, fn, args) {
			return Path{}
		}
		var second Path
		if len(args) == 2 {
			second = operand(args[1])
		}
		return b.Apply(operand(args[0]), fn.Origin(), second)
	}
	return Path{}
}

// repeats reports whether a call gives the same plain value each time it gets
// the same arguments, of which one is a plain value that varies, or the object whose name it gives.
func (b *Builder) repeats(call *ssa.Call, fn *types.Func, args []ssa.Value) bool {
	if _, plain := call.Type().Underlying().(*types.Basic); !plain || b.Drawn != nil && b.Drawn(fn) {
		return false
	}
	if len(args) == 1 && fn.Signature().Recv() != nil && b.Named != nil && b.Named(fn) {
		return true
	}
	for _, arg := range args {
		_, constant := arg.(*ssa.Const)
		if _, plain := arg.Type().Underlying().(*types.Basic); plain && !constant {
			return true
		}
	}
	return false
}

// Made returns the path of what a field of a new struct was given where it was made, if p is that field:
// an object that is made for a key, and has it, is put in under that key. Else it returns p.
func (b *Builder) Made(p Path) Path {
	f, r := p.LastField(), p.Root()
	if f == nil || r.Kind != Value || p.Depth() != 1 {
		return p
	}
	if given := ssautil.MadeWith(r.Val, f); given != nil {
		if k := b.Key(given); k.Known() {
			return k
		}
	}
	return p
}

// Counter returns the value of which a key is made by adding constants, or taking them off: one value for each value of that.
// It is nil if there is none.
func (p Path) Counter() ssa.Value {
	for p.IsComputed() && p.Key().InConst() && (p.Computed() == token.ADD || p.Computed() == token.SUB) {
		p = p.Parent()
	}
	if p.Depth() > 0 || p.Root().Kind != Value {
		return nil
	}
	return p.Root().Val
}

// Holder returns the element of a slice, an array or a map that holds what p leads to: with the fields in it, by value, and
// the map in the last of them. The unknown path if there is none.
func (p Path) Holder() Path {
	for first := true; p.Depth() > 0 && !p.IsElem(); p, first = p.Parent(), false {
		field := p.LastField()
		if field == nil {
			return Path{}
		}
		if _, within := field.Type().Underlying().(*types.Struct); !within && !(first && ssautil.IsMap(field.Type())) {
			return Path{}
		}
	}
	if p.Depth() == 0 {
		return Path{}
	}
	return p
}
