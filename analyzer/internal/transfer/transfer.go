// Package transfer turns the SSA of one function into its summary: it solves
// the must-held lock sets, records the accesses to maps under them, and finds
// which acts depend on which checks. It never reports.
package transfer

import (
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
	"honnef.co/go/tools/analysis/dfa/dense"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An Env is what a function's analysis may know of the rest of the program.
type Env struct {
	Paths *accesspath.Builder
	// Summary returns what is known of a callee, nil if nothing is.
	Summary func(key any) *summary.Func
	// Implementers returns the functions that an interface method can be,
	// when the package shows all of them; else nil.
	Implementers func(method *types.Func) []*ssa.Function
	// Reached are the fields that a function and what it runs can touch.
	Reached func(key any) ownership.Fields
	// Done reports whether a channel is only ever closed, so that receiving
	// from it waits for an end.
	Done func(ch ssa.Value) bool

	accessors map[string]ssa.Value // the first of several alike calls
	carriers  ownership.Carriers
}

// MaxInstrs bounds the functions that are analysed: a longer one (a generated
// table, say) gets an empty summary. Unit: SSA instructions.
const MaxInstrs = 60_000

// Analyze returns fn's summary. Complexity: linear in fn's instructions, times
// the number of its locks, checks and acts, which are bounded.
func Analyze(fn *ssa.Function, env *Env) *summary.Func {
	a := &analysis{Env: env, fn: fn, key: accesspath.FuncKey(fn), sum: newSummary(fn)}
	if fn.Blocks == nil || a.count() > MaxInstrs {
		return a.sum
	}
	a.prepare()
	a.owns()
	if !a.interesting {
		a.results(nil)
		return a.sum
	}
	a.solve()
	a.record()
	a.link()
	return a.sum
}

func newSummary(fn *ssa.Function) *summary.Func {
	obj, _ := fn.Object().(*types.Func)
	return &summary.Func{Key: accesspath.FuncKey(fn), Obj: obj, Name: ssautil.Name(fn), Pos: fn.Pos()}
}

// analysis is the state of one function's analysis.
type analysis struct {
	*Env
	fn  *ssa.Function
	key any
	sum *summary.Func

	interesting bool // it touches locks or maps, or calls what does
	locks       bool // it changes the lock set
	effects     map[ssa.Instruction]*effect
	defers      []*ssa.Defer
	conds       map[accesspath.Path]int // number of branches on a condition
	in          []lockset.State         // by block index
	exits       []lockset.State
	events      []event
	shapes      map[string]accesspath.Path // the first key of each shape
	pdom        *ssautil.Postdom
	storesAt    map[accesspath.Path][]ssa.Instruction
	// numberStores are those of integers, among them reference counts.
	numberStores []*ssa.Store
	loads        map[ssa.Value]lockset.State
	own          *ownership.Result
	reach        *ssautil.Reach
	starts       []start
	joinLoops    map[*ssa.BasicBlock]bool
	visits       bool               // it is a visitor of a concurrent map
	handed       map[ssa.Value]bool // the objects made here that goroutines get
}

func (a *analysis) count() int {
	n := 0
	for _, b := range a.fn.Blocks {
		n += len(b.Instrs)
	}
	return n
}

// prepare works out each call's effect once, so that solving only replays it,
// and notices functions in which nothing can happen.
func (a *analysis) prepare() {
	a.effects = make(map[ssa.Instruction]*effect)
	a.conds = make(map[accesspath.Path]int)
	a.reach = ssautil.NewReach(a.fn)
	for _, p := range a.fn.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			a.interesting = true // it may be a runner of closures
		}
	}
	id := int32(0)
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			id++
			switch instr := instr.(type) {
			case *ssa.Defer:
				a.defers = append(a.defers, instr)
				a.addEffect(instr, &instr.Call, id)
			case *ssa.Call:
				a.addEffect(instr, &instr.Call, id)
			case *ssa.Go:
				a.interesting = true
			case *ssa.Lookup, *ssa.MapUpdate, *ssa.Range, *ssa.MakeClosure:
				a.interesting = true
			case *ssa.Store:
				a.interesting = a.interesting || ssautil.IsMap(ssautil.Pointee(instr.Addr.Type()))
			case *ssa.BinOp:
				a.interesting = a.interesting || ssautil.IsMap(instr.X.Type())
			case *ssa.Return:
				a.interesting = a.interesting || slices.ContainsFunc(instr.Results, func(v ssa.Value) bool { return ssautil.IsMap(v.Type()) })
			case *ssa.If:
				a.conds[a.Paths.Of(instr.Cond)]++
			}
		}
	}
}

