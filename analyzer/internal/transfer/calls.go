package transfer

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An effect is all that one call instruction does, worked out once.
type effect struct {
	instr   ssa.CallInstruction
	call    *ssa.CallCommon
	acq     lockset.Acq
	id      int32
	model   model.Effect
	recv    ssa.Value // the receiver, for modelled methods
	targets []target
	open    []open // what it runs for the callers

	release []accesspath.Path
	acquire []lockset.Held
	wait    bool
	tryLock accesspath.Path
	tryMode lockset.Mode
	builtin string
}

func (e *effect) changesLocks() bool {
	return len(e.release) > 0 || len(e.acquire) > 0 || e.wait || e.tryLock.Known()
}

// apply is the call's effect on the lock set.
func (e *effect) apply(s lockset.State) lockset.State {
	for _, l := range e.release {
		s = s.Release(l)
	}
	for _, h := range e.acquire {
		s = s.Acquire(h.Lock, h.Mode, h.Acq)
	}
	if e.wait {
		s = s.Reacquire(e.acq, func(h lockset.Held) bool { return h.Mode == lockset.Write })
	}
	return s
}

// effectOf works out what a call does; nil if nothing that matters.
func (a *analysis) effectOf(instr ssa.CallInstruction, call *ssa.CallCommon, id int32) *effect {
	e := &effect{instr: instr, call: call, id: id, acq: lockset.AcqOf(id << 6)}
	if b, ok := call.Value.(*ssa.Builtin); ok {
		e.builtin = b.Name()
		if mapBuiltin(b.Name()) && len(call.Args) > 0 && ssautil.IsMap(call.Args[0].Type()) {
			return e
		}
		return nil
	}
	fn, args := ssautil.Callee(call)
	e.model = model.Lookup(fn)
	if len(args) > 0 {
		e.recv = args[0]
	}
	e.targets = a.targets(call, fn, args)
	for i := range e.targets {
		e.targets[i].section(e.acq)
	}
	a.functionArgs(e, args)
	if a.fromSummaries(e) {
		return e
	}
	a.fromModel(e)
	if e.model.Kind == model.None && len(e.targets) == 0 && len(e.open) == 0 && !e.changesLocks() {
		return nil
	}
	return e
}

func mapBuiltin(name string) bool { return name == "delete" || name == "clear" || name == "len" }

// fromSummaries applies the lock effects of callees with bodies.
func (a *analysis) fromSummaries(e *effect) bool {
	changed := false
	for i := range e.targets {
		t := &e.targets[i]
		if t.sum == nil || t.kind != summary.Direct || t.sure != certain || len(e.targets) > 1 && e.call.IsInvoke() {
			continue
		}
		eff := t.sum.Effect
		for _, l := range eff.Released {
			if p := a.substituteLock(l, *t, e.instr); p.Known() {
				e.release = append(e.release, p)
				changed = true
			}
		}
		for _, h := range eff.Acquired {
			if a.refused(h.If, t) {
				continue
			}
			if p := a.substituteLock(h.Lock, *t, e.instr); p.Known() {
				e.acquire = append(e.acquire, lockset.Held{Lock: p, Mode: h.Mode, Acq: e.acq})
				changed = true
			}
		}
	}
	return changed
}

// refused reports whether the caller passes a constant under which the callee
// does not take the lock.
func (a *analysis) refused(c lockset.Cond, t *target) bool {
	r := c.Val.Root()
	if r.Kind != accesspath.Param || r.Fn != t.key || c.Val.Depth() > 0 || r.Index >= len(t.args) {
		return false
	}
	k, ok := t.args[r.Index].(*ssa.Const)
	return ok && k.Value != nil && k.Value.String() != fmt.Sprint(c.Truth)
}

// fromModel applies a library function's effect on locks.
func (a *analysis) fromModel(e *effect) {
	if e.call.Value == nil {
		return
	}
	if e.model.Kind == model.None {
		a.fromReleaser(e)
		return
	}
	if e.recv == nil || copiedLock(e.recv) {
		return
	}
	lock, reading := a.lockPath(a.Paths.Of(e.recv), e.recv)
	if reading && e.model.Kind == model.Lock {
		e.model.Kind = model.RLock
	}
	hold := func(m lockset.Mode) { e.acquire = append(e.acquire, lockset.Held{Lock: lock, Mode: m, Acq: e.acq}) }
	switch e.model.Kind {
	case model.Lock:
		hold(lockset.Write)
	case model.RLock:
		hold(lockset.Read)
	case model.Unlock, model.RUnlock:
		e.release = append(e.release, lock)
	case model.TryLock:
		e.tryLock, e.tryMode = lock, lockset.Write
	case model.TryRLock:
		e.tryLock, e.tryMode = lock, lockset.Read
	case model.CondWait:
		e.wait = true
	}
}

// fromReleaser handles "defer c.lock()()": calling a result that unlocks.
func (a *analysis) fromReleaser(e *effect) {
	index := 0
	v := e.call.Value
	if x, ok := v.(*ssa.Extract); ok {
		v, index = x.Tuple, x.Index
	}
	c, ok := v.(*ssa.Call)
	if !ok {
		return
	}
	fn, args := ssautil.Callee(&c.Call)
	for _, t := range a.targets(&c.Call, fn, args) {
		if t.sum == nil || index >= len(t.sum.Results) {
			continue
		}
		for _, l := range t.sum.Results[index].Releases {
			if p := a.substitute(l, t, c); p.Known() {
				e.release = append(e.release, p)
			}
		}
	}
}

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
					if _, zero := st.Val.(*ssa.Const); !zero {
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

// substitute expresses a path of the callee in the caller's terms.
func (a *Env) substitute(p accesspath.Path, t target, at ssa.Instruction) accesspath.Path {
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
	var id strings.Builder
	fmt.Fprintf(&id, "%p %p", at.Parent(), t.key)
	for _, arg := range t.args {
		fmt.Fprintf(&id, " %d", a.Paths.Of(arg).ID())
	}
	if a.accessors == nil {
		a.accessors = make(map[string]ssa.Value)
	}
	if first, ok := a.accessors[id.String()]; ok {
		v = first
	} else {
		a.accessors[id.String()] = v
	}
	return a.Paths.Root(accesspath.Root{Kind: accesspath.Value, Val: v})
}

// ResultPath returns the storage that a call's result denotes, if the callee
// is an accessor. It serves as the path builder's Result.
func (a *Env) ResultPath(call *ssa.Call, index int) accesspath.Path {
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || call.Call.IsInvoke() {
		return accesspath.Path{}
	}
	switch k := model.Lookup(fn).Kind; k {
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
	return a.substitute(sum.Results[index].Path, target{key: key, sum: sum, args: args}, call)
}
