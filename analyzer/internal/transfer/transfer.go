// Package transfer turns the SSA of one function into its summary: it solves
// the must-held lock sets, records the accesses to maps under them, and finds
// which acts depend on which checks. It never reports.
package transfer

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// An Env is what a function's analysis may know of the rest of the program.
type Env struct {
	Paths *accesspath.Builder
	// Model has the library functions that the user has added to the table.
	Model *model.Extra
	// Summary returns what is known of a callee, nil if nothing is.
	Summary func(key any) *summary.Func
	// Implementers returns the functions that an interface method can be,
	// when the package shows all of them; else nil.
	Implementers func(method *types.Func) []*ssa.Function
	// Changes tells which structs of the package change after they are made.
	Changes *depend.Changes
	// Recursive says that the function at hand can come to call itself, with
	// other arguments: conditions on its parameters then say nothing.
	Recursive bool
	// Reached are the fields that a function and what it runs can touch.
	Reached func(key any) ownership.Fields
	// Done reports whether a channel is only ever closed, so that receiving
	// from it waits for an end.
	Done func(ch ssa.Value) bool
	// Closes reports whether a channel is sent to and closed, so that finding it closed
	// waits for an end.
	Closes func(ch ssa.Value) bool
	// Answers returns the channel from which a goroutine has got the channel on which it says, by an instruction, that it
	// ends; nil if it says nothing of the sort. Asked returns the one on which a channel was sent for such an answer.
	Answers func(instr ssa.Instruction) ssa.Value
	Asked   func(ch ssa.Value) ssa.Value
	// Work says what a function does by which others learn when nothing runs any more of what an object was given to run.
	Work func(fn any) summary.Work
	// Semaphore says whether a channel with room for one element is a lock, and of
	// which kind.
	Semaphore func(ch ssa.Value) Tokens
	// Pause returns the lock that one goroutine has, and lets others have: who sends
	// on the channel takes it, if first, and the goroutine gives it by receiving
	// there; by the other channel it is given back.
	Pause func(ch ssa.Value) (lock accesspath.Path, first, ok bool)
	// Weight returns the size of a weighted semaphore that is a lock: who takes all
	// of it is alone, who takes a part keeps that one out. It is 0 of any other.
	Weight func(sem ssa.Value) int64
	// Boarded reports whether a lock is an entry that a map has for a key, which is taken for a mark.
	Boarded func(lock accesspath.Path) bool
	// FoundIn reports whether the package may find objects in the map of a field.
	FoundIn func(field *types.Var) bool
	// SolePut reports whether a call alone changes the map to which a field leads.
	SolePut func(field *types.Var, put *ssa.Call) bool
	// Doubted reports whether an object, which runs once what it gets, is not taken for one that does: it may run that anew, or
	// while others are at what that comes to.
	Doubted func(object ssa.Value) bool
	// Turn returns the lock that sending a function over a channel takes
	// around its run: the channel leads to one goroutine that runs what it
	// gets. Told is the field, of the struct that brings the function, with the
	// channel on which that goroutine tells that it has run, or -1. Owns returns
	// the lock that such a goroutine's function has.
	Turn func(ch ssa.Value) (lock accesspath.Path, told int, ok bool)
	Owns func(fn *ssa.Function) (accesspath.Path, bool)
	// TurnOf returns the channel to such a goroutine, beside a field of which it
	// calls what that holds.
	TurnOf func(field *types.Var) *types.Var
	// Served returns the function that works out the answer to what a call sends
	// to such a goroutine and waits for, its arguments, and the lock around its
	// run; nil if the call does something else.
	Served func(call *ssa.CallCommon) (key any, args []ssa.Value, turn accesspath.Path)
	// Flight says of a function how it runs what it gets for one caller at a time
	// per key; nil if it does not.
	Flight func(fn *ssa.Function) *Flight
	// Mark returns what an instruction does to a mark that may be a lock, nil if that is
	// nothing.
	Mark func(instr ssa.Instruction) *Mark
	// Handler returns how a library calls a function of the package that it gets as a
	// handler, and whether it calls several at a time; nil if it is none.
	Handler func(key any) (h *model.Handler, several bool)
	// Holds returns what becomes of a function that is put into a field.
	Holds func(field *types.Var) callback.Field
	// Claimed reports whether an atomic flag is only ever claimed, so that one
	// goroutine alone can be the one to do it.
	Claimed func(addr ssa.Value) bool
	// Drained returns the servers which alone use what hands requests to handlers.
	Drained func(mux ssa.Value) []ssa.Value
	// Fixed reports whether a field is not set once its object is made.
	Fixed func(field *types.Var) bool

	// Library reports whether a package is not of the module: the bodies of its functions are not known.
	Library func(pkg *types.Package) bool
	// Elsewhere reports whether a call may run a function of another package of
	// the module that is to know its callers; nil if none is.
	Elsewhere func(call *ssa.CallCommon) bool

	// Component are the functions that call each other, while they are analysed;
	// else nil.
	Component *Component

	accessors map[accessor]ssa.Value // the first of several alike calls
	flows     map[*ssa.Function]*callback.Flow
	carriers  ownership.Carriers
	// awaitsAll: all go statements are waited for before the function returns, see lends.
	awaitsAll bool
}

