package depend

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// KeyOf names the value of a map key. Two computations of the same shape on
// the same operands name the same key: name(pod) twice, a + "/" + b twice; so
// does a field that was given the value and never another one. That is value
// numbering, on the assumption that functions used in keys are pure.
func (f *Func) KeyOf(v ssa.Value) accesspath.Path {
	p := f.Paths.Key(f.origin(v))
	if r := p.Root(); r.Kind != accesspath.Value || p.Depth() > 0 {
		return p
	}
	shape := f.shape(p.Root().Val, 0)
	if shape == "" {
		return p
	}
	if f.shapes == nil {
		f.shapes = make(map[string]accesspath.Path)
	}
	if first, ok := f.shapes[shape]; ok {
		return first
	}
	f.shapes[shape] = p
	return p
}

// origin follows a key through conversions, and through a field of an object
// made here to the one value that is stored in it.
func (f *Func) origin(v ssa.Value) ssa.Value {
	for range accesspath.MaxSteps {
		v = ssautil.Unwrap(v)
		ld, ok := v.(*ssa.UnOp)
		if !ok || ld.Op != token.MUL {
			return v
		}
		field, ok := ld.X.(*ssa.FieldAddr)
		if !ok {
			return v
		}
		made, ok := f.Paths.Of(field).Root().Val.(*ssa.Alloc)
		if !ok || made.Parent() != f.Fn {
			return v
		}
		stores := f.storesTo(f.Paths.Of(field))
		if len(stores) != 1 || !ssautil.Dominates(stores[0], ld) {
			return v
		}
		v = stores[0].Val
	}
	return v
}

// maxShape bounds the computations that are compared by their shape.
const maxShape = 4

// shape writes the computation of v, "" when it is none that can be repeated.
func (f *Func) shape(v ssa.Value, depth int) string {
	if depth > maxShape {
		return ""
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		x, y := f.operand(v.X, depth), f.operand(v.Y, depth)
		if x == "" || y == "" {
			return ""
		}
		return "(" + x + v.Op.String() + y + ")"
	case *ssa.Call:
		fn, args := ssautil.Callee(&v.Call)
		if fn == nil || len(args) == 0 {
			return ""
		}
		var b strings.Builder
		b.WriteString(fn.FullName())
		for _, arg := range args {
			s := f.operand(arg, depth)
			if s == "" {
				return ""
			}
			b.WriteString("," + s)
		}
		return b.String()
	}
	return ""
}

func (f *Func) operand(v ssa.Value, depth int) string {
	p := f.Paths.Of(v)
	if r := p.Root(); r.Kind == accesspath.Value && p.Depth() == 0 {
		if s := f.shape(r.Val, depth+1); s != "" {
			return s
		}
	}
	return fmt.Sprint("#", p.ID())
}
