package transfer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// targetEvents records the accesses of one callee as accesses at the call,
// and the call itself for those who ask later who calls the callee. It returns
// the accesses of a function that the callee was given.
func (a *analysis) targetEvents(s locks.State, instr ssa.CallInstruction, e *effect, t *target, deferred bool) (runs []run) {
	s = t.enter(s)
	kind := t.kind
	if deferred && kind == summary.Direct {
		kind = summary.Deferred
	}
	if kind == summary.Goroutine {
		a.startEvents(s, instr, e.call, t, e.model.Kind == model.Register || t.registered)
		return nil
	}
	a.addCall(s, instr, t, kind)
	if t.sum == nil || kind == summary.Escaped {
		return nil
	}
	a.sum.Spawns = a.sum.Spawns || t.sum.Spawns
	a.leaves(instr, t)
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
		if e.call.Method == nil && len(t.sum.Runs) > 0 {
			a.throughRuns(&ev, e, t, i)
		}
		if !t.closure || ssautil.Literal(e.call.Value) == t.key {
			throughResults(&ev, t, i, results)
			a.throughCounters(&ev, t, i, results)
		}
		ev.acc.Once = ev.acc.Once || kind == summary.OnceOnly
		n := len(a.events)
		if a.add(ev); len(a.events) > n && t.slot > 0 {
			runs = append(runs, run{event: n, slot: t.slot, index: i, of: t})
		}
	}
	a.liftPairs(t)
	return runs
}

// throughResults adds the results of the call that depend on the callee's i-th
// access.
func throughResults(ev *event, t *target, i int, results []ssa.Value) {
	for j, r := range t.sum.Results {
		k := slices.Index(r.Checks, i)
		if k < 0 || j >= len(results) || results[j] == nil {
			continue
		}
		ev.outcomes = append(ev.outcomes, results[j])
		if ev.senses == nil {
			ev.senses = make(map[ssa.Value]depend.Sense)
		}
		ev.senses[results[j]] = r.Sense(k)
		if k < len(r.Misses) {
			if ev.misses == nil {
				ev.misses = make(map[ssa.Value]depend.Sense)
			}
			ev.misses[results[j]] = r.Misses[k]
		}
		if ev.acc.Op == access.Lookup && (ssautil.IsBool(results[j].Type()) || ssautil.IsError(results[j].Type())) && !ev.acc.ContentUsed {
			ev.presence = append(ev.presence, results[j])
		}
	}
}

// throughCaptures adds the captured variables in which a literal leaves what
// it found, and those from which it computes what it writes.
func (a *analysis) throughCaptures(ev *event, t *target, i int) {
	lit, ok := t.key.(*ssa.Function)
	if !ok {
		return
	}
	mc := ssautil.MakerOf(lit)
	if mc == nil || mc.Parent() != a.fn {
		return
	}
	for _, j := range t.sum.Feeds[i] {
		if j < len(mc.Bindings) {
			ev.from = append(ev.from, mc.Bindings[j])
		}
	}
	for j, left := range t.sum.Captures {
		k := slices.IndexFunc(left, func(c summary.Capture) bool { return c.Check == i })
		if k < 0 || j >= len(mc.Bindings) {
			continue
		}
		ev.outcomes = append(ev.outcomes, reads(mc.Bindings[j])...)
		if left[k].Sense != depend.NoSense {
			ev.tellsPresence(mc.Bindings[j], lit.FreeVars[j], left[k])
		}
	}
}

// tellsPresence notes how a variable tells presence in which one literal alone
// leaves an outcome, and which is zero before.
func (ev *event) tellsPresence(v ssa.Value, captured *ssa.FreeVar, left summary.Capture) {
	cell, ok := v.(*ssa.Alloc)
	if !ok || !ssautil.SetBy(cell, captured) {
		return
	}
	if ev.senses == nil {
		ev.senses = make(map[ssa.Value]depend.Sense)
	}
	read := reads(cell)
	for _, ld := range read[1:] {
		ev.senses[ld] = left.Sense
	}
	if left.Presence {
		ev.presence = append(ev.presence, read...)
	}
}

