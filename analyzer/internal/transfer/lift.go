package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// targetEvents records the accesses of one callee as accesses at the call,
// and the call itself for those who ask later who calls the callee.
func (a *analysis) targetEvents(s lockset.State, instr ssa.CallInstruction, e *effect, t *target, deferred bool) {
	for _, h := range t.extra {
		s = s.Acquire(h.Lock, h.Mode, h.Acq)
	}
	kind := t.kind
	if deferred && kind == summary.Direct {
		kind = summary.Deferred
	}
	if kind == summary.Goroutine {
		a.startEvents(s, instr, e.call, t, e.model.Kind == model.Register)
		return
	}
	a.addCall(s, instr, t, kind)
	if t.sum == nil || kind == summary.Escaped {
		return
	}
	a.sum.Spawns = a.sum.Spawns || t.sum.Spawns
	results := a.resultValues(instr)
	for _, i := range t.sum.Visible {
		acc := &t.sum.Accesses[i]
		if acc.Spawned || !summary.Exported(acc) && !(t.closure && acc.Depth < summary.MaxDepth && acc.Op != access.Return) {
			continue
		}
		ev, ok := a.lift(s, instr, e, t, acc)
		if !ok {
			continue
		}
		a.throughCaptures(&ev, t, i)
		if !t.closure || ssautil.Literal(e.call.Value) == t.key {
			throughResults(&ev, t, i, results)
		}
		ev.acc.Once = ev.acc.Once || kind == summary.OnceOnly
		a.add(ev)
	}
	a.liftPairs(t)
}

// throughResults adds the results of the call that depend on the callee's i-th
// access.
func throughResults(ev *event, t *target, i int, results []ssa.Value) {
	for j, r := range t.sum.Results {
		if !slices.Contains(r.Checks, i) || j >= len(results) || results[j] == nil {
			continue
		}
		ev.outcomes = append(ev.outcomes, results[j])
		if ev.acc.Op == access.Lookup && (ssautil.IsBool(results[j].Type()) || ssautil.IsError(results[j].Type())) && !ev.acc.ContentUsed {
			ev.presence = append(ev.presence, results[j])
		}
	}
}

// throughCaptures adds the captured variables in which a literal leaves what
// it found.
func (a *analysis) throughCaptures(ev *event, t *target, i int) {
	lit, ok := t.key.(*ssa.Function)
	if !ok {
		return
	}
	for j, checks := range t.sum.Captures {
		if !slices.Contains(checks, i) || j >= len(lit.FreeVars) {
			continue
		}
		if mc := ssautil.MakerOf(lit); mc != nil && j < len(mc.Bindings) && mc.Parent() == a.fn {
			ev.outcomes = append(ev.outcomes, mc.Bindings[j])
		}
	}
}

// importedInGoroutine records what another package's function does in a
// goroutine that starts here: nobody else sees both.
func (a *analysis) importedInGoroutine(instr ssa.CallInstruction, call *ssa.CallCommon, t *target) {
	if t.sum == nil || !t.sum.Imported {
		return
	}
	e := &effect{instr: instr, call: call}
	for _, i := range t.sum.Visible {
		if acc := &t.sum.Accesses[i]; summary.Exported(acc) {
			if ev, ok := a.lift(lockset.Reached(), instr, e, t, acc); ok {
				ev.outcomes = nil
				ev.acc.Spawned = true
				a.add(ev)
			}
		}
	}
}

