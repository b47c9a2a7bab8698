package depend

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// An end is one way in which a function returns: on paths that come to block
// from, or, where to is set, that take the edge between the two, the results
// are these values.
type end struct {
	from, to *ssa.BasicBlock
	results  []ssa.Value
	became   outcome
}

// An outcome is what became of the act at an end.
type outcome uint8

const (
	// unsettled: paths on which it was done and others come here.
	unsettled outcome = iota
	done
	refused
)

// maxEnds bounds the ends of one function that are told apart; beyond it a
// result that several paths share stays unknown.
const maxEnds = 64

// told reports whether callers learn from the results whether the act was
// done: wherever the look turned the function away from the act, a result is
// another constant than behind the act, or an error in place of nil.
//
// A result that is chosen on the way, by a variable that the paths set and one
// return gives, is followed to the paths that set it. One that is itself what
// the look found has at each end the value that led there.
func (f *Func) told(l *Look, act ssa.Instruction) bool {
	if f.gathered(l, act) {
		return true
	}
	t := teller{f: f, act: act, away: f.deciders(l.all, act.Block()), found: newFinding(f, l, act)}
	for _, r := range Returns(f.Fn) {
		if len(r.Results) > 0 {
			t.add(end{from: r.Block(), results: r.Results})
		}
	}
	for _, d := range t.done {
		if slices.ContainsFunc(t.refused, func(r end) bool { return !differ(d.results, r.results) }) {
			return false // the entry that is there will do as well
		}
	}
	return len(t.done) > 0 && len(t.refused) > 0
}

// A teller sorts the ends of a function by what became of the act.
type teller struct {
	f             *Func
	act           ssa.Instruction
	away          []decider
	found         finding
	done, refused []end
	steps         int
}

// add puts an end to its kind: behind the act, or turned away by the look. One
// whose results the paths choose is taken apart.
func (t *teller) add(e end) {
	after := t.f.leads(t.act.Block(), e.from)
	away := t.f.turnedAway(t.away, e)
	switch {
	case e.became != unsettled:
	case !after && !away:
		return // the look has nothing to do with it
	case !away:
		e.became = done
	case !after:
		e.became = refused
	}
	if e.became == done {
		e = t.settled(e)
	}
	if t.found.in(e.results) {
		t.addFound(e)
		return
	}
	if parts := t.split(e); parts != nil {
		for _, p := range parts {
			p.became = e.became
			t.add(p)
		}
		return
	}
	if e.became != refused {
		t.done = append(t.done, e)
	}
	if e.became != done {
		t.refused = append(t.refused, e)
	}
}

// addFound puts in place of what the look found the value that it has where the
// act was done, and where it was not.
func (t *teller) addFound(e end) {
	for _, became := range [...]outcome{done, refused} {
		if e.became == unsettled || e.became == became {
			t.add(end{from: e.from, to: e.to, results: t.found.replace(e.results, became == done), became: became})
		}
	}
}

// split takes an end apart by the edges over which control comes to the place
// where a result is chosen; nil if none is.
func (t *teller) split(e end) []end {
	if t.steps++; t.steps > maxEnds {
		return nil
	}
	for _, v := range e.results {
		if !telling(v.Type()) {
			continue
		}
		if phi, ok := v.(*ssa.Phi); ok && phi.Block().Dominates(e.from) {
			return into(phi.Block(), e.results)
		}
		// A variable that defers keep in memory has its value from a store
		// before.
		if res := t.f.variable(v); res != nil {
			return t.before(e, v, res)
		}
	}
	return nil
}

// telling reports whether results of a type can tell what was done.
func telling(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsBoolean|types.IsInteger) != 0 || ssautil.IsError(t)
}

// into returns the ends by the edges into a block, with the values that its
// phis have there.
func into(b *ssa.BasicBlock, results []ssa.Value) []end {
	var out []end
	for i, p := range b.Preds {
		e := end{from: p, to: b}
		for _, v := range results {
			if phi, ok := v.(*ssa.Phi); ok && phi.Block() == b {
				v = phi.Edges[i]
			}
			e.results = append(e.results, v)
		}
		out = append(out, e)
	}
	return out
}

// before replaces a variable's value by what a block stores in it, or else goes
// one block back.
func (t *teller) before(e end, load ssa.Value, res *ssa.Alloc) []end {
	for _, instr := range slices.Backward(e.from.Instrs) {
		var x ssa.Value
		switch instr := instr.(type) {
		case *ssa.Store:
			if instr.Addr == ssa.Value(res) {
				x = instr.Val
			}
		case *ssa.Alloc:
			if instr == res {
				x = zero(load.Type())
			}
		}
		if x != nil {
			e.results = replaced(e.results, load, x)
			return []end{e}
		}
	}
	return into(e.from, e.results)
}

func replaced(vs []ssa.Value, from, to ssa.Value) []ssa.Value {
	out := slices.Clone(vs)
	for i, v := range out {
		if v == from {
			out[i] = to
		}
	}
	return out
}

