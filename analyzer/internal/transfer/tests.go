package transfer

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxTests bounds the tests of one function that the analysis remembers.
const maxTests = 24

// tests are the conditions that the lock states of a function may know: those
// on which more than one branch depends, those on parameters, and those that
// say how a call went.
type tests struct {
	branches map[locks.Cond]int
	asked    map[locks.Cond]bool
	count    int
	cut      bool // there were more
	// at gives, for each storage that is tested, the tests; defined those of
	// which a value is new when an instruction computes it.
	at      map[accesspath.Path][]locks.Cond
	defined map[ssa.Value][]locks.Cond
	// steady: what is stored in variables is not remembered, because the
	// function seems to change it behind our back.
	steady bool
	paths  *accesspath.Builder
}

func newTests(paths *accesspath.Builder) *tests {
	return &tests{
		branches: make(map[locks.Cond]int), asked: make(map[locks.Cond]bool),
		at: make(map[accesspath.Path][]locks.Cond), defined: make(map[ssa.Value][]locks.Cond), paths: paths,
	}
}

func about(c locks.Cond) locks.Cond {
	c.Holds = true
	return c
}

// ask makes the test one that states remember; false when there are too many.
func (t *tests) ask(c locks.Cond) bool {
	c = about(c)
	if t.asked[c] {
		return true
	}
	if !c.Val.Known() || c.Val.Root().Kind == accesspath.Const {
		return false
	}
	if t.count >= maxTests {
		t.cut = true
		return false
	}
	t.asked[c] = true
	t.count++
	t.at[c.Val] = append(t.at[c.Val], c)
	t.watch(c.Val.Root().Val, c, 0)
	if c.Val.IsComputed() {
		t.watchPath(c.Left, c, 0)
		t.watchPath(c.Right, c, 0)
	}
	t.askFlag(c)
	return true
}

// askFlag makes a test of a flag one of what it was before, where the function puts together what it has become.
func (t *tests) askFlag(c locks.Cond) {
	phi, ok := c.Val.Root().Val.(*ssa.Phi)
	if !ok || c.Test != locks.True || c.Val.Depth() > 0 {
		return
	}
	for _, in := range phi.Edges {
		if before, ok := in.(*ssa.Phi); ok {
			t.ask(locks.Cond{Val: t.paths.Of(before), Test: locks.True})
		}
	}
}

// watch notes the values from which the tested one is computed.
func (t *tests) watch(v ssa.Value, c locks.Cond, depth int) {
	if v == nil || depth > 3 {
		return
	}
	if op, ok := v.(*ssa.BinOp); ok {
		for _, x := range [...]ssa.Value{op.X, op.Y} {
			t.watchPath(t.paths.Of(x), c, depth+1)
		}
		return
	}
	t.defined[v] = append(t.defined[v], c)
}

// watchPath notes the values that lead to a tested one.
func (t *tests) watchPath(p accesspath.Path, c locks.Cond, depth int) {
	t.watch(p.Root().Val, c, depth)
	for ; p.Depth() > 0; p = p.Parent() {
		t.watch(p.Key().Root().Val, c, depth) // another element is another object
	}
}

// branch counts a branch on a test.
func (t *tests) branch(c locks.Cond) {
	c = about(c)
	t.branches[c]++
	switch c.Val.Root().Val.(type) {
	case *ssa.Phi, *ssa.Alloc:
		t.ask(c) // what is put in may be known
		return
	}
	if _, k := comparedParam(c); t.branches[c] > 1 || k != nil || c.Val.Root().Kind == accesspath.Param || c.Left.Known() {
		t.ask(c)
	}
}

// askResults makes what is returned a test that states remember: callers ask
// what it says of locks.
func (a *analysis) askResults(ret *ssa.Return) {
	for i := range ret.Results {
		v := ssautil.Returned(ret, i)
		if _, isConst := v.(*ssa.Const); isConst {
			continue
		}
		if test, ok := testOf(v.Type()); ok {
			if c, ok := a.outcome(v, test, true); ok {
				a.tests.ask(c)
			}
		}
	}
}

