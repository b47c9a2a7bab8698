package accesspath

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxSources bounds the nesting of computations in a key whose sources are asked
// for: what is deeper is not known.
const maxSources = 4

// Sources returns the variables from which a key is computed, none for a constant.
// Functions are taken to be pure. It is false where the path does not show them.
func (b *Builder) Sources(key Path) ([]Path, bool) { return b.sources(key, 0) }

func (b *Builder) sources(key Path, depth int) ([]Path, bool) {
	switch r := key.Root(); {
	case !key.Known() || depth > maxSources:
		return nil, false
	case key.IsComputed():
		x, ok := b.sources(key.Parent(), depth+1)
		if !ok || !key.Key().Known() {
			return x, ok
		}
		y, ok := b.sources(key.Key(), depth+1)
		return append(x, y...), ok
	case r.Kind == Const && key.Depth() == 0:
		return nil, true
	case r.Kind == Param || r.Kind == Global:
		return []Path{key}, true
	case r.Kind == Value && key.Depth() == 0:
		return b.operands(r.Val, depth)
	}
	return nil, false
}

// operands returns the sources of what an instruction computes.
func (b *Builder) operands(v ssa.Value, depth int) ([]Path, bool) {
	var from []ssa.Value
	switch v := v.(type) {
	case *ssa.BinOp:
		from = []ssa.Value{v.X, v.Y}
	case *ssa.Call:
		fn, args := ssautil.Callee(&v.Call)
		if fn == nil || len(args) == 0 || b.Drawn != nil && b.Drawn(fn) {
			return nil, false
		}
		from = args
	case *ssa.Alloc:
		from = ssautil.Arguments(v)
	case *ssa.Extract:
		if _, ranges := v.Tuple.(*ssa.Next); ranges {
			return []Path{b.Of(v)}, true
		}
	}
	if len(from) == 0 {
		return nil, false
	}
	var out []Path
	for _, x := range from {
		more, ok := b.sources(b.Key(x), depth+1)
		if !ok {
			return nil, false
		}
		out = append(out, more...)
	}
	return out, true
}