// reads returns a variable that a literal sets, and what the function around it
// reads from it.
func reads(v ssa.Value) []ssa.Value {
	out := []ssa.Value{v}
	cell, ok := v.(*ssa.Alloc)
	if !ok {
		return out
	}
	for _, r := range *cell.Referrers() {
		if ld, ok := r.(*ssa.UnOp); ok {
			out = append(out, ld)
		}
	}
	return out
}

// inGoroutine records what runs in a goroutine that starts here: all that
// another package's function does, of which nothing else sees both sides, and
// the entries that one of this package puts in, which the look that started it
// may have decided on.
func (a *analysis) inGoroutine(instr ssa.CallInstruction, call *ssa.CallCommon, t *target) {
	if t.sum == nil {
		return
	}
	e := &effect{instr: instr, call: call, id: -int32(len(a.starts)) - 1} // sections of its own
	for _, i := range t.sum.Visible {
		acc := &t.sum.Accesses[i]
		puts := acc.Op == access.Insert || acc.Op == access.Store
		nameable := summary.Exported(acc) || t.closure
		if acc.Spawned || !nameable || !t.sum.Imported && !puts {
			continue
		}
		if ev, ok := a.lift(t.enter(locks.Reached()), instr, e, t, acc); ok {
			ev.outcomes = nil
			ev.acc.Spawned = true
			a.add(ev)
		}
	}
}

// lift turns a callee's access into an event of the caller.
func (a *analysis) lift(s locks.State, instr ssa.CallInstruction, e *effect, t *target, acc *access.Access) (event, bool) {
	p := a.settleKeys(a.substitute(acc.Path, *t, instr), instr)
	if acc.Op.OfVariable() {
		p = a.variable(p, acc.Path, t, instr)
	}
	when, met := a.liftWhen(acc, t, instr)
	if !p.Known() || !met {
		return event{}, false
	}
	out := *acc
	out.When = when
	out.Path, out.Lifted = p, true
	out.Along = a.liftAlong(acc, t, instr)
	out.Looked, out.Within = nil, acc.Within
	for _, at := range acc.Looked {
		out.Within = noteLook(out.Within, at)
	}
	out.Found = !t.closure && acc.Path.Entry().Known()
	if q := a.substitute(acc.Claim, *t, instr); q.Known() {
		out.Claim = q
	}
	out.Singled = a.substitute(acc.Singled, *t, instr)
	if !t.closure {
		out.Pos, out.Depth = ssautil.PosOf(instr), acc.Depth+1
	}
	out.Key = a.keyAt(acc.Key, t, instr)
	if k := out.Key.Root(); k.Kind == accesspath.Value && !t.closure && acc.Key.Root().Kind != accesspath.Param {
		out.Key = accesspath.Path{} // a key that only the callee knows
	}
	if out.Resolved = !acc.Path.Location().Valid() && p.Location().Valid(); out.Resolved {
		out.Depth = acc.Depth // it is this function's, as if it stood here
	}
	switch {
	case out.Resolved || t.sum.Imported:
		out.Site = token.NoPos // only here is it known which map it is
	case !acc.Site.IsValid():
		out.Site = acc.Pos
	}
	out.Imported = acc.Imported || t.sum.Imported
	out.Asked = t.sum.Asks && acc.Depth == 0
	if acc.InnerFunc == "" && !t.closure {
		out.Inner, out.InnerFunc = acc.Pos, t.sum.Name
	}
	inside := acc.Held.Map(a.inTerms(e, t, false))
	if out.Held = s.Then(inside); out.Held.IsTop() {
		return event{}, false // not with these arguments
	}
	if acc.Rechecked && heldAround(s, inside) {
		out.Validated = true
	}
	if out.Fetched {
		out.Fetch = s.Then(acc.Fetch.Map(a.inTerms(e, t, false)))
	}
	ev := event{instr: instr, inputs: e.call.Args}
	if r := acc.Path.Root(); acc.Path.Depth() == 0 && r.Kind == accesspath.Param && r.Fn == t.key && r.Index < len(t.args) {
		ev.val = t.args[r.Index]
		out.Fetch, out.Fetched = a.fetched(ev.val)
		out.Carried = out.Carried || carried(ev.val)
	}
	ev.acc = out
	if r := acc.Path.Root(); acc.Path.Depth() == 1 && r.Kind == accesspath.Param && r.Fn == t.key && r.Index < len(t.args) {
		ev.addr = t.args[r.Index] // of the object that has the field
	}
	a.liftKey(&ev, acc, t)
	if acc.Op.Writes() && acc.Value.Root().Kind == accesspath.Param && acc.Value.Depth() == 0 && acc.Value.Root().Fn == t.key {
		if i := acc.Value.Root().Index; i < len(t.args) {
			ev.acc.Stored = acc.Stored.Of(a.dep.StoredUnder(t.args[i], ev.key))
			ev.acc.Value = a.Paths.Of(t.args[i])
			ev.value = t.args[i]
		}
	}
	a.liftVersions(&ev, acc, t)
	if mc, ok := e.call.Value.(*ssa.MakeClosure); ok {
		ev.inputs = slices.Concat(mc.Bindings, ev.inputs)
	}
	return ev, true
}