// remembers reports whether states know the outcome of a test.
func (t *tests) remembers(c locks.Cond) bool {
	return t.asked[about(c)] && (!t.steady || t.immutable(c.Val, 0))
}

// immutable reports whether what is tested is a value, not a variable.
func (t *tests) immutable(p accesspath.Path, depth int) bool {
	if p.IsComputed() && depth <= 3 {
		return t.immutable(p.Parent(), depth+1) && t.immutable(p.Key(), depth+1)
	}
	if p.Depth() > 0 || depth > 3 {
		return false
	}
	switch r := p.Root(); r.Kind {
	case accesspath.Param, accesspath.Const:
		return true
	case accesspath.Value:
		switch v := r.Val.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			return false
		case *ssa.BinOp:
			return t.immutable(t.paths.Of(v.X), depth+1) && t.immutable(t.paths.Of(v.Y), depth+1)
		}
		return true
	}
	return false
}

// variables reports whether any test is of something that can change.
func (t *tests) variables() bool {
	for c := range t.asked {
		if !t.immutable(c.Val, 0) {
			return true
		}
	}
	return false
}

// outcome returns the condition that v is as test and holds say, without its
// negations; false if that cannot be remembered.
func (a *analysis) outcome(v ssa.Value, test locks.Test, holds bool) (locks.Cond, bool) {
	if test == locks.True {
		asked, not := ssautil.Unnegated(v)
		v, holds = asked, holds != not
		if x, ok := v.(*ssa.BinOp); ok {
			if y := nilCompared(x); y != nil {
				v, test, holds = y, locks.Nil, holds == (x.Op == token.EQL)
			}
		}
	}
	p := a.Paths.Of(v)
	if x, ok := v.(*ssa.BinOp); ok && test == locks.True && x.Op == token.NEQ {
		p, holds = a.Paths.Equality(x), !holds
	}
	if test == locks.Nil && hasElement(p) {
		switch v.(type) {
		case *ssa.Call, *ssa.Extract, *ssa.Lookup:
			p = a.Paths.Root(accesspath.Root{Kind: accesspath.Value, Val: v}) // what it gave this time
		default:
			return locks.Cond{}, false
		}
	}
	if p.Root().Kind == accesspath.Const {
		return locks.Cond{}, false
	}
	c := locks.Cond{Val: p, Test: test, Holds: holds}
	if test == locks.True {
		c.Left, c.Right = a.unordered(a.oneObject(v))
	}
	if same := a.equality(c.Left, c.Right); same.Known() {
		same.Holds = holds
		return same, true
	}
	return c, p.Known()
}

// oneObject returns the two objects of which a comparison asks whether they are one, or the two numbers that are in order.
func (a *analysis) oneObject(v ssa.Value) (x, y accesspath.Path) {
	op, ok := v.(*ssa.BinOp)
	if !ok || op.Op != token.EQL && op.Op != token.NEQ {
		return x, y
	}
	if _, ok := op.X.Type().Underlying().(*types.Pointer); !ok && !a.ordered(op) {
		return x, y
	}
	if x, y = a.Paths.Of(op.X), a.Paths.Of(op.Y); !x.Known() || !y.Known() {
		return accesspath.Path{}, accesspath.Path{}
	}
	return x, y
}

// nilCompared returns what a comparison with nil compares.
func nilCompared(op *ssa.BinOp) ssa.Value {
	switch {
	case op.Op != token.EQL && op.Op != token.NEQ:
		return nil
	case ssautil.IsNil(op.Y):
		return op.X
	case ssautil.IsNil(op.X):
		return op.Y
	}
	return nil
}

// hasElement reports whether the path goes through a map or slice: another
// value may have the same path.
func hasElement(p accesspath.Path) bool {
	for ; p.Depth() > 0; p = p.Parent() {
		if p.IsElem() {
			return true
		}
	}
	return false
}