// lift turns a callee's access into an event of the caller.
func (a *analysis) lift(s lockset.State, instr ssa.CallInstruction, e *effect, t *target, acc *access.Access) (event, bool) {
	p := a.substitute(acc.Path, *t, instr)
	if !p.Known() {
		return event{}, false
	}
	out := *acc
	out.Path, out.Lifted = p, true
	if !t.closure {
		out.Pos, out.Depth = instr.Pos(), acc.Depth+1
	}
	out.Key = a.substitute(acc.Key, *t, instr)
	if k := out.Key.Root(); k.Kind == accesspath.Value && !t.closure && acc.Key.Root().Kind != accesspath.Param {
		out.Key = accesspath.Path{} // a key that only the callee knows
	}
	out.Resolved = !acc.Path.Location().Valid() && p.Location().Valid()
	out.Imported = acc.Imported || t.sum.Imported
	if acc.InnerFunc == "" && !t.closure {
		out.Inner, out.InnerFunc = acc.Pos, t.sum.Name
	}
	out.Held = a.liftHeld(s, acc, t, instr, e.id)
	if acc.Rechecked && a.heldAround(s, acc, t, instr) {
		out.Validated = true
	}
	if r := acc.Path.Root(); acc.Path.Depth() == 0 && r.Kind == accesspath.Param && r.Fn == t.key && r.Index < len(t.args) {
		out.Fetch, out.Fetched = a.fetched(t.args[r.Index])
	}
	ev := event{acc: out, instr: instr, inputs: e.call.Args}
	if r := acc.Path.Root(); acc.Path.Depth() == 1 && r.Kind == accesspath.Param && r.Fn == t.key && r.Index < len(t.args) {
		ev.addr = t.args[r.Index] // of the object that has the field
	}
	if acc.Op.Writes() && acc.Value.Root().Kind == accesspath.Param && acc.Value.Depth() == 0 && acc.Value.Root().Fn == t.key {
		if i := acc.Value.Root().Index; i < len(t.args) {
			ev.acc.Stored = a.stored(t.args[i])
			ev.acc.Value = a.Paths.Of(t.args[i])
			ev.value = t.args[i]
		}
	}
	if acc.Key.Root().Kind == accesspath.Param && acc.Key.Root().Fn == t.key && acc.Key.Root().Index < len(t.args) {
		ev.key = t.args[acc.Key.Root().Index]
	}
	if mc, ok := e.call.Value.(*ssa.MakeClosure); ok {
		ev.inputs = slices.Concat(mc.Bindings, ev.inputs)
	}
	return ev, true
}

// heldAround reports whether the caller holds a lock during all of the call.
func (a *analysis) heldAround(s lockset.State, acc *access.Access, t *target, instr ssa.Instruction) bool {
	for _, l := range acc.Held.Released() {
		if p := a.substituteLock(l, *t, instr); p.Known() {
			s = s.Release(p)
		}
	}
	return len(s.Held()) > 0
}

// liftHeld gives the locks held at a callee's access: the caller's that the
// callee did not release, and the callee's own, as sections of this call.
func (a *analysis) liftHeld(s lockset.State, acc *access.Access, t *target, instr ssa.Instruction, id int32) lockset.State {
	for _, l := range acc.Held.Released() {
		if p := a.substituteLock(l, *t, instr); p.Known() {
			s = s.Release(p)
		}
	}
	for _, h := range acc.Held.Held() {
		if a.refused(h.If, t) {
			continue
		}
		if p := a.substituteLock(h.Lock, *t, instr); p.Known() {
			s = s.Acquire(p, h.Mode, inCall(id, h.Acq))
		}
	}
	for _, l := range acc.Held.Maybe() {
		if p := a.substituteLock(l, *t, instr); p.Known() {
			s = s.Suspect(p)
		}
	}
	return s
}

// inCall numbers a callee's acquisition within the call that makes it.
func inCall(id int32, acq lockset.Acq) lockset.Acq {
	if acq == lockset.Many {
		return acq
	}
	sub := int32(0)
	for _, x := range acq {
		sub = sub*31 + x
	}
	return lockset.AcqOf(id<<6 | 1 + (sub&0x7fffffff)%63)
}

// resultValues returns the values of a call's results, by index.
func (a *analysis) resultValues(instr ssa.Instruction) []ssa.Value {
	v, ok := instr.(ssa.Value)
	if !ok {
		return nil
	}
	tup, ok := v.Type().(*types.Tuple)
	if !ok {
		return []ssa.Value{v}
	}
	vals := make([]ssa.Value, tup.Len())
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index < len(vals) {
			vals[x.Index] = x
		}
	}
	return vals
}

func (a *analysis) addCall(s lockset.State, instr ssa.CallInstruction, t *target, kind summary.CallKind) {
	c := summary.Call{Callee: t.key, Kind: kind, Pos: instr.Pos(), Held: s, Looped: a.reach.InLoop(instr)}
	for _, arg := range t.args {
		c.Args = append(c.Args, a.Paths.Of(arg))
	}
	a.given(&c, t, instr)
	a.sum.Calls = append(a.sum.Calls, c)
}
