package depend

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A finding is what a look says of the presence of an entry, for those who give
// it back as it is: return !ok.
type finding struct {
	f      *Func
	senses map[ssa.Value]Sense
	// atAct is what the look found where the act runs; [Any] if nothing is
	// known.
	atAct Polarity
}

// newFinding returns what a look found at an act. Where the function gives back
// the entry, too, its presence says only where the entry comes from.
func newFinding(f *Func, l *Look, act ssa.Instruction) finding {
	for _, v := range minus(l.Outcomes, l.Presence) {
		if !telling(v.Type()) && len(ReturnsOf(v)) > 0 {
			return finding{f: f}
		}
	}
	return finding{f: f, senses: l.Senses, atAct: f.polarityAt(l.Senses, act)}
}

// in reports whether one of the results is what the look found.
func (g finding) in(results []ssa.Value) bool {
	return slices.ContainsFunc(results, func(v ssa.Value) bool { return g.sense(v) != NoSense })
}

// sense says how a truth value tells what the look found.
func (g finding) sense(v ssa.Value) Sense {
	if g.atAct != Absent && g.atAct != Present || !ssautil.IsBool(v.Type()) {
		return NoSense
	}
	if _, merged := v.(*ssa.Phi); merged {
		return NoSense // taken apart by its edges
	}
	switch s := g.f.senseOf(g.senses, v, 0); s {
	case TrueIfPresent, TrueIfAbsent:
		return s
	}
	return NoSense
}

// replace returns results with the values that they have where the act was
// done, or else where the look turned it away.
func (g finding) replace(results []ssa.Value, done bool) []ssa.Value {
	out := slices.Clone(results)
	present := (g.atAct == Present) == done
	for i, v := range out {
		if s := g.sense(v); s != NoSense {
			out[i] = ssa.NewConst(constant.MakeBool((s == TrueIfPresent) == present), v.Type())
		}
	}
	return out
}

// gathered reports whether callers learn from a list or a number which of
// several acts were done: behind the act something is added to it, and where
// the look turned the act away, it stays as it was. How many entries were
// deleted is no more than a report.
func (f *Func) gathered(l *Look, act ssa.Instruction) bool {
	at := f.polarityAt(l.Senses, act)
	for _, b := range f.Fn.Blocks {
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			if f.addsBehind(l, phi, act, at) && len(ReturnsOf(phi)) > 0 {
				return true
			}
		}
	}
	return false
}

// addsBehind reports whether a variable grows on an edge behind the act, and is
// the same as before on one on which the look found the opposite.
func (f *Func) addsBehind(l *Look, phi *ssa.Phi, act ssa.Instruction, at Polarity) bool {
	if at != Absent && at != Present {
		return false
	}
	for i, v := range phi.Edges {
		old := grownFrom(v, at == Absent)
		if old == nil || !act.Block().Dominates(phi.Block().Preds[i]) {
			continue
		}
		for j, w := range phi.Edges {
			p := f.polarityOn(l.Senses, phi.Block().Preds[j], phi.Block())
			if w == old && p != at && p != Any {
				return true
			}
		}
	}
	return false
}

// grownFrom returns the list to which v appends something, or, where numbers
// count, the number that v is more than.
func grownFrom(v ssa.Value, numbers bool) ssa.Value {
	switch v := v.(type) {
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return v.Call.Args[0]
		}
	case *ssa.BinOp:
		if v.Op == token.ADD && numbers {
			return v.X
		}
	}
	return nil
}