// testOf returns the test that values of a type can be put to.
func testOf(t types.Type) (locks.Test, bool) {
	if ssautil.IsBool(t) {
		return locks.True, true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature, *types.Map, *types.Chan, *types.Slice:
		return locks.Nil, true
	}
	return 0, false
}

// knownValue reports what the code itself says of a value: a constant, or a
// new object. An error variable of a package is not nil.
func knownValue(v ssa.Value, test locks.Test) (is, known bool) {
	switch v := v.(type) {
	case *ssa.Const:
		if test == locks.Nil {
			return v.Value == nil, true
		}
		if v.Value != nil && v.Value.Kind() == constant.Bool {
			return constant.BoolVal(v.Value), true
		}
	case *ssa.Alloc, *ssa.MakeInterface, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeClosure, *ssa.MakeSlice, *ssa.Function:
		return false, test == locks.Nil
	case *ssa.ChangeInterface:
		return knownValue(v.X, test)
	case *ssa.UnOp:
		_, global := v.X.(*ssa.Global)
		return false, test == locks.Nil && v.Op == token.MUL && global && ssautil.IsError(v.Type())
	case *ssa.Call:
		if fn, _ := ssautil.Callee(&v.Call); fn != nil && fn.Pkg() != nil && test == locks.Nil && v.Call.Signature().Results().Len() == 1 {
			return false, model.MakesError(fn)
		}
	}
	return false, false
}

// learn returns s where the test, of whose value nothing is known any more,
// comes out as it does for v.
func (a *analysis) learn(s locks.State, c locks.Cond, v ssa.Value) locks.State {
	if is, known := a.known(v, c.Test); known {
		c.Holds = is
		return s.Assume(c)
	}
	from, ok := a.outcome(v, c.Test, true)
	if !ok || from.About(c) {
		return s
	}
	c.Holds = true
	if !from.Holds {
		return s.CopyNot(from, c)
	}
	return s.Copy(from, c)
}

// forget returns s without the tests that are of a new value now.
func forget(s locks.State, cs []locks.Cond) locks.State {
	for _, c := range cs {
		s = s.Forget(c)
	}
	return s
}

// define returns s after a value was computed.
func (a *analysis) define(s locks.State, v ssa.Value) locks.State {
	if cs := a.tests.defined[v]; len(cs) > 0 && s.Conditional() {
		return forget(s, cs)
	}
	return s
}

// assign returns s after a store to a variable that is tested.
func (a *analysis) assign(s locks.State, st *ssa.Store) locks.State {
	if len(a.tests.at) == 0 {
		return s
	}
	cs := a.tests.at[a.Paths.Of(st.Addr)]
	s = forget(s, cs)
	for _, c := range cs {
		if a.tests.remembers(c) {
			s = a.learn(s, c, st.Val)
		}
	}
	return s
}

// enter returns s at the start of a block, where its phis take their values.
func (a *analysis) enter(s locks.State, from, to *ssa.BasicBlock) locks.State {
	if len(a.tests.defined) == 0 || s.IsTop() {
		return s
	}
	edge := -1
	for i, p := range to.Preds {
		if p == from {
			edge = i
		}
	}
	var phis []*ssa.Phi
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if edge >= 0 && phi.Edges[edge] == ssa.Value(phi) {
			continue // it stays what it is
		}
		s = a.define(s, phi)
		phis = append(phis, phi)
	}
	if edge < 0 || len(from.Succs) == 2 && from.Succs[0] == from.Succs[1] {
		return s
	}
	for _, phi := range phis {
		for _, c := range a.tests.at[a.Paths.Of(phi)] {
			in := phi.Edges[edge]
			if other, ok := in.(*ssa.Phi); ok && other.Block() == to {
				continue // of the round before
			}
			if a.tests.remembers(c) && c.Val.Root().Val == ssa.Value(phi) {
				s = a.learn(s, c, in)
			}
		}
	}
	return s
}
