package transfer

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// maxSlices bounds the checks whose dependences are followed in one function.
const maxSlices = 64

// link finds the pairs, the results and the function's effect on locks.
func (a *analysis) link() {
	a.sum.Accesses = make([]access.Access, 0, len(a.events))
	for i := range a.events {
		acc := &a.events[i].acc
		if acc.Lifted && acc.Validated {
			if a.sum.Looks == nil {
				a.sum.Looks = make(map[int]bool)
			}
			a.sum.Looks[i] = true
		}
		a.sum.Accesses = append(a.sum.Accesses, *acc)
	}
	a.beside()
	a.waits()
	a.relay()
	a.entries()
	a.pairs()
	a.versions()
	a.compared()
	a.rooms()
	a.results(a.events)
	a.sum.Visible = visible(a.sum)
	a.captures()
	a.feeds()
	a.effect()
	a.runs()
	if a.getsFunctions() {
		a.chains()
	}
}

// visible chooses the accesses that callers see: one of each kind, first those
// of pairs on maps that only the caller can name, then changes, then reads, up
// to a bound that keeps calls cheap.
func visible(s *summary.Func) []int {
	type kind struct {
		path, key accesspath.Path
		op        access.Op
		flags     [4]bool
		when      access.When
		locks     string
	}
	kinds := make(map[kind]bool)
	chosen := make(map[int]bool)
	named := make(map[locks.State]string) // what names the locks held in a state
	held := func(s locks.State) string {
		name, ok := named[s]
		if !ok {
			for _, h := range s.Held() {
				name += fmt.Sprint(h.Lock.ID(), h.Mode, h.Sec, " ")
			}
			named[s] = name
		}
		return name
	}
	add := func(i, limit int) {
		a := &s.Accesses[i]
		k := kind{path: a.Path, key: a.Key, op: a.Op, flags: [4]bool{a.Validated, a.Rechecked, a.Filled, a.ContentUsed}, when: a.When, locks: held(a.Held)}
		switch {
		case kinds[k]:
		case len(chosen) < limit:
			kinds[k] = true
			chosen[i] = true
		default:
			s.Cut(fmt.Sprintf("more than %d accesses that callers see", summary.MaxAccesses))
		}
	}
	for _, p := range s.Pairs {
		if !s.Accesses[p.Check].Path.Location().Valid() {
			add(p.Check, summary.MaxAccesses)
			add(p.Act, summary.MaxAccesses)
		}
	}
	for _, writes := range [...]bool{true, false} {
		limit := summary.MaxAccesses
		if writes {
			limit = summary.MaxAccesses * 2 / 3
		}
		for i := range s.Accesses {
			if s.Accesses[i].Op.Writes() == writes {
				add(i, limit)
			}
		}
	}
	return slices.Sorted(maps.Keys(chosen))
}

// captures finds the captured variables that the literal sets by what it
// found.
func (a *analysis) captures() {
	if len(a.fn.FreeVars) == 0 {
		return
	}
	a.sum.Captures = make([][]summary.Capture, len(a.fn.FreeVars))
	done := 0
	for ci := range a.events {
		c := a.events[ci]
		if !c.acc.Op.Checks() || len(c.outcomes) == 0 {
			continue
		}
		if done >= maxSlices {
			a.cut("looks whose dependences are followed", maxSlices)
			break
		}
		done++
		s := a.dep.Slice(c.look())
		for i, fv := range a.fn.FreeVars {
			stores := storesTo(fv)
			sets := func(st *ssa.Store) bool { return s.Has(st.Val) || s.Controls(st) || a.visits && ci == 0 }
			if slices.Contains(c.outcomes, ssa.Value(fv)) || slices.ContainsFunc(stores, sets) {
				left := summary.Capture{Check: ci}
				left.Sense, left.Presence = a.dep.Left(c.look(), stores)
				a.sum.Captures[i] = append(a.sum.Captures[i], left)
			}
		}
	}
}

// feeds finds the captured variables from which the literal computes what it
// writes.
func (a *analysis) feeds() {
	if len(a.fn.FreeVars) == 0 {
		return
	}
	for i := range a.events {
		e := a.events[i]
		if !e.acc.Op.Writes() || e.value == nil && len(e.from) == 0 {
			continue
		}
		back := a.dep.Backward(append(slices.Clone(e.from), e.value)...)
		for j, fv := range a.fn.FreeVars {
			if back[fv] && !ssautil.IsMap(ssautil.Pointee(fv.Type())) {
				if a.sum.Feeds == nil {
					a.sum.Feeds = make(map[int][]int)
				}
				a.sum.Feeds[i] = append(a.sum.Feeds[i], j)
			}
		}
	}
}

