package transfer

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// quietStays notes the places where a function without locks may wait, or runs
// code that is not known.
func (a *analysis) quietStays() {
	for i, b := range a.fn.Blocks {
		for k, instr := range b.Instrs {
			a.at = ssautil.Point{Block: int32(i), Index: int32(k)}
			a.stay(locks.Reached(), instr)
		}
	}
}

// stay notes an instruction at which the function may wait for others, or runs
// code that is not known.
func (a *analysis) stay(held locks.State, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Send:
		a.await(held, instr)
	case *ssa.Select:
		if instr.Blocking {
			a.await(held, instr)
		}
	case *ssa.UnOp:
		if instr.Op == token.ARROW || a.spin(instr) {
			a.await(held, instr)
		}
	case *ssa.MakeInterface:
		a.hands(held, instr)
	case *ssa.Call:
		if a.spin(instr) {
			a.await(held, instr)
		}
		a.calls(held, instr)
	case *ssa.Defer:
		a.calls(held, instr)
	}
}

func (a *analysis) await(held locks.State, instr ssa.Instruction) {
	a.noteStay(summary.Stay{Kind: summary.Waits, Pos: instr.Pos(), Held: held}, instr)
}

// noteStay notes a place, and who can reach the object whose lock is held there.
func (a *analysis) noteStay(s summary.Stay, instr ssa.Instruction) {
	if lock := s.OwnLock(); lock.Known() {
		s.Alone = a.own.Of(lock, instr)
	}
	a.sum.Stay(s)
}

// hands notes a value with methods of this package that a function of another
// package gets: fmt calls String, also of the elements of a slice.
func (a *analysis) hands(held locks.State, v *ssa.MakeInterface) {
	if a.fn.Pkg != nil && slices.ContainsFunc(*v.Referrers(), a.handedOn) && a.hasOwn(v.X.Type()) {
		a.sum.Stay(summary.Stay{Kind: summary.Hands, Pos: nextPos(v), Held: held, Type: v.X.Type()})
	}
}

// hasOwn reports whether a type is one of this package, or has parts of such a type with
// methods that code which goes through its values calls.
func (a *analysis) hasOwn(t types.Type) bool {
	own := func(pkg *types.Package) bool { return pkg == a.fn.Pkg.Pkg }
	if n, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named); ok && own(n.Obj().Pkg()) {
		return true
	}
	return slices.ContainsFunc(model.Contents(t, own), func(part *types.Named) bool {
		for s := range types.NewMethodSet(types.NewPointer(part)).Methods() {
			if fn, ok := s.Obj().(*types.Func); ok && model.Walked(fn) {
				return true
			}
		}
		return false
	})
}

// nextPos returns where an instruction stands: conversions have no position of
// their own, the call that follows has one.
func nextPos(instr ssa.Instruction) token.Pos {
	list := instr.Block().Instrs
	for _, next := range list[slices.Index(list, instr):] {
		if p := next.Pos(); p.IsValid() {
			return p
		}
	}
	return token.NoPos
}

// handedOn reports whether an instruction passes a value to a function of
// another package, perhaps in a slice of further arguments.
func (a *analysis) handedOn(r ssa.Instruction) bool {
	switch r := r.(type) {
	case *ssa.Store:
		_, variadic := r.Addr.(*ssa.IndexAddr)
		return variadic
	case ssa.CallInstruction:
		fn := r.Common().StaticCallee()
		return fn == nil || fn.Pkg != a.fn.Pkg && !ofSyncMap(fn)
	}
	return false
}

// ofSyncMap reports whether a function is a method of sync.Map, which keeps what it gets
// and compares it, but calls no method of it.
func ofSyncMap(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && strings.HasPrefix(obj.FullName(), "(*sync.Map).")
}

// calls notes a call of a function of which it is not known that it ends by
// itself.
func (a *analysis) calls(held locks.State, instr ssa.CallInstruction) {
	call := instr.Common()
	if _, builtin := call.Value.(*ssa.Builtin); builtin {
		return
	}
	fn, args := ssautil.Callee(call)
	e := a.effects[instr]
	if e != nil && a.modelled(held, e, instr, fn) {
		return
	}
	if a.inside(call) || e != nil && e.own > 0 && a.calmTargets(e, args) {
		a.gives(held, instr, fn, args)
		return
	}
	s := summary.Stay{Kind: summary.Calls, Pos: placeOf(instr), Held: held, Func: fn}
	switch {
	case call.IsInvoke():
		if model.Brief(fn) {
			return
		}
		s.Kind, s.Type = summary.Invokes, call.Value.Type()
	case fn == nil && model.IsCancel(call.Value.Type()):
		return
	case fn == nil && a.library(call.Value) != nil:
		s.Func = a.library(call.Value)
	case fn == nil:
		s.Kind, s.Point, s.Sig, s.Field = summary.Value, a.at, call.Signature(), a.holder(call.Value)
		s.Given = len(a.params(call.Value)) > 0
		if made, ok := ssautil.Unwrap(call.Value).(*ssa.Call); ok && !made.Call.IsInvoke() {
			s.Made, _ = ssautil.Callee(&made.Call)
		}
	case a.Summary(any(fn.Origin())) == nil && model.Brief(fn):
		a.gives(held, instr, fn, args)
		return
	}
	a.noteStay(s, instr)
}