// MaxInstrs bounds the functions that are analysed: a longer one (a generated
// table, say) gets an empty summary, which says that it touches no map and keeps
// all locks. -why names the bound in the function and in those that call it.
// Unit: SSA instructions.
const MaxInstrs = 60_000

// Analyze returns fn's summary. Complexity: linear in fn's instructions, times
// the number of its locks, checks and acts, which are bounded.
func Analyze(fn *ssa.Function, env *Env) *summary.Func {
	a := &analysis{Env: env, fn: fn, key: accesspath.FuncKey(fn), sum: newSummary(fn)}
	if fn.Blocks == nil {
		return a.sum
	}
	a.sum.Work = a.Work(a.key)
	if a.count() > MaxInstrs {
		a.sum.Unread = true
		a.cut("instructions: it is taken to touch no map and to keep all locks", MaxInstrs)
		return a.sum
	}
	a.reach = a.Component.reachOf(fn)
	a.dep = a.dependences()
	a.prepare()
	a.owns()
	a.signals()
	if !a.interesting {
		a.quietStays()
		a.results(nil)
		return a.sum
	}
	a.sum.Flow = ssautil.NewFlow(fn, a.reach)
	a.feasible = a.Component.feasibleOf(fn)
	a.solve()
	a.record()
	a.link()
	a.lends()
	a.cuts()
	return a.sum
}

// cut notes that a bound ended a part of the analysis.
func (a *analysis) cut(what string, bound int) {
	a.sum.Cut(fmt.Sprintf("more than %d %s", bound, what))
}

