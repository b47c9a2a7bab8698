package transfer

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An effect is all that one call instruction does, worked out once.
type effect struct {
	instr   ssa.CallInstruction
	call    *ssa.CallCommon
	id      int32 // its number in the function
	model   model.Effect
	recv    ssa.Value // the receiver, for modelled methods
	targets []target
	open    []open // what it runs for the callers
	own     int    // the first so many targets are the called function itself
	builtin string

	does []locks.Effect // to the locks, one after the other
	wait locks.Section  // of a condition variable: all write locks are retaken
	away bool           // it does not come back, as far as is known yet
}

// effectOf works out what a call does; nil if nothing that matters.
func (a *analysis) effectOf(instr ssa.CallInstruction, call *ssa.CallCommon, id int32) *effect {
	e := &effect{instr: instr, call: call, id: id}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		e.builtin = b.Name()
		if mapBuiltin(b.Name()) && len(call.Args) > 0 && ssautil.IsMap(call.Args[0].Type()) {
			a.fromMark(e)
			return e
		}
		return nil
	}
	fn, args := ssautil.Callee(call)
	e.model = a.Model.Lookup(fn)
	if len(args) > 0 {
		e.recv = args[0]
	}
	e.targets = a.targets(call, fn, args)
	for i := range e.targets {
		t := &e.targets[i]
		t.section(a.numbering(e.id))
		if t.sum != nil && t.sum.Unread {
			a.sum.Cut(fmt.Sprintf("a call of %s, which has more than %d instructions: it is taken to touch no map and to keep all locks", t.sum.Name, MaxInstrs))
		}
	}
	e.own = len(e.targets)
	a.functionArgs(e, args)
	if onlyLock(e.model.Kind, e.recv) || !a.fromSummaries(e) {
		a.fromModel(e)
	}
	a.fromMark(e)
	a.alsoByOwn(e)
	if e.model.Kind == model.None && len(e.targets) == 0 && len(e.open) == 0 && !e.changesLocks() {
		return nil
	}
	return e
}

func mapBuiltin(name string) bool { return name == "delete" || name == "clear" || name == "len" }

// copiedLock reports whether the lock at addr lies in a local copy of a
// struct: such a lock protects nothing.
func copiedLock(addr ssa.Value) bool {
	for range accesspath.MaxSteps {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
		case *ssa.IndexAddr:
			if _, ok := ssautil.Pointee(v.X.Type()).Underlying().(*types.Array); !ok {
				return false
			}
			addr = v.X
		case *ssa.Alloc:
			for _, r := range *v.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(v) && model.HoldsLock(st.Val.Type()) {
					if _, zero := st.Val.(*ssa.Const); !zero && !composed(st.Val) {
						return true
					}
				}
			}
			return false
		default:
			return false
		}
	}
	return false
}

// composed reports whether a struct is put together for the one place that it is
// stored in, as a composite literal is.
func composed(v ssa.Value) bool {
	ld, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	made, ok := ld.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range *made.Referrers() {
		if f, ok := r.(*ssa.FieldAddr); ok && onlySet(f) || r == ssa.Instruction(ld) {
			continue
		}
		return false
	}
	return true
}

// onlySet reports whether nothing is done with the variable at addr but to set it.
func onlySet(addr ssa.Value) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(r ssa.Instruction) bool {
		st, ok := r.(*ssa.Store)
		return !ok || st.Addr != addr
	})
}

// substitute expresses a path of the callee in the caller's terms.
func (a *Env) substitute(p accesspath.Path, t target, at ssa.Instruction) accesspath.Path {
	if !p.Known() {
		return p
	}
	return a.Paths.Substitute(p, a.fallbackKey(t, at), func(r accesspath.Root) (accesspath.Path, bool) {
		if b, ok := t.boundTo(r); ok {
			return b.Arg, b.Arg.Known()
		}
		switch r.Kind {
		case accesspath.Param:
			if r.Fn == t.key {
				if r.Index < len(t.args) {
					return a.Paths.Of(t.args[r.Index]), true
				}
				return accesspath.Path{}, false
			}
			return a.Paths.Root(r), t.closure
		case accesspath.Result:
			return a.resultPathAt(r, t, at)
		case accesspath.Global, accesspath.Const, accesspath.Place:
			return a.Paths.Root(r), true
		}
		return a.Paths.Root(r), t.closure
	})
}

// fallbackKey names an element whose key only the callee knows. Calls of one
// accessor with equal arguments, in one function, name the same element.
func (a *Env) fallbackKey(t target, at ssa.Instruction) accesspath.Path {
	v, ok := at.(ssa.Value)
	if !ok {
		return accesspath.Path{}
	}
	id := accessor{fn: at.Parent(), callee: t.key}
	for i, arg := range t.args {
		if p := a.Paths.Of(arg); i < len(id.args) {
			id.args[i] = p
		} else {
			id.rest += fmt.Sprint(p.ID(), " ")
		}
	}
	if a.accessors == nil {
		a.accessors = make(map[accessor]ssa.Value)
	}
	if first, ok := a.accessors[id]; ok {
		v = first
	} else {
		a.accessors[id] = v
	}
	return a.Paths.Root(accesspath.Root{Kind: accesspath.Value, Val: v})
}

// An accessor is a callee with its arguments, in one function.
type accessor struct {
	fn     *ssa.Function
	callee any
	args   [3]accesspath.Path
	rest   string // the numbers of the other arguments
}

// ResultPath returns the storage that a call's result denotes, if the callee
// is an accessor. It serves as the path builder's Result.
func (a *Env) ResultPath(call *ssa.Call, index int) accesspath.Path {
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil {
		return accesspath.Path{}
	}
	if call.Call.IsInvoke() {
		return a.dispatchedLock(&call.Call, index)
	}
	switch k := a.Model.Lookup(fn).Kind; k {
	case model.RLocker:
		return a.Paths.Elem(a.Paths.Of(args[0]), a.Paths.Root(accesspath.Root{Kind: accesspath.Const, Const: model.RLockerKey}))
	case model.ConcurrentLoad, model.ConcurrentAtomic:
		if index == 0 && len(args) > 1 {
			return a.Paths.Elem(a.Paths.Of(args[0]), a.Paths.Of(args[1]))
		}
	}
	key := any(fn.Origin())
	sum := a.Summary(key)
	if sum == nil || index >= len(sum.Results) || !sum.Results[index].Path.Known() {
		return accesspath.Path{}
	}
	return a.resultAt(call, index, target{key: key, sum: sum, args: args})
}

// resultAt is ResultPath for a known callee. A result that is a copy is an
// object of its own, which the call names.
func (a *Env) resultAt(call *ssa.Call, index int, t target) accesspath.Path {
	res := &t.sum.Results[index]
	from := a.substitute(res.Path, t, call)
	if len(res.Apart) == 0 || !from.Known() {
		return from
	}
	v := ssautil.ResultOf(call, index)
	if v == nil {
		return accesspath.Path{}
	}
	fields := make([]*types.Var, len(res.Apart))
	for i, p := range res.Apart {
		fields[i] = p.LastField()
	}
	return a.Paths.Copy(v, from, fields)
}
