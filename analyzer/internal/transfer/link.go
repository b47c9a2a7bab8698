package transfer

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// maxSlices bounds the checks whose dependences are followed in one function.
const maxSlices = 64

// link finds the pairs, the results and the function's effect on locks.
func (a *analysis) link() {
	for i := range a.events {
		a.sum.Accesses = append(a.sum.Accesses, a.events[i].acc)
	}
	a.beside()
	a.entries()
	a.pairs()
	a.results(a.events)
	a.sum.Visible = visible(a.sum)
	a.captures()
	a.effect()
	a.runs()
}

// visible chooses the accesses that callers see: one of each kind, first those
// of pairs on maps that only the caller can name, then changes, then reads, up
// to a bound that keeps calls cheap.
func visible(s *summary.Func) []int {
	type kind struct {
		path, key accesspath.Path
		op        access.Op
		flags     [3]bool
		locks     string
	}
	kinds := make(map[kind]bool)
	chosen := make(map[int]bool)
	add := func(i, limit int) {
		a := &s.Accesses[i]
		k := kind{path: a.Path, key: a.Key, op: a.Op, flags: [3]bool{a.Validated, a.Rechecked, a.ContentUsed}}
		for _, h := range a.Held.Held() {
			k.locks += fmt.Sprint(h.Lock.ID(), h.Mode, h.Acq, " ")
		}
		if len(chosen) < limit && !kinds[k] {
			kinds[k] = true
			chosen[i] = true
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
	a.sum.Captures = make([][]int, len(a.fn.FreeVars))
	for ci := range a.events {
		c := &a.events[ci]
		if !c.acc.Op.Checks() || len(c.outcomes) == 0 || ci > maxSlices {
			continue
		}
		s := a.forward(c.outcomes, false, nil)
		for i, fv := range a.fn.FreeVars {
			for _, r := range *fv.Referrers() {
				if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(fv) && (s.has(st.Val) || s.controls(st) || a.visits && ci == 0) {
					a.sum.Captures[i] = append(a.sum.Captures[i], ci)
					break
				}
			}
		}
	}
}

// results finds which results depend on which checks, and what they denote.
func (a *analysis) results(events []event) {
	sig := a.fn.Signature
	n := sig.Results().Len()
	if n == 0 {
		return
	}
	a.sum.Results = make([]summary.Result, n)
	var rets []*ssa.Return
	for _, b := range a.fn.Blocks {
		if len(b.Instrs) > 0 {
			if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(r.Results) == n {
				rets = append(rets, r)
			}
		}
	}
	for i := range a.sum.Results {
		a.sum.Results[i].Path = a.resultPath(rets, i)
		a.sum.Results[i].Volatile = slices.ContainsFunc(rets, func(r *ssa.Return) bool { return pure(r.Results[i].Type(), 0) && a.volatile(r.Results[i]) })
		a.sum.Results[i].Releases = a.resultReleases(rets, i)
	}
	done := 0
	for ci := range events {
		c := &events[ci]
		if !c.acc.Op.Checks() || len(c.outcomes) == 0 || done >= maxSlices {
			continue
		}
		done++
		s := a.forward(c.outcomes, false, nil)
		for i := range a.sum.Results {
			if slices.ContainsFunc(rets, func(r *ssa.Return) bool { return a.decides(s, c, r, i) }) {
				a.sum.Results[i].Checks = append(a.sum.Results[i].Checks, ci)
			}
		}
	}
}

// decides reports whether the check decides result i of a return. An error
// that comes from another call on the way tells of that call, not of the check.
func (a *analysis) decides(s *slice, c *event, r *ssa.Return, i int) bool {
	v := r.Results[i]
	if !s.has(v) && !s.controls(r) {
		return false
	}
	if !ssautil.IsError(v.Type()) {
		return true
	}
	if ssautil.IsNil(v) {
		return false
	}
	for x := range a.backward(v) {
		if call, ok := x.(*ssa.Call); ok && ssa.Instruction(call) != c.instr && a.effectful(call) {
			return false
		}
	}
	return true
}

// resultPath returns the storage that result i always denotes, if that can be
// told from the parameters.
func (a *analysis) resultPath(rets []*ssa.Return, i int) accesspath.Path {
	var common accesspath.Path
	for _, r := range rets {
		if ssautil.IsNil(r.Results[i]) {
			continue
		}
		p := a.Paths.Of(r.Results[i])
		if k := p.Root().Kind; k != accesspath.Param && k != accesspath.Global || common.Known() && common != p {
			return accesspath.Path{}
		}
		common = p
	}
	return common
}

// resultReleases finds the locks that calling the returned function releases.
func (a *analysis) resultReleases(rets []*ssa.Return, i int) []accesspath.Path {
	if len(rets) == 0 {
		return nil
	}
	if _, ok := a.fn.Signature.Results().At(i).Type().Underlying().(*types.Signature); !ok {
		return nil
	}
	v := rets[len(rets)-1].Results[i]
	if recv, m := ssautil.BoundMethod(v); m != nil {
		if k := model.Lookup(m).Kind; k == model.Unlock || k == model.RUnlock {
			return []accesspath.Path{a.Paths.Of(recv)}
		}
	}
	if t, ok := a.functionValue(v); ok && t.sum != nil && t.closure {
		return t.sum.Effect.Released
	}
	return nil
}

// effect works out which locks a call of this function takes and releases.
func (a *analysis) effect() {
	var lattice lockset.Lattice
	exit := lattice.Ident()
	for _, s := range a.exits {
		exit = lattice.Merge(exit, s)
	}
	closure := a.fn.Parent() != nil
	nameable := func(p accesspath.Path) bool {
		k := p.Root().Kind
		return k == accesspath.Param || k == accesspath.Global || closure
	}
	for _, h := range exit.Held() {
		if nameable(h.Lock) {
			a.sum.Effect.Acquired = append(a.sum.Effect.Acquired, h)
		}
	}
	for _, l := range exit.Released() {
		if !nameable(l) {
			continue
		}
		a.sum.Effect.Released = append(a.sum.Effect.Released, l)
		if _, held := exit.Find(l); held {
			continue
		}
		if h, ok := a.retaken(l); ok {
			a.sum.Effect.Acquired = append(a.sum.Effect.Acquired, h)
		}
	}
}

// retaken reports whether each return either left the caller's lock alone or
// took it again.
func (a *analysis) retaken(lock accesspath.Path) (lockset.Held, bool) {
	var again lockset.Held
	for _, s := range a.exits {
		if !slices.Contains(s.Released(), lock) {
			continue
		}
		h, ok := s.Find(lock)
		if !ok {
			return lockset.Held{}, false
		}
		again = h
	}
	return again, again.Lock.Known()
}

// runs finds the function-typed parameters that the function calls.
func (a *analysis) runs() {
	for i, p := range a.fn.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); !ok || p.Referrers() == nil {
			continue
		}
		for _, r := range *p.Referrers() {
			a.run(i, p, r)
		}
	}
}

