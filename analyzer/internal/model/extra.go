package model

import (
	"go/types"
	"strings"
)

// An Extra is a table of functions and types that a user adds to the one of
// this package. Its names are plain: path.Func, path.Type.Method. A nil Extra
// adds nothing.
type Extra struct {
	rows map[string]Effect
	maps map[string]bool
}

// NewExtra returns a table with the given functions, and with concurrent maps
// whose methods have the usual names.
func NewExtra(functions map[Kind][]string, maps []string) *Extra {
	x := &Extra{rows: make(map[string]Effect), maps: make(map[string]bool)}
	for _, name := range maps {
		x.maps[name] = true
		for kind, methods := range concurrentMethods {
			for _, m := range strings.Fields(methods) {
				x.rows[name+"."+m] = Effect{Kind: kind, Arg: 1}
			}
		}
	}
	for kind, names := range functions {
		for _, name := range names {
			x.rows[name] = Effect{Kind: kind}
		}
	}
	return x
}

// Lookup is [Lookup], with the rows that were added.
func (x *Extra) Lookup(fn *types.Func) Effect {
	if e, ok := x.row(fn); ok {
		return e
	}
	return Lookup(fn)
}

// Listed is [Listed], with the rows that were added.
func (x *Extra) Listed(fn *types.Func) bool {
	_, ok := x.row(fn)
	return ok || Listed(fn)
}

func (x *Extra) row(fn *types.Func) (Effect, bool) {
	if x == nil || fn == nil || len(x.rows) == 0 {
		return Effect{}, false
	}
	e, ok := x.rows[plainName(fn.Origin())]
	return e, ok
}

// plainName is path.Func or path.Type.Method.
func plainName(fn *types.Func) string {
	if fn.Pkg() == nil {
		return fn.Name()
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Pkg().Path() + "." + fn.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return fn.Pkg().Path() + "." + n.Obj().Name() + "." + fn.Name()
	}
	return fn.Pkg().Path() + "." + fn.Name()
}

// IsConcurrentMap is [IsConcurrentMap], with the types that were added.
func (x *Extra) IsConcurrentMap(t types.Type) bool {
	if x != nil && len(x.maps) > 0 {
		e := types.Unalias(t)
		if p, ok := e.(*types.Pointer); ok {
			e = types.Unalias(p.Elem())
		}
		if n, ok := e.(*types.Named); ok && n.Obj().Pkg() != nil && x.maps[n.Obj().Pkg().Path()+"."+n.Obj().Name()] {
			return true
		}
	}
	return IsConcurrentMap(t)
}
