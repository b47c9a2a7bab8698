package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// pairs links each check to the acts on the same map that depend on it.
func (a *analysis) pairs() {
	byPath := make(map[accesspath.Path][]int)
	for i := range a.events {
		if a.events[i].acc.Op.Writes() {
			byPath[a.events[i].acc.Path] = append(byPath[a.events[i].acc.Path], i)
		}
	}
	slices := 0
	for i := range a.events {
		c := &a.events[i]
		acts := byPath[c.acc.Path]
		if !c.acc.Op.Checks() || len(c.outcomes) == 0 || len(acts) == 0 {
			continue
		}
		if slices >= maxSlices {
			a.cut("looks whose dependences are followed", maxSlices)
			break
		}
		slices++
		a.pairsOf(i, acts)
	}
}

func (a *analysis) pairsOf(ci int, acts []int) {
	c := &a.events[ci]
	all := a.forward(c.outcomes, false, nil)
	var content, data *slice
	values := minus(c.outcomes, c.presence)
	for _, ai := range acts {
		act := &a.events[ai]
		if act.instr == c.instr || !a.reach.MayPrecede(c.instr, act.instr) {
			continue
		}
		controlled := all.controls(act.instr)
		if !controlled && !all.has(act.value) && !all.has(act.key) && !all.hasAny(act.inputs) {
			continue
		}
		if data == nil {
			data = a.forward(c.outcomes, true, nil)
			content = a.forward(values, false, nilCompare)
		}
		a.sum.Pairs = append(a.sum.Pairs, a.pair(ci, ai, all, data, content, values))
	}
}

// pair describes the dependence of an act on a check.
func (a *analysis) pair(ci, ai int, all, data, content *slice, values []ssa.Value) summary.Pair {
	c, act := &a.events[ci], &a.events[ai]
	controlled := all.controls(act.instr)
	p := summary.Pair{Check: ci, Act: ai, Control: controlled}
	p.Data = data.has(act.value) || !act.acc.Lifted && act.value == nil && act.key == nil && data.hasAny(act.inputs)
	p.KeyOnly = !controlled && !all.has(act.value) && all.has(act.key)
	p.Weak = !controlled && !all.has(act.value) && !all.has(act.key)
	p.Ends = act.acc.Op.Deletes() && a.ends(data, act.instr)
	p.Content = content.controls(act.instr) || content.has(act.value) || content.hasAny(act.inputs) || content.has(act.key)
	p.Chosen = all.has(act.key)
	p.Ordered = controlled && a.ordered(content, act.instr)
	p.Returned = act.value != nil && a.returns(ssautil.Unwrap(act.value)) && slices.ContainsFunc(c.outcomes, a.returns)
	p.Taken = act.acc.Op.Deletes() && slices.ContainsFunc(values, func(v ssa.Value) bool { return a.returnedAfter(v, act.instr) })
	p.Generation = controlled && a.looksAtEntry(content, act)
	p.Effects = controlled && a.sideEffects(all, act)
	p.Same = act.value != nil && slices.Contains(c.outcomes, ssautil.Unwrap(act.value)) && ssautil.PointerLike(act.value.Type())
	p.Answered = act.acc.Lifted && act.acc.Op.Deletes() && a.asked(act.instr)
	p.Unique = act.acc.Op == access.Insert && a.unique(act.key)
	if p.Data && c.acc.Op != access.Len && sameSections(c.acc.Held, act.acc.Held) {
		a.sum.Accesses[ai].Stored = access.StoredDerived
	}
	if p.Returned {
		a.uses(ai, ssautil.Unwrap(act.value))
	}
	if controlled {
		a.sum.Accesses[ai].Rechecked = true
	}
	if controlled && sameSections(c.acc.Held, act.acc.Held) {
		a.sum.Accesses[ai].Validated = true
	}
	if p.Content {
		a.sum.Accesses[ci].ContentUsed = true
	}
	return p
}

// asked reports whether the truth value that a call gives decides a branch.
func (a *analysis) asked(instr ssa.Instruction) bool {
	for _, v := range a.resultValues(instr) {
		if v == nil || !ssautil.IsBool(v.Type()) {
			continue
		}
		for _, r := range *v.Referrers() {
			if _, ok := r.(*ssa.If); ok {
				return true
			}
		}
	}
	return false
}

// ordered reports whether a branch on which an instruction depends asks how the
// content compares with something: less, after. What was greater a moment ago
// need not be greater now; what was equal is the same again.
func (a *analysis) ordered(content *slice, instr ssa.Instruction) bool {
	for _, b := range a.postdom().Deciders(instr.Block().Index) {
		blk := a.fn.Blocks[b]
		br, ok := blk.Instrs[len(blk.Instrs)-1].(*ssa.If)
		if !ok || !content.has(br.Cond) {
			continue
		}
		if op, ok := br.Cond.(*ssa.BinOp); ok {
			switch op.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ:
				return !ssautil.IsZero(op.X) && !ssautil.IsZero(op.Y)
			}
		}
	}
	return false
}

// returnedAfter reports whether v is returned on a path on which instr has run.
func (a *analysis) returnedAfter(v ssa.Value, instr ssa.Instruction) bool {
	return slices.ContainsFunc(a.returnsOf(v), func(r *ssa.Return) bool {
		return ssautil.Dominates(instr, r) || a.reach.Blocks(instr.Block(), r.Block())
	})
}

// uses notes where the function returns what an act stores, once it has.
func (a *analysis) uses(act int, v ssa.Value) {
	at := a.events[act].instr
	for _, sure := range [...]bool{true, false} {
		for _, r := range a.returnsOf(v) {
			if ssautil.Dominates(at, r) || !sure && a.reach.Blocks(at.Block(), r.Block()) {
				if a.sum.Uses == nil {
					a.sum.Uses = make(map[int]token.Pos)
				}
				a.sum.Uses[act] = r.Pos()
				return
			}
		}
	}
}

// sameSections reports whether the locks held at the act were held, without a
// break, at the check.
func sameSections(check, act lockset.State) bool {
	for _, h := range act.Held() {
		if c, ok := check.Find(h.Lock); !ok || c.Acq != h.Acq {
			return false
		}
	}
	return slices.Equal(check.Released(), act.Released())
}

func minus(vs, without []ssa.Value) []ssa.Value {
	return slices.DeleteFunc(slices.Clone(vs), func(v ssa.Value) bool { return slices.Contains(without, v) })
}

// liftPairs copies the callee's pairs on maps that only the caller can name:
// the callee changes a map that it got as a parameter.
func (a *analysis) liftPairs(t *target) {
	base := len(a.events) - 1
	for _, p := range t.sum.Pairs {
		c, act := &t.sum.Accesses[p.Check], &t.sum.Accesses[p.Act]
		if c.Path.Location().Valid() || !summary.Exported(c) || !summary.Exported(act) {
			continue
		}
		ci, ai := -1, -1
		for i := base; i >= 0; i-- {
			ev := &a.events[i].acc
			if ev.At() == c.At() && ev.Op == c.Op && ci < 0 {
				ci = i
			}
			if ev.At() == act.At() && ev.Op == act.Op && ai < 0 {
				ai = i
			}
		}
		if ci >= 0 && ai >= 0 {
			p.Check, p.Act = ci, ai
			a.sum.Pairs = append(a.sum.Pairs, p)
		}
	}
}