func (a *analysis) addEffect(instr ssa.CallInstruction, call *ssa.CallCommon, id int32) {
	e := a.effectOf(instr, call, id)
	if e == nil {
		return
	}
	a.interesting = true
	a.locks = a.locks || e.changesLocks()
	a.effects[instr] = e
}

// graph presents the function's blocks to the solver.
type graph struct{ blocks []*ssa.BasicBlock }

func (g graph) NumNodes() int { return len(g.blocks) }

func (g graph) Nodes() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range g.blocks {
			if !yield(i) {
				return
			}
		}
	}
}

func (g graph) Out(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, s := range g.blocks[n].Succs {
			if i > 0 && s == g.blocks[n].Succs[0] {
				continue // both branches lead to one block
			}
			if !yield(s.Index) {
				return
			}
		}
	}
}

// solve computes the lock set at the start of each block.
func (a *analysis) solve() {
	a.in = make([]lockset.State, len(a.fn.Blocks))
	if !a.locks {
		for i := range a.in {
			a.in[i] = lockset.Reached()
		}
		return
	}
	type memo struct {
		in, out lockset.State
		done    bool
	}
	outs := make([]memo, len(a.fn.Blocks))
	var lattice lockset.Lattice
	// Assuming a branch outcome is not monotone in all cases. Meeting each
	// edge with its former result makes every chain descend, so that solving
	// ends; where the transfer is monotone it changes nothing.
	last := make(map[[2]int]lockset.State)
	transfer := func(from, to int, in lockset.State) lockset.State {
		m := &outs[from]
		if !m.done || !lattice.Equals(m.in, in) {
			*m = memo{in, a.block(a.fn.Blocks[from], in), true}
		}
		k := [2]int{from, to}
		last[k] = lattice.Merge(last[k], a.edge(a.fn.Blocks[from], a.fn.Blocks[to], m.out))
		return last[k]
	}
	entry := map[int]lockset.State{0: lockset.Reached()}
	res := dense.Forward[lockset.Lattice](graph{a.fn.Blocks}, entry, transfer)
	for i := range a.in {
		a.in[i] = res.In(i)
	}
}

func (a *analysis) block(b *ssa.BasicBlock, s lockset.State) lockset.State {
	if s.IsTop() {
		return s
	}
	for _, instr := range b.Instrs {
		s = a.step(s, instr)
	}
	return s
}

// step is the transfer function of one instruction.
func (a *analysis) step(s lockset.State, instr ssa.Instruction) lockset.State {
	switch instr := instr.(type) {
	case *ssa.Call:
		if e := a.effects[instr]; e != nil {
			s = e.apply(s)
		}
	case *ssa.RunDefers:
		for _, d := range slices.Backward(a.defers) {
			if e := a.effects[d]; e != nil {
				s = e.apply(s)
			}
		}
	}
	if v, ok := instr.(ssa.Value); ok && s.Conditional() && ssautil.IsBool(v.Type()) {
		if p := a.Paths.Of(v); a.conds[p] > 0 && p.Root().Val == v {
			s = s.Forget(p)
		}
	}
	return s
}

// edge refines the state by the branch that leads from one block to another.
func (a *analysis) edge(from, to *ssa.BasicBlock, s lockset.State) lockset.State {
	if len(from.Succs) != 2 || from.Succs[0] == from.Succs[1] || len(from.Instrs) == 0 {
		return s
	}
	br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok {
		return s
	}
	return a.assume(s, br.Cond, to == from.Succs[0])
}

func (a *analysis) assume(s lockset.State, cond ssa.Value, truth bool) lockset.State {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op.String() == "!" {
			return a.assume(s, c.X, !truth)
		}
	case *ssa.Call:
		if e := a.effects[c]; e != nil && truth && e.tryLock.Known() {
			return s.Acquire(e.tryLock, e.tryMode, e.acq)
		}
	}
	p := a.Paths.Of(cond)
	if a.conds[p] > 1 || p.Root().Kind == accesspath.Param {
		return s.Assume(lockset.Cond{Val: p, Truth: truth})
	}
	return s
}