// results finds which results depend on which checks, and what they denote.
func (a *analysis) results(events []*event) {
	sig := a.fn.Signature
	n := sig.Results().Len()
	if n == 0 {
		return
	}
	a.sum.Results = make([]summary.Result, n)
	rets := depend.Returns(a.fn)
	for i := range a.sum.Results {
		a.sum.Results[i].Path, a.sum.Results[i].Apart = a.resultPath(rets, i)
		a.sum.Results[i].Volatile = slices.ContainsFunc(rets, func(r *ssa.Return) bool { return depend.Pure(r.Results[i].Type()) && a.dep.VolatileValue(r.Results[i]) })
		a.sum.Results[i].Releases = a.resultReleases(rets, i)
		a.sum.Results[i].Funcs = a.resultFuncs(rets, i)
		a.sum.Results[i].Leads = a.resultLeads(rets, i)
	}
	a.countersGiven(rets)
	done := 0
	for ci := range events {
		c := events[ci]
		if !c.acc.Op.Checks() || len(c.outcomes) == 0 || beforeLook(c, events) {
			continue
		}
		if done >= maxSlices {
			a.cut("looks whose dependences are followed", maxSlices)
			break
		}
		done++
		s := a.dep.Slice(c.look())
		for i := range a.sum.Results {
			if slices.ContainsFunc(rets, func(r *ssa.Return) bool { return a.decides(s, c, r, i) }) {
				res := &a.sum.Results[i]
				res.Checks = append(res.Checks, ci)
				sense := a.dep.SenseOfResult(c.senses, rets, i)
				res.Senses = append(res.Senses, sense)
				res.Misses = append(res.Misses, a.dep.SenseOfMiss(c.senses, rets, i))
				a.decidedByContent(ci, c, rets, i, sense)
			}
		}
	}
}

// beforeLook reports whether a nil test is but the beginning of a look for an entry in the
// same critical section: a map that is nil has none, as one that is empty.
func beforeLook(test *event, events []*event) bool {
	if test.acc.Op != access.NilTest {
		return false
	}
	return slices.ContainsFunc(events, func(e *event) bool {
		looks := e.acc.Op == access.Lookup && e.acc.Path == test.acc.Path && e.acc.InnerFunc == "" && test.acc.InnerFunc == ""
		return looks && locks.SameSections(test.acc.Held, e.acc.Held) && ssautil.Dominates(test.instr, e.instr)
	})
}

// decidedByContent notes at a look that result i, a truth value or an error,
// tells more than whether the entry is there.
func (a *analysis) decidedByContent(ci int, c *event, rets []*ssa.Return, i int, sense depend.Sense) {
	t := a.fn.Signature.Results().At(i).Type()
	looks := c.acc.Op == access.Lookup || c.acc.Op == access.Load
	if sense != depend.NoSense || !looks || !ssautil.IsBool(t) && !ssautil.IsError(t) {
		return
	}
	if a.dep.ContentDecides(c.outcomes, c.presence, rets, i) {
		a.sum.Accesses[ci].ContentUsed = true
	}
}

// decides reports whether the check decides result i of a return. An error
// that comes from another call on the way tells of that call, not of the check.
func (a *analysis) decides(s *depend.Slice, c *event, r *ssa.Return, i int) bool {
	v := ssautil.ResultAt(r, i)
	if !s.Has(v) && !s.Has(r.Results[i]) && !s.Controls(r) {
		return false
	}
	if !ssautil.IsError(v.Type()) {
		return true
	}
	if ssautil.IsNil(v) {
		return false
	}
	if depend.NonNil(v) {
		return true
	}
	for x := range a.dep.Origins(v) {
		if call, ok := x.(*ssa.Call); ok && ssa.Instruction(call) != c.instr && a.effectful(call) {
			return false
		}
	}
	return true
}

