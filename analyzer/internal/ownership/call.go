package ownership

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// call returns what is known of a call, worked out once.
func (r *Result) call(c ssa.CallInstruction) *Call {
	known, ok := r.calls[c]
	if !ok {
		known = r.Env.Call(c)
		r.calls[c] = known
	}
	return known
}

// callMatters reports whether a call can change who owns what. That of a
// builtin function does for a few of them.
func (r *Result) callMatters(c ssa.CallInstruction) bool {
	common := c.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" || b.Name() == "delete" && ssautil.IsMap(common.Args[0].Type())
	}
	k := r.call(c)
	if k == nil {
		return r.unknown(c, nil)
	}
	if k.Stores || k.Keeps || k.New || k.Copies || r.unknown(c, k) {
		return true
	}
	for i := range k.Callees {
		t := &k.Callees[i]
		if t.How != Runs || t.Sum != nil && (!t.Sum.Quiet() || !t.Passed && t.Sum.gives()) {
			return true
		}
	}
	return false
}

// apply is the transfer function of a call.
func (r *Result) apply(s *State, instr ssa.CallInstruction) {
	common := instr.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		r.builtin(s, instr, b.Name())
		return
	}
	c := r.call(instr)
	if c == nil {
		c = new(Call)
	}
	known := false
	for i := range c.Callees {
		t := &c.Callees[i]
		known = known || !t.Passed && t.Sum != nil
		r.callee(s, instr, c, t)
	}
	switch {
	case c.Stores:
		for _, arg := range common.Args[1:] {
			if _, plain := ssautil.Unwrap(arg).Type().Underlying().(*types.Basic); plain {
				continue // a name or a number is no object
			}
			r.store(s, r.element(r.Paths.Of(common.Args[0])), arg, false)
		}
	case c.Keeps || !known && r.unknown(instr, c):
		for _, arg := range common.Args {
			r.publish(s, arg)
			r.publishWrapped(s, arg, make(map[ssa.Value]bool))
		}
	}
	v, ok := instr.(ssa.Value)
	if !ok || !c.New && !c.Copies {
		return
	}
	for _, x := range results(v, 0) {
		s.set(r.nameOf(x), Owned)
		if c.Copies {
			r.setForeign(s, r.nameOf(x), Fields{Names: []string{elements}})
		}
	}
}

// publishWrapped lets others reach what lies within something that they call, as a handler is that another one was wrapped in: what
// the function got that has made it.
func (r *Result) publishWrapped(s *State, v ssa.Value, seen map[ssa.Value]bool) {
	v = ssautil.Unwrap(v)
	made, ok := v.(*ssa.Call)
	if !ok || seen[v] || !called(v.Type()) {
		return
	}
	seen[v] = true
	for _, arg := range made.Call.Args {
		r.publish(s, arg)
		r.publishWrapped(s, arg, seen)
	}
}

// called reports whether a value of a type is there to be called, by itself or by its methods.
func called(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return t.NumMethods() > 0
	}
	return false
}

func (r *Result) builtin(s *State, instr ssa.CallInstruction, name string) {
	args := instr.Common().Args
	v, ok := instr.(ssa.Value)
	switch {
	case name == "append" && ok:
		out := Owned
		for _, arg := range args {
			if !ssautil.IsNil(arg) {
				out = Join(out, s.Lookup(r.Paths.Of(arg)))
			}
		}
		s.set(r.nameOf(v), out)
	case name == "delete":
		r.removed(s, args[0], args[1])
	}
}

// callee applies one function that the call runs or gets.
func (r *Result) callee(s *State, instr ssa.CallInstruction, c *Call, t *Callee) {
	switch {
	case t.How == Starts, t.How == Ends && t.Sum == nil:
		f := r.Reached(t.Key)
		for _, v := range ssautil.HandedOver(instr.Common()) {
			r.publishAt(s, v, f)
		}
	case t.How == Ends:
		r.lend(s, instr, t)
	case t.How == Keeps:
		for _, v := range ssautil.HandedOver(instr.Common()) {
			if _, closure := v.(*ssa.MakeClosure); closure {
				r.publish(s, v)
			}
		}
	case t.Sum != nil:
		r.summary(s, instr, t)
	}
}

// lend gives objects to goroutines that end before the call returns: others know them meanwhile, and afterwards those
// that the goroutines themselves have let others know.
func (r *Result) lend(s *State, instr ssa.CallInstruction, t *Callee) {
	for _, v := range ssautil.HandedOver(instr.Common()) {
		r.loosen(s, v)
		for _, q := range r.links.spread(r.Paths.Table, r.Paths.Of(v)) {
			r.left[rootOf(q)] = true
		}
	}
	r.summary(s, instr, t)
}