// cuts notes the bounds that other packages, or the parts of the analysis, have
// come to.
func (a *analysis) cuts() {
	if a.tests.cut {
		a.cut("conditions that lock states remember", maxTests)
	}
	if a.Flow(a.fn).Cut() {
		a.sum.Cut("more function values than are followed")
	}
	if len(a.sum.Locking) >= maxLockSteps {
		a.cut("lock operations that interleavings show", maxLockSteps)
	}
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
	channels    map[ssa.Instruction]int32     // the operations on channels that are locks, with their numbers
	marks       map[ssa.Instruction]int32     // the assignments that set marks or take them back, with their numbers
	passes      map[*ssa.Go][]accesspath.Path // the marks that goroutines take back
	defers      []*ssa.Defer
	deferred    map[*ssa.Defer]int // the deferred calls that matter, by their order
	tests       *tests
	sections    map[sectionKey]locks.Section
	chainPairs  []summary.Pair // of functions that callees get
	in          []locks.State  // by block index
	at          ssautil.Point  // the instruction that is being recorded
	exits       []leaving
	events      []*event
	dep         *depend.Func
	// numberStores are those of integers, among them reference counts.
	numberStores []*ssa.Store
	loads        map[ssa.Value]locks.State
	loadedIn     map[any][]litRun
	own          *ownership.Result
	reach        *ssautil.Reach
	waitsServed  func() []ssa.Instruction              // the waits before it serves, nil until they are asked for
	handlers     map[accesspath.Path][]ssa.Instruction // see handlersHere; nil until they are asked for
	feasible     *ssautil.Feasible
	spins        map[ssa.Instruction]bool // see spin; nil until it is asked for
	conds        *settled
	starts       []start
	callAt       []ssa.Instruction // the calls of the summary, by index
	keptRoots    map[accesspath.Path]bool
	madeIn       map[accesspath.Path][]*ssa.Store // see puts
	claimed      []claimed
	joinsIn      map[*ssa.BasicBlock][]join
	joinsOn      map[edge][]accesspath.Path
	signalled    []signal
	slots        map[ssa.Value]*slots // by what makes them
	every        everies
	lifted       []accesspath.Path // see findLifted
	placed       []*ssa.MapUpdate  // see placedNew
	orders       []order
	lockPairs    []locks.Pair
	passedOn     []summary.Relay // of the goroutines that it has started so far
	noWay        map[edge]bool   // of the cases of selects that are not chosen
	joinLoops    map[*ssa.BasicBlock][]*join
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
	a.tests = newTests(a.Paths)
	a.sections = make(map[sectionKey]locks.Section)
	a.findOrders()
	for _, p := range a.fn.Params {
		if _, ok := p.Type().Underlying().(*types.Signature); ok {
			a.interesting = true // it may be a runner of closures
		}
	}
	if call, _, _ := a.visited(); call != nil {
		a.interesting = true // what it finds can decide what the function around it does
	}
	if _, owns := a.Owns(a.fn); owns {
		a.interesting, a.locks = true, true
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
				a.interesting = a.interesting || len(a.countedBy(instr)) > 0
			case *ssa.Go:
				a.interesting = true
				a.passMark(instr)
			case *ssa.Range, *ssa.MakeClosure:
				a.interesting = true
			case *ssa.Lookup, *ssa.MapUpdate:
				a.interesting = true
				a.noteMark(instr, id)
			case *ssa.Store:
				a.noteMark(instr, id)
				a.interesting = a.interesting || ssautil.IsMap(ssautil.Pointee(instr.Addr.Type())) || len(a.countedBy(instr)) > 0
			case *ssa.BinOp:
				a.interesting = a.interesting || ssautil.IsMap(instr.X.Type())
			case *ssa.Return:
				a.askResults(instr)
				a.interesting = a.interesting || slices.ContainsFunc(instr.Results, func(v ssa.Value) bool { return ssautil.IsMap(v.Type()) })
			case *ssa.If:
				if c, ok := a.outcome(instr.Cond, locks.True, true); ok {
					a.tests.branch(c)
				}
			case *ssa.Send, *ssa.Select, *ssa.UnOp:
				a.noteChannel(instr, id)
			}
		}
	}
}

// number gives the deferred calls that matter their numbers, in the order in
// which a path can come to them.
func (a *analysis) number() {
	a.deferred = make(map[*ssa.Defer]int)
	a.defers = slices.DeleteFunc(a.defers, func(d *ssa.Defer) bool { return a.effects[d] == nil })
	if len(a.defers) > 1 {
		slices.SortStableFunc(a.defers, func(x, y *ssa.Defer) int {
			before, after := a.reach.MayPrecede(x, y), a.reach.MayPrecede(y, x)
			switch {
			case before == after:
				return 0
			case before:
				return -1
			}
			return 1
		})
	}
	for i, d := range a.defers {
		a.deferred[d] = i
	}
	if len(a.defers) > locks.MaxDefers {
		a.cut("deferred calls", locks.MaxDefers)
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

// A leaving is a return and what is held there.
type leaving struct {
	state locks.State
	ret   *ssa.Return
}

// solve computes what is held at the start of each block. A function in which
// a test of a variable comes out both ways on one path changes the variable
// behind our back: it is solved again without remembering variables.
func (a *analysis) solve() {
	a.number()
	if !a.locks {
		a.in = make([]locks.State, len(a.fn.Blocks))
		for i, b := range a.fn.Blocks {
			if a.feasible.Block(b) {
				a.in[i] = locks.Reached()
			}
		}
		return
	}
	a.findPairs()
	a.findEveries()
	a.findLifted()
	if contradicted := a.flow(); contradicted && a.tests.variables() {
		a.tests.steady = true
		a.flow()
	}
}

// flow runs the solver, and reports whether some branch cannot be taken after
// what was assumed before.
func (a *analysis) flow() (contradicted bool) {
	a.in = ssautil.Forward[locks.Lattice](a.fn.Blocks, a.entry(), a.block, func(from *ssa.BasicBlock, n int, out, _ locks.State) locks.State {
		return a.edge(from, from.Succs[n], out)
	})
	for _, b := range a.fn.Blocks {
		if b != a.fn.Recover && a.feasible.Block(b) && b.Index > 0 && a.in[b.Index].IsTop() && slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return !a.in[p.Index].IsTop() }) {
			contradicted = true
		}
	}
	return contradicted
}

