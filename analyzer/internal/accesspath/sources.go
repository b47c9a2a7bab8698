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

// MadeAlike reports whether p is computed from x, and constants, in the same way as q is from y. Functions are taken to be pure.
func (b *Builder) MadeAlike(p, x, q, y Path) bool { return b.madeAlike(p, x, q, y, 0) }

func (b *Builder) madeAlike(p, x, q, y Path, depth int) bool {
	switch r, o := p.Root(), q.Root(); {
	case !p.Known() || !q.Known() || depth > maxSources:
		return false
	case p == x && q == y:
		return true
	case p.IsComputed():
		if p.Computed() != q.Computed() || p.Key().Known() != q.Key().Known() || !b.madeAlike(p.Parent(), x, q.Parent(), y, depth+1) {
			return false
		}
		return !p.Key().Known() || b.madeAlike(p.Key(), x, q.Key(), y, depth+1)
	case r.Kind == Const && p.Depth() == 0:
		return p == q
	case r.Kind == Value && o.Kind == Value && p.Depth() == 0 && q.Depth() == 0:
		return b.computedAlike(r.Val, x, o.Val, y, depth)
	}
	return false
}

// computedAlike is madeAlike for what two instructions give, or for the lists of what two calls get.
func (b *Builder) computedAlike(v ssa.Value, x Path, w ssa.Value, y Path, depth int) bool {
	from, to := b.sameStep(v, w)
	if len(from) == 0 || len(from) != len(to) {
		return false
	}
	for i := range from {
		if !b.madeAlike(b.Key(from[i]), x, b.Key(to[i]), y, depth+1) {
			return false
		}
	}
	return true
}

// sameStep returns what two values are computed from, if that is done by one function or operator; nothing if it is not known.
func (b *Builder) sameStep(v, w ssa.Value) (from, to []ssa.Value) {
	switch v := v.(type) {
	case *ssa.BinOp:
		if w, ok := w.(*ssa.BinOp); ok && v.Op == w.Op {
			return []ssa.Value{v.X, v.Y}, []ssa.Value{w.X, w.Y}
		}
	case *ssa.Call:
		w, ok := w.(*ssa.Call)
		if !ok {
			return nil, nil
		}
		fn, args := ssautil.Callee(&v.Call)
		other, more := ssautil.Callee(&w.Call)
		if fn != nil && fn == other && (b.Drawn == nil || !b.Drawn(fn)) {
			return args, more
		}
	case *ssa.Alloc:
		if w, ok := w.(*ssa.Alloc); ok {
			return ssautil.Arguments(v), ssautil.Arguments(w)
		}
	}
	return nil, nil
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
