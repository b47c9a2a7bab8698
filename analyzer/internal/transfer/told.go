package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A function that waits in one case of a select, and gives up in another, says by its result which of
// them it was. So a summary says for what it has waited if a result is nil, or true, or is not; and who
// asks has waited for that on the branch that the outcome leads to.

// joinTold notes on the branches that ask for the result of a call what it has waited for then.
// It comes to a block after those that dominate it, whose waits decide on what a phi tells.
func (a *analysis) joinTold() {
	if !a.asksTold() {
		return
	}
	for _, b := range a.fn.DomPreorder() {
		br, ok := last(b).(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] {
			continue
		}
		for i, to := range b.Succs {
			on := a.waitsWhere(br.Cond, locks.Cond{Test: locks.True, Holds: i == 0}, br, 0)
			if len(on) > 0 {
				a.joinEdge(edge{b, to}, join{on: on})
			}
		}
	}
}

func (a *analysis) joinOnEdge(e edge, on []accesspath.Path) {
	if a.joinsOn == nil {
		a.joinsOn = make(map[edge][]accesspath.Path)
	}
	a.joinsOn[e] = bothOf(a.joinsOn[e], on)
}

// asksTold reports whether the function calls one whose result tells for what it has waited.
func (a *analysis) asksTold() bool {
	for _, e := range a.effects {
		for i := range e.targets[:e.own] {
			if sum := e.targets[i].sum; sum != nil && (len(sum.Told) > 0 || endedAt(sum).Result > 0) {
				return true
			}
		}
	}
	return false
}

// maxTellers bounds the values, one of the other, that tell how a wait came out.
const maxTellers = 4

// waitsWhere returns what has been waited for where an instruction finds that a value is as a condition
// says: by the call whose result it is, or on all ways on which it can have come to be so. A negation tells
// the opposite.
func (a *analysis) waitsWhere(v ssa.Value, c locks.Cond, at ssa.Instruction, depth int) []accesspath.Path {
	if depth > maxTellers {
		return nil
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return a.waitsWhere(x.X, c.Not(), at, depth+1)
		}
	case *ssa.BinOp:
		if y := nilCompared(x); y != nil {
			return a.waitsWhere(y, locks.Cond{Test: locks.Nil, Holds: c.Holds == (x.Op == token.EQL)}, at, depth+1)
		}
	case *ssa.ChangeInterface:
		return a.waitsWhere(x.X, c, at, depth+1)
	case *ssa.Phi:
		return a.waitsOfWays(x, c, depth+1)
	case *ssa.Call, *ssa.Extract:
		return a.waitsOfCall(v, c, at)
	}
	return nil
}

// waitsOfWays returns what all ways have waited for on which a phi can have got such a value.
func (a *analysis) waitsOfWays(phi *ssa.Phi, c locks.Cond, depth int) []accesspath.Path {
	var common common
	for i, in := range phi.Edges {
		from := phi.Block().Preds[i]
		if is, known := a.known(in, c.Test); known && is != c.Holds {
			continue
		}
		if phi.Block().Dominates(from) {
			return nil // it may be as it was in the round before
		}
		on, _, _ := a.joined(last(from))
		on = bothOf(on, a.joinsOn[edge{from, phi.Block()}])
		common.add(bothOf(on, a.waitsWhere(in, c, last(from), depth)))
	}
	return common.on
}

// waitsOfCall returns what the call of a function has waited for whose result is such; nothing, if what is
// started before it is asked for may signal anew.
func (a *analysis) waitsOfCall(v ssa.Value, c locks.Cond, at ssa.Instruction) []accesspath.Path {
	call, index := ssautil.CallResult(v)
	if call == nil || a.effects[call] == nil {
		return nil
	}
	c.Result = index + 1
	var common common
	e := a.effects[call]
	for i := range e.targets[:e.own] {
		t := &e.targets[i]
		if t.sum == nil || t.kind != summary.Direct || t.sure != certain {
			return nil
		}
		var on []accesspath.Path
		for _, told := range t.sum.Told {
			if told.When == c {
				on = a.substituteAll(told.On, t, call)
			}
		}
		if endedAt(t.sum) == c {
			on = append(on, a.endOfRuns(call))
		}
		common.add(on)
	}
	if len(common.on) > 0 && a.startsBetween(call, at) {
		return nil
	}
	return common.on
}

// startsBetween reports whether a goroutine begins on a way from a call to an instruction.
func (a *analysis) startsBetween(call, at ssa.Instruction) bool {
	return ssautil.Some(a.fn, func(instr ssa.Instruction) bool {
		_, begins := instr.(*ssa.Go)
		if e := a.effects[instr]; e != nil && instr != call {
			begins = begins || e.model.Kind == model.Spawn || spawnsArgument(e)
		}
		return begins && ssautil.Dominates(call, instr) && !ssautil.Dominates(at, instr) && a.reach.MayPrecede(instr, at)
	})
}

// tellWaits finds what the returns have waited for by the outcome of each result, beyond what callers
// know of all of them.
func (a *analysis) tellWaits() {
	if len(a.joinsIn) == 0 && len(a.joinsOn) == 0 && !a.asksTold() {
		return
	}
	results := a.fn.Signature.Results()
	for i := range results.Len() {
		test, ok := testOf(results.At(i).Type())
		if !ok {
			continue
		}
		for _, holds := range [...]bool{true, false} {
			c := locks.Cond{Result: i + 1, Test: test, Holds: holds}
			if on := a.seenOutside(a.waitedIf(c)); len(on) > 0 {
				a.sum.Told = append(a.sum.Told, summary.Told{When: c, On: on})
			}
		}
	}
}

// waitedIf returns what all returns have waited for that can give a result of such an outcome.
func (a *analysis) waitedIf(c locks.Cond) []accesspath.Path {
	var common common
	for _, b := range a.fn.Blocks {
		ret, ok := last(b).(*ssa.Return)
		if !ok || b == a.fn.Recover || a.refuses(b) {
			continue
		}
		v := ssautil.Returned(ret, c.Result-1)
		if is, known := a.known(v, c.Test); known && is != c.Holds || c.Test == locks.Nil && c.Holds && foundNonNil(v, ret) {
			continue
		}
		on, _, _ := a.joined(ret)
		on = bothOf(on, a.waitsWhere(v, locks.Cond{Test: c.Test, Holds: c.Holds}, ret, 0))
		for a.addRelayed(&on) {
		}
		common.add(on)
	}
	return common.on
}

// A common is what several ways have waited for.
type common struct {
	on  []accesspath.Path
	any bool
}

func (c *common) add(on []accesspath.Path) {
	if !c.any {
		c.on, c.any = slices.Clone(on), true
		return
	}
	c.on = slices.DeleteFunc(c.on, func(p accesspath.Path) bool { return !slices.Contains(on, p) })
}

// bothOf returns what is in one of two lists, or in both.
func bothOf(x, y []accesspath.Path) []accesspath.Path {
	out := slices.Clip(x)
	for _, p := range y {
		if !slices.Contains(out, p) && len(out) < maxWaits {
			out = append(out, p)
		}
	}
	return out
}
