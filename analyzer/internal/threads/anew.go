package threads

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxAnew bounds the calls through which it is followed what a function gives.
const maxAnew = 3

// An asking tells of each argument of a call whether it is another one in each round of a loop.
type asking []bool

// givenAnew reports whether a call in a loop gives something else in each round, as far as is known: what it makes, or
// what a map has under a key that comes from what the loop counts, walks or receives. A function of which nothing is
// known is taken to give another object for another name, or for another object, unless all that varies is a
// number that counts the rounds, or a context.
func (t *Theory) givenAnew(v ssa.Value, reach *ssautil.Reach) bool {
	call, result := ssautil.CallResult(v)
	if call == nil {
		return false
	}
	args := call.Call.Args
	if call.Call.IsInvoke() {
		args = append([]ssa.Value{call.Call.Value}, args...)
	}
	ask := make(asking, len(args))
	named := false
	for i, arg := range args {
		ask[i] = ssautil.Varies(arg, call.Block(), reach)
		named = named || ask[i] && names(arg)
	}
	callees := t.calleesOf(&call.Call)
	if len(callees) > 0 && t.allGiveAnew(callees, result, make(asking, len(args)), 0) {
		return true // it makes or receives what it gives
	}
	if !slices.Contains(ask, true) {
		return false
	}
	if len(callees) == 0 {
		return named
	}
	return t.allGiveAnew(callees, result, ask, 0)
}

// names reports whether an argument tells which object is asked for: it is neither a context nor the number of a round.
func names(arg ssa.Value) bool {
	if _, counts := arg.(*ssa.Phi); counts {
		return false
	}
	n, ok := types.Unalias(arg.Type()).(*types.Named)
	return !ok || n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "context"
}

// calleesOf returns the functions of the package that a call runs: the one that it names, or the methods of its types
// that implement an interface's; none if it is code of others.
func (t *Theory) calleesOf(call *ssa.CallCommon) (out []*ssa.Function) {
	if fn := call.StaticCallee(); fn != nil {
		if f := t.pkg.Lookup(accesspath.FuncKey(fn)); f != nil && len(fn.Blocks) > 0 {
			out = append(out, fn)
		}
		return out
	}
	if !call.IsInvoke() {
		return nil
	}
	iface, ok := call.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for _, f := range t.pkg.Funcs {
		recv := f.SSA.Signature.Recv()
		if recv != nil && f.SSA.Name() == call.Method.Name() && types.Implements(recv.Type(), iface) {
			out = append(out, f.SSA)
		}
	}
	return out
}

func (t *Theory) allGiveAnew(fns []*ssa.Function, result int, ask asking, depth int) bool {
	return !slices.ContainsFunc(fns, func(fn *ssa.Function) bool { return !t.givesAnew(fn, result, ask, depth) })
}

// givesAnew reports whether a function gives another object for other arguments, whatever it returns.
func (t *Theory) givesAnew(fn *ssa.Function, result int, ask asking, depth int) bool {
	if f := t.pkg.Lookup(accesspath.FuncKey(fn)); f != nil && f.Own != nil && f.Own.Moved.Has(result) {
		return true
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || result >= len(ret.Results) {
			continue
		}
		if !t.isAnew(ssautil.ResultAt(ret, result), ask, depth) {
			return false
		}
	}
	return true
}

// isAnew reports whether a value is another one where a function gets other arguments: it is made, or found under one.
func (t *Theory) isAnew(v ssa.Value, ask asking, depth int) bool {
	if depth > maxAnew {
		return false
	}
	v = ssautil.Unwrap(v)
	if _, ok := t.born(v, 0); ok || ssautil.Received(v) {
		return true
	}
	switch x := v.(type) {
	case *ssa.Phi:
		return !slices.ContainsFunc(x.Edges, func(e ssa.Value) bool { return !t.isAnew(e, ask, depth+1) })
	case *ssa.Lookup:
		return ask.of(x.Index)
	case *ssa.TypeAssert:
		return t.isAnew(x.X, ask, depth)
	case *ssa.Extract:
		switch tuple := x.Tuple.(type) {
		case *ssa.Lookup:
			return ask.of(tuple.Index)
		case *ssa.TypeAssert:
			return t.isAnew(tuple.X, ask, depth)
		}
	}
	call, result := ssautil.CallResult(v)
	if call == nil {
		return false
	}
	inner := make(asking, len(call.Call.Args))
	for i, arg := range call.Call.Args {
		inner[i] = ask.of(arg)
	}
	callees := t.calleesOf(&call.Call)
	if len(callees) == 0 || call.Call.IsInvoke() {
		return slices.Contains(inner, true)
	}
	return t.allGiveAnew(callees, result, inner, depth+1)
}

// of reports whether a value is an argument that is another one in each round, or its conversion.
func (a asking) of(v ssa.Value) bool {
	if c, ok := v.(*ssa.Convert); ok {
		v = c.X
	}
	p, ok := ssautil.Unwrap(v).(*ssa.Parameter)
	if !ok {
		return false
	}
	i := slices.Index(p.Parent().Params, p)
	return i >= 0 && i < len(a) && a[i]
}