// settled replaces what the acting call gives, or sets, by the one value that
// the literal that it runs gives or sets.
func (t *teller) settled(e end) end {
	call, ok := t.act.(*ssa.Call)
	if !ok {
		return e
	}
	for _, v := range e.results {
		x := ssa.Value(nil)
		if v == ssa.Value(call) {
			x = passedOn(call)
		} else if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL && ssautil.Dominates(call, ld) {
			x = storedBy(call, ld.X)
		}
		if x != nil {
			e.results = replaced(e.results, v, x)
		}
	}
	return e
}

// passedOn returns the one value of a literal that a call runs to give its
// result.
func passedOn(call *ssa.Call) ssa.Value {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return nil
	}
	if o := fn.Origin(); o != nil {
		fn = o // an instance only calls it
	}
	run, _ := soleResult(fn).(*ssa.Call)
	if run == nil {
		return nil
	}
	i := slices.IndexFunc(fn.Params, func(p *ssa.Parameter) bool { return ssa.Value(p) == run.Call.Value })
	if i < 0 || i >= len(call.Call.Args) {
		return nil
	}
	return soleResult(ssautil.Literal(call.Call.Args[i]))
}

// handedOut returns the captured variable that a call gives, when that is what
// the literal that it runs returns.
func handedOut(call *ssa.Call) ssa.Value {
	v := passedOn(call)
	if ld, ok := v.(*ssa.UnOp); ok && ld.Op == token.MUL {
		v = ld.X
	}
	if fv, ok := v.(*ssa.FreeVar); ok {
		return ssautil.Binding(fv)
	}
	return nil
}

// soleResult returns the one value that a function returns, nil if there are
// several.
func soleResult(fn *ssa.Function) ssa.Value {
	if fn == nil || fn.Signature.Results().Len() != 1 {
		return nil
	}
	var only ssa.Value
	for _, r := range Returns(fn) {
		v := ssautil.ResultAt(r, 0)
		if only != nil && only != v {
			return nil
		}
		only = v
	}
	return only
}

// storedBy returns the one value that the literals among a call's arguments put
// into a variable; nil if there is another.
func storedBy(call *ssa.Call, addr ssa.Value) ssa.Value {
	var only ssa.Value
	for _, arg := range ssautil.HandedOver(&call.Call) {
		mc, ok := arg.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		for i, bound := range mc.Bindings {
			if bound != addr {
				continue
			}
			for _, r := range *mc.Fn.(*ssa.Function).FreeVars[i].Referrers() {
				st, ok := r.(*ssa.Store)
				if !ok {
					continue
				}
				if only != nil && only != st.Val {
					return nil
				}
				only = st.Val
			}
		}
	}
	return only
}

// variable returns the local variable whose value v is, if nothing but stores
// and loads in this function touch it.
func (f *Func) variable(v ssa.Value) *ssa.Alloc {
	ld, ok := v.(*ssa.UnOp)
	if !ok || ld.Op != token.MUL {
		return nil
	}
	res, ok := ld.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	for _, r := range *res.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Val == ssa.Value(res) {
				return nil
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return nil
		}
	}
	return res
}

// zero is the value that a variable has before it is set.
func zero(t types.Type) ssa.Value {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch {
		case b.Info()&types.IsBoolean != 0:
			return ssa.NewConst(constant.MakeBool(false), t)
		case b.Info()&types.IsInteger != 0:
			return ssa.NewConst(constant.MakeInt64(0), t)
		}
	}
	return ssa.NewConst(nil, t)
}

// A decider is a branch of which one side leads to the act and the other not.
type decider struct{ at, other *ssa.BasicBlock }

// deciders returns the branches that the look decides and that turn away from
// the act. The end of a loop that the act stands in is none, where the look has
// decided on the loop.
func (f *Func) deciders(s *Slice, act *ssa.BasicBlock) []decider {
	var out []decider
	outer := func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(out, func(d decider) bool { return d.at.Dominates(b) && !f.leads(act, d.at) })
	}
	for _, b := range f.Fn.DomPreorder() {
		br := f.branch(b.Index)
		if br == nil || !s.Has(br.Cond) || f.leads(act, b) && outer(b) {
			continue
		}
		for i, side := range b.Succs {
			if other := b.Succs[1-i]; f.leads(side, act) && !f.leads(other, act) {
				out = append(out, decider{b, other})
			}
		}
	}
	return out
}

// turnedAway reports whether a decider's other side leads to an end: what fails
// later, on the way to the act, was not turned away.
func (f *Func) turnedAway(ds []decider, e end) bool {
	return slices.ContainsFunc(ds, func(d decider) bool {
		return f.leads(d.other, e.from) || d.at == e.from && d.other == e.to
	})
}

// leads reports whether control can go from the start of one block to another.
func (f *Func) leads(from, to *ssa.BasicBlock) bool { return from == to || f.Reach.Blocks(from, to) }

// differ reports whether two ends tell a caller different things: one result
// is certainly another.
func differ(xs, ys []ssa.Value) bool {
	for i := range min(len(xs), len(ys)) {
		p, q := xs[i], ys[i]
		a, aok := constantOf(p)
		b, bok := constantOf(q)
		if aok && bok && a != b {
			return true
		}
		if ssautil.IsError(p.Type()) && (ssautil.IsNil(p) && NonNil(q) || ssautil.IsNil(q) && NonNil(p)) {
			return true
		}
	}
	return false
}