// placeOf returns where a call stands: that of a loop's iterator has no position of
// its own, what has made the iterator has one.
func placeOf(instr ssa.CallInstruction) token.Pos {
	if p := instr.Pos(); p.IsValid() || instr.Common().IsInvoke() {
		return p
	}
	return instr.Common().Value.Pos()
}

// library returns the function of a package outside the module that has made a
// function value, as an iterator; nil if none has, or one that is given functions
// that are not known.
func (a *analysis) library(v ssa.Value) *types.Func {
	made, ok := ssautil.Unwrap(v).(*ssa.Call)
	if !ok {
		return nil
	}
	fn, args := ssautil.Callee(&made.Call)
	if fn == nil || made.Call.IsInvoke() || fn.Pkg() == nil {
		return nil
	}
	if a.inside(&made.Call) || a.Summary(any(fn.Origin())) != nil || a.givesUnknown(args) {
		return nil
	}
	return fn
}

// modelled reports whether the table says all that there is to say of a call.
func (a *analysis) modelled(held locks.State, e *effect, instr ssa.CallInstruction, fn *types.Func) bool {
	switch e.model.Kind {
	case model.Lock, model.Unlock, model.RLock, model.RUnlock, model.TryLock, model.TryRLock:
		return true // a step of the locks
	case model.Join, model.CondWait, model.Flight, model.Once:
		a.noteStay(summary.Stay{Kind: summary.Waits, Pos: instr.Pos(), Held: held, Func: fn}, instr)
		return true
	}
	return false
}

// inside reports whether a call runs a function of this package, which speaks
// for itself.
func (a *analysis) inside(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	if fn == nil || fn.Blocks == nil {
		return false
	}
	if fn.Pkg != nil {
		return fn.Pkg == a.fn.Pkg
	}
	// A wrapper, or an instance of a generic function.
	sum := a.Summary(accesspath.FuncKey(fn))
	return sum != nil && !sum.Imported
}

// calmTargets reports whether all functions that the call itself can run are
// known, and end by themselves or speak for themselves. What they get of this package's functions
// are callees of their own.
func (a *analysis) calmTargets(e *effect, args []ssa.Value) bool {
	for i := range e.targets[:e.own] {
		t := &e.targets[i]
		if t.sum == nil || t.sure == guessed {
			return false
		}
		if t.sum.Imported && !t.sum.Calm && !(t.sum.CalmWith && a.givesOwn(args)) {
			return false
		}
	}
	return true
}

// givesOwn reports whether all functions among the arguments of a call are this package's.
func (a *analysis) givesOwn(args []ssa.Value) bool {
	return !slices.ContainsFunc(args, func(v ssa.Value) bool {
		v = ssautil.Unwrap(v)
		if _, ok := v.Type().Underlying().(*types.Signature); !ok {
			return false
		}
		if made, ok := v.(*ssa.MakeClosure); ok {
			v = made.Fn
		}
		fn, ok := v.(*ssa.Function)
		return !ok || fn.Pkg == nil || fn.Pkg != a.fn.Pkg
	})
}

// gives notes that a call passes functions that are not known, which it may run.
func (a *analysis) gives(held locks.State, instr ssa.CallInstruction, fn *types.Func, args []ssa.Value) {
	for _, v := range args {
		if v = ssautil.Unwrap(v); a.unknownFunc(v) {
			sig, _ := v.Type().Underlying().(*types.Signature)
			a.sum.Stay(summary.Stay{Kind: summary.Value, Pos: instr.Pos(), Held: held, Func: fn, Sig: sig, Given: len(a.params(v)) > 0})
		}
	}
}

// givesUnknown reports whether a function that is not known is among the
// arguments of a call of a library function, which may run it.
func (a *analysis) givesUnknown(args []ssa.Value) bool {
	return slices.ContainsFunc(args, func(v ssa.Value) bool { return a.unknownFunc(ssautil.Unwrap(v)) })
}

// unknownFunc reports whether a value is a function that is not known.
func (a *analysis) unknownFunc(v ssa.Value) bool {
	if _, ok := v.Type().Underlying().(*types.Signature); !ok {
		return false
	}
	switch v := v.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.Const:
		return false
	case *ssa.Call: // an iterator of the library's, as maps.Keys gives one
		fn, args := ssautil.Callee(&v.Call)
		return fn == nil || v.Call.IsInvoke() || !model.Brief(fn) || a.givesUnknown(args)
	}
	return true
}

// holder returns the field or variable that a function value is read from.
func (a *analysis) holder(v ssa.Value) *types.Var {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	return a.Paths.Of(load.X).Location().Var
}