func (a *analysis) block(b *ssa.BasicBlock, s locks.State) locks.State {
	if s.IsTop() {
		return s
	}
	for _, instr := range b.Instrs {
		s = a.step(s, instr)
	}
	return s
}

// step is the transfer function of one instruction.
func (a *analysis) step(s locks.State, instr ssa.Instruction) locks.State {
	if s.IsTop() {
		return s
	}
	switch v := instr.(type) {
	case *ssa.Phi:
		// An edge has told what it is.
	case *ssa.Extract:
		if _, result := v.Tuple.(*ssa.Call); !result { // else it is as old as the call
			s = a.define(s, v)
		}
	case ssa.Value:
		s = a.define(s, v)
	}
	switch instr := instr.(type) {
	case *ssa.Call:
		s = a.defineResults(s, instr)
		if e := a.effects[instr]; e != nil {
			s = a.apply(e, s)
		}
	case *ssa.Defer:
		if n, ok := a.deferred[instr]; ok {
			s = s.Register(n)
		}
	case *ssa.RunDefers:
		s = a.uncounted(s, func(*ssa.Defer, locks.State) {})
		s = s.RunDefers(func(n int, s locks.State) locks.State { return a.apply(a.effects[a.defers[n]], s) })
	case *ssa.Store:
		s = a.markStep(a.assign(s, instr), instr)
	case *ssa.Lookup, *ssa.MapUpdate:
		s = a.markStep(s, instr)
	case *ssa.Go:
		s = a.passMarks(s, instr)
	case *ssa.Send, *ssa.UnOp:
		s = a.channelStep(s, instr)
	}
	return s
}

// uncounted returns s after the deferred calls beyond the bound, of which it is
// not known whether they were registered: each may have run, or not. It tells note
// what is held where each begins.
func (a *analysis) uncounted(s locks.State, note func(*ssa.Defer, locks.State)) locks.State {
	var lattice locks.Lattice
	for n := len(a.defers) - 1; n >= locks.MaxDefers; n-- {
		d := a.defers[n]
		note(d, s)
		s = lattice.Merge(s, a.apply(a.effects[d], s))
	}
	return s
}

// defineResults returns s after the results of a call were computed.
func (a *analysis) defineResults(s locks.State, call *ssa.Call) locks.State {
	if _, tuple := call.Type().(*types.Tuple); !tuple || !s.Conditional() {
		return s
	}
	for _, x := range ssautil.Extracts(call) {
		s = a.define(s, x)
	}
	return s
}

// apply is the effect of one call.
func (a *analysis) apply(e *effect, s locks.State) locks.State {
	if !e.changesLocks() {
		return s
	}
	for _, p := range a.lockPairs {
		s = s.Unnamed(p)
	}
	s = a.named(e.apply(s))
	if a.tests.steady {
		s = s.ForgetWhere(func(c locks.Cond) bool { return !a.tests.remembers(c) })
	}
	return s
}

// edge refines the state by the branch that leads from one block to another.
func (a *analysis) edge(from, to *ssa.BasicBlock, s locks.State) locks.State {
	if !a.feasible.Edge(from, to) {
		return locks.State{}
	}
	if len(from.Succs) == 2 && from.Succs[0] != from.Succs[1] {
		if br, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok {
			if c, ok := a.outcome(br.Cond, locks.True, to == from.Succs[0]); ok && a.tests.remembers(c) {
				s = a.named(s.Assume(c))
			}
			s = a.onAbsent(a.assumeNonNil(s, br.Cond, to == from.Succs[0]), from, to)
			if to == from.Succs[0] {
				s = a.chosen(s, br.Cond)
			}
		}
	}
	return a.enter(a.onEvery(s, from, to), from, to)
}