// liftKey finds the argument that a callee's key comes from. A key that is the
// argument itself is a new one each time if that is.
func (a *analysis) liftKey(ev *event, acc *access.Access, t *target) {
	k := acc.Key.Root()
	if k.Kind != accesspath.Param || k.Fn != t.key || k.Index >= len(t.args) {
		return
	}
	ev.key = t.args[k.Index]
	if acc.Key.Depth() == 0 && (acc.Op == access.Insert || acc.Op == access.Store) {
		ev.acc.NewKey = acc.NewKey || a.dep.UniqueKey(ev.key)
	}
}

// liftWhen says under which condition of the caller a callee's access happens;
// false if the call contradicts the callee's condition.
func (a *analysis) liftWhen(acc *access.Access, t *target, instr ssa.Instruction) (access.When, bool) {
	w := acc.When
	if w.Param == 0 || w.Param > len(t.args) {
		return access.When{}, true
	}
	arg := t.args[w.Param-1]
	if k, ok := arg.(*ssa.Const); ok && w.Is != "" {
		return access.When{}, k.Value == nil || w.Allows(k.Value.ExactString())
	}
	if w.Is == "" && !a.dep.Meets(arg, w.Set, instr) || w.Is != "" && !a.dep.Equals(arg, w.Is, w.Set, instr) {
		return access.When{}, false
	}
	if i := slices.IndexFunc(a.fn.Params, func(p *ssa.Parameter) bool { return p == arg }); i >= 0 {
		return access.When{Param: i + 1, Set: w.Set, Is: w.Is}, true
	}
	return access.When{}, true
}

// heldAround reports whether the caller holds a lock during all of the call, as
// far as the access inside.
func heldAround(s, inside locks.State) bool {
	return slices.ContainsFunc(s.Held(), func(h locks.Held) bool { return inside.Of(h.Lock).Can&locks.Left == 0 })
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

func (a *analysis) addCall(s locks.State, instr ssa.CallInstruction, t *target, kind summary.CallKind) {
	c := summary.Call{Callee: t.key, Kind: kind, Pos: ssautil.PosOf(instr), Point: a.at, Held: s, Looped: a.reach.InLoop(instr), Bound: t.bound}
	a.claimedCall(&c, instr)
	if kind == summary.Escaped {
		c.Fate, c.Tended = t.fate, t.tended
	}
	for _, arg := range t.args {
		p := a.Paths.Of(arg)
		c.Args = append(c.Args, p)
		if a.puts(p, instr) {
			c.Replaced = append(c.Replaced, p)
		}
	}
	c.Waits, _, _ = a.joined(instr)
	c.Guessed = t.sure == guessed
	c.Round = roundOf(instr.Common(), t)
	a.passed(&c, t, instr)
	a.owning(&c, t, instr)
	for len(a.callAt) < len(a.sum.Calls) {
		a.callAt = append(a.callAt, nil) // literals that are kept are no calls
	}
	a.callAt = append(a.callAt, instr)
	a.sum.Calls = append(a.sum.Calls, c)
}