// summary applies what a known callee does to its inputs and what it returns.
func (r *Result) summary(s *State, instr ssa.CallInstruction, t *Callee) {
	for _, p := range t.Sum.Renews {
		if q := r.inCaller(t, p); q.Known() {
			r.replaced(s, q)
		}
	}
	at := make([]Value, len(t.Sum.Inputs))
	for i := range at {
		at[i] = s.Lookup(r.input(t, i))
	}
	input := func(i int) Value {
		if i < len(at) {
			return at[i]
		}
		return Shared
	}
	for i, in := range t.Sum.Inputs {
		p := r.input(t, i)
		if !p.Known() || in.keeps(i) || t.Lent.Has(i) {
			continue
		}
		if in.Own == Shared || in.At.All {
			r.publishPath(s, p)
			r.loosenArg(s, t, i)
			continue
		}
		if v := in.Own.Through(input); v != at[i] {
			for _, q := range r.links.spread(r.Paths.Table, p) {
				s.raise(q, v)
			}
			r.loosenArg(s, t, i)
		}
		if in.Own != OwnedIfInput(i) {
			r.loosenArg(s, t, i) // the callee keeps it somewhere
		}
		if in.Foreign.has(elements) {
			for _, q := range r.links.spread(r.Paths.Table, p) {
				s.set(r.element(q), Shared)
			}
		}
		if !in.At.None() {
			r.publishPathAt(s, p, in.At)
			r.loosenArg(s, t, i)
		}
	}
	if t.Passed {
		return
	}
	v, ok := instr.(ssa.Value)
	for i, res := range t.Sum.Results {
		if !ok {
			break
		}
		for _, x := range results(v, i) {
			r.given(s, x, res)
			if p := r.Paths.Of(x); p.Root().Val == x {
				r.setFate(s, p, res, input)
			}
		}
	}
}

func (r *Result) setFate(s *State, p accesspath.Path, f Fate, input func(int) Value) {
	s.set(p, f.Own.Through(input))
	if from, _ := p.CopyOf(); from.Known() && f.Own == Owned {
		r.copyStruct(s, p)
	}
	if !f.At.None() {
		s.publishAt(p, f.At)
	}
	r.setForeign(s, p, f.Foreign)
}

// setForeign notes the fields of what a callee returns that lead to what others have.
func (r *Result) setForeign(s *State, p accesspath.Path, foreign Fields) {
	v := p.Root().Val
	if foreign.None() || v == nil {
		return
	}
	if foreign.has(elements) && holder(ssautil.Pointee(v.Type())) {
		s.set(r.element(p), Shared)
	}
	st, ok := ssautil.Pointee(v.Type()).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for field := range st.Fields() {
		if foreign.Has(field) {
			s.set(r.Paths.Field(p, field), Shared)
		}
	}
}

func (r *Result) loosenArg(s *State, t *Callee, i int) {
	if i < len(t.Args) {
		r.loosen(s, t.Args[i])
	}
}

// input is the path, here, of a callee's i-th input.
func (r *Result) input(t *Callee, i int) accesspath.Path {
	if i < len(t.Inputs) {
		return t.Inputs[i]
	}
	if i < len(t.Args) {
		return r.Paths.Of(t.Args[i])
	}
	if j := i - t.Sum.Params(); j >= 0 && j < len(t.Sum.Captured) {
		return t.Sum.Captured[j]
	}
	return accesspath.Path{}
}

// inCaller expresses a path of the callee here.
func (r *Result) inCaller(t *Callee, p accesspath.Path) accesspath.Path {
	root := p.Root()
	if root.Kind != accesspath.Param || root.Fn != t.Key {
		return p // a literal speaks of its maker's paths
	}
	if root.Index >= len(t.Args) {
		return accesspath.Path{}
	}
	return r.Paths.Rebase(p, r.Paths.Root(root), r.Paths.Of(t.Args[root.Index]))
}

// unknown reports whether it is unknown what a call does with what it gets, and
// it can keep it: a method of an interface, or a function value, that belongs
// to something that others know. What a function got to call, as an option, it
// calls; a library's function keeps nothing unless the table says so, or its name that it registers.
func (r *Result) unknown(instr ssa.CallInstruction, c *Call) bool {
	common := instr.Common()
	if common.IsInvoke() || common.StaticCallee() != nil {
		return false
	}
	if c != nil && (c.Harmless || len(c.Callees) > 0 && !c.Callees[0].Passed) {
		return false
	}
	p := r.Paths.Of(common.Value)
	return p.LastField() != nil || p.Root().Kind == accesspath.Global
}

// results returns the values of a call's i-th result.
func results(call ssa.Value, i int) []ssa.Value {
	if call.Referrers() == nil {
		return nil
	}
	if !tuple(call) {
		if i == 0 {
			return []ssa.Value{call}
		}
		return nil
	}
	var out []ssa.Value
	for _, x := range ssautil.Extracts(call) {
		if x.(*ssa.Extract).Index == i {
			out = append(out, x)
		}
	}
	return out
}