func (a *analysis) run(i int, p *ssa.Parameter, r ssa.Instruction) {
	call, ok := r.(ssa.CallInstruction)
	if !ok {
		return
	}
	add := func(k summary.CallKind, s lockset.State) {
		a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: k, Held: s})
	}
	own := call.Common().Value == ssa.Value(p)
	switch call := call.(type) {
	case *ssa.Go:
		add(summary.Goroutine, lockset.Reached())
	case *ssa.Defer:
		if own {
			add(summary.Deferred, lockset.Reached())
		}
	case *ssa.Call:
		s := a.stateAt(call)
		if own {
			add(summary.Direct, s)
			return
		}
		a.passedOn(i, p, call, s)
	}
}

// passedOn handles a parameter that is handed to another function.
func (a *analysis) passedOn(i int, p *ssa.Parameter, call *ssa.Call, s lockset.State) {
	e := a.effects[call]
	fn, args := ssautil.Callee(&call.Call)
	switch k := model.Lookup(fn).Kind; {
	case k == model.Spawn || k == model.Register:
		a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: summary.Goroutine, Held: lockset.Reached()})
	case k == model.Once:
		a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: summary.OnceOnly, Held: s})
	case k == model.RunNow || k == model.ConcurrentRange:
		a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: summary.Direct, Held: s})
	case e != nil && len(e.targets) > 0 && e.targets[0].sum != nil:
		for _, run := range e.targets[0].sum.Runs {
			if run.Param < len(args) && args[run.Param] == ssa.Value(p) {
				a.sum.Runs = append(a.sum.Runs, summary.Run{Param: i, Kind: run.Kind, Held: s})
			}
		}
	}
}

// stateAt returns the locks held just before instr.
func (a *analysis) stateAt(instr ssa.Instruction) lockset.State {
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
