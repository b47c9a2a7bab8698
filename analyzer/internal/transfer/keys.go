package transfer

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// keyOf names the value of a map key. Two computations of the same shape on
// the same operands name the same key: name(pod) twice, a + "/" + b twice. That is
// value numbering, on the assumption that functions used in keys are pure.
func (a *analysis) keyOf(v ssa.Value) accesspath.Path {
	p := a.Paths.Of(v)
	if r := p.Root(); r.Kind != accesspath.Value || p.Depth() > 0 {
		return p
	}
	shape := a.shape(p.Root().Val, 0)
	if shape == "" {
		return p
	}
	if a.shapes == nil {
		a.shapes = make(map[string]accesspath.Path)
	}
	if first, ok := a.shapes[shape]; ok {
		return first
	}
	a.shapes[shape] = p
	return p
}

// shape writes the computation of v, "" when it is none that can be repeated.
func (a *analysis) shape(v ssa.Value, depth int) string {
	if depth > 4 {
		return ""
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		x, y := a.operand(v.X, depth), a.operand(v.Y, depth)
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
			s := a.operand(arg, depth)
			if s == "" {
				return ""
			}
			b.WriteString("," + s)
		}
		return b.String()
	}
	return ""
}

func (a *analysis) operand(v ssa.Value, depth int) string {
	p := a.Paths.Of(v)
	if r := p.Root(); r.Kind == accesspath.Value && p.Depth() == 0 {
		if s := a.shape(r.Val, depth+1); s != "" {
			return s
		}
	}
	return fmt.Sprint("#", p.ID())
}