// resultPath returns the storage that result i always denotes, if that can be
// told from the parameters, and the fields in which it differs, if it is a copy. A map
// that the function has taken out of its storage and returns belongs to the caller, and an object
// is no longer what its storage denotes where that was given another one meanwhile, or was a list that it was taken off.
func (a *analysis) resultPath(rets []*ssa.Return, i int) (at accesspath.Path, apart []accesspath.Path) {
	own, isMap := a.sum.Own, ssautil.IsMap(a.fn.Signature.Results().At(i).Type())
	if isMap && own != nil && i < len(own.Results) && own.Results[i].Own == ownership.Owned {
		return accesspath.Path{}, nil // it was taken out of there
	}
	var common accesspath.Path
	for _, r := range rets {
		v := ssautil.Returned(r, i)
		if ssautil.IsNil(v) {
			continue
		}
		p := a.Paths.Of(v)
		if model.IsMutex(ssautil.Pointee(v.Type())) {
			p = a.givenLock(r, ssautil.ResultAt(r, i))
		}
		if a.sum.Own != nil && a.sum.Own.Moved.Has(i) {
			return accesspath.Path{}, nil
		}
		if in := a.putFrom(r, ssautil.ResultAt(r, i)); in.Known() {
			p = in
		}
		if a.replacedBefore(r, ssautil.ResultAt(r, i)) || common.Known() && common != p {
			return accesspath.Path{}, nil
		}
		common = p
	}
	if from, fields := common.CopyOf(); from.Known() {
		for _, f := range fields {
			if p := a.Paths.Field(from, f); p.Known() {
				apart = append(apart, p)
			}
		}
		common = from
	}
	if k := common.Root().Kind; k != accesspath.Param && k != accesspath.Global {
		return accesspath.Path{}, nil
	}
	return common, apart
}

// replacedBefore reports whether a value that is returned was read from storage that has been given
// another one since, and is known by no other name: nothing else is done with it, nor is the
// storage read for something else that is stored.
func (a *analysis) replacedBefore(r *ssa.Return, v ssa.Value) bool {
	read, ok := v.(*ssa.UnOp)
	if !ok || read.Op != token.MUL || !onlyReturned(read) {
		return false
	}
	from, replaced := a.Paths.Of(read), false
	if !from.Known() {
		return false
	}
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			st, ok := instr.(*ssa.Store)
			switch {
			case !ok:
			case a.Paths.Of(st.Val) == from:
				return false
			case a.Paths.Of(st.Addr) == from && ssautil.Dominates(read, st) && ssautil.Dominates(st, r):
				replaced = true
			}
		}
	}
	return replaced
}

// onlyReturned reports whether a value is returned, and nothing else is done with it.
func onlyReturned(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r.(type) {
		case *ssa.Return, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// givenLock returns what a lock that is returned denotes: the entry of a map if it is made there and
// put in, as one of those that there is for each key.
func (a *analysis) givenLock(r *ssa.Return, v ssa.Value) accesspath.Path {
	if ssautil.Allocates(v) {
		for _, use := range *v.Referrers() {
			if put, ok := use.(*ssa.MapUpdate); ok && put.Value == v && ssautil.Dominates(put, r) {
				return a.Paths.Elem(a.Paths.Of(put.Map), a.Paths.Of(put.Key))
			}
		}
		if in := a.putByCall(r, v); in.Known() {
			return in
		}
	}
	return a.Paths.Of(v)
}

// resultReleases finds the locks that calling the returned function releases.
func (a *analysis) resultReleases(rets []*ssa.Return, i int) []accesspath.Path {
	if len(rets) == 0 {
		return nil
	}
	if _, ok := a.fn.Signature.Results().At(i).Type().Underlying().(*types.Signature); !ok {
		return nil
	}
	var out []accesspath.Path
	for _, r := range rets {
		for _, p := range a.released(ssautil.Returned(r, i), r) {
			if !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// released returns the locks that calling a function releases which the function at hand returns.
func (a *analysis) released(v ssa.Value, ret *ssa.Return) []accesspath.Path {
	if recv, m := ssautil.BoundMethod(v); m != nil {
		if k := a.Model.Lookup(m).Kind; k == model.Unlock || k == model.RUnlock {
			return []accesspath.Path{a.Paths.Of(recv)}
		}
	}
	t, ok := a.functionValue(v)
	switch {
	case !ok || t.sum == nil:
		return nil
	case t.closure:
		out := t.sum.Effect.Releases()
		for _, p := range a.lockPairs {
			out = p.Unorder(out)
		}
		return out
	}
	return a.substituteAll(t.sum.Effect.Releases(), &t, ret)
}

// stateAt returns the locks held just before instr.
func (a *analysis) stateAt(instr ssa.Instruction) locks.State {
	s := a.in[instr.Block().Index]
	if !a.locks {
		return s
	}
	for _, i := range instr.Block().Instrs {
		if i == instr {
			break
		}
		s = a.step(s, i)
	}
	return s
}
