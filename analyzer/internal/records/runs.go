package records

import (
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A runner notes what one function runs, and where it starts goroutines.
type runner struct {
	*gatherer
	pkg    *infer.Package
	f      *infer.Func
	node   outside.Name
	owner  outside.Name // the declared function
	reach  *ssautil.Reach
	told   map[token.Pos][]*summary.Call
	sites  *places
	starts int
	lets   bool // the function may let go of a lock of its callers
	// endless are the blocks in loops that nothing bounds, nil before they are asked for.
	endless []bool
	// handlers are the threads that call the functions in a struct.
	handlers map[ssa.Value]outside.Name
	// later tells when what it registers begins.
	later *registering
	// begun are the threads that the function starts, with where it does.
	begun []begun
}

// A begun is a thread, and where a function starts it.
type begun struct {
	thread outside.Name
	at     ssa.Instruction
}

// places are the calls of one function.
type places struct {
	order map[ssa.CallInstruction]turn
	// calls are the function's calls, by where they stand, and named those which name
	// what they call.
	calls map[token.Pos]ssa.CallInstruction
	named map[named]bool
}

// A turn is the number of a call, and between which two others stand the calls of other branches: see [ssautil.Order].
type turn struct{ at, above, below int }

// keptEntries bounds the entries of a map that is kept to be filled again: to clear a
// large one takes longer than to make a small one.
const keptEntries = 256

// places returns empty places, for one function after the other.
func (g *gatherer) places() *places {
	if p := g.spare; p != nil && len(p.order) <= keptEntries {
		clear(p.order)
		clear(p.calls)
		clear(p.named)
		return p
	}
	g.spare = &places{order: make(map[ssa.CallInstruction]turn), calls: make(map[token.Pos]ssa.CallInstruction), named: make(map[named]bool)}
	return g.spare
}

// A named is a call of a function, at its place.
type named struct {
	at     token.Pos
	callee any
}

// runs notes what f runs.
func (g *gatherer) runs(pkg *infer.Package, f *infer.Func, owner outside.Name, told map[token.Pos][]*summary.Call, later *registering) {
	order := later.order
	r := &runner{
		gatherer: g, pkg: pkg, f: f, node: g.nodeOfBody(f.SSA), owner: owner, told: told, reach: ssautil.NewReach(f.SSA),
		sites: g.places(), lets: pkg.LetsGo(f), later: later,
	}
	if f.Is(role.Handler) && !pkg.OneByOne(f) {
		g.served(r.node)
	}
	for _, b := range f.SSA.Blocks {
		above, below := order.Passed(b)
		for i, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				r.sites.calls[ssautil.PosOf(call)] = call
				r.sites.order[call] = turn{order.At(b, i), above, below}
				r.call(call)
			}
			r.handler(instr, order.At(b, i))
		}
	}
	for i := range f.Calls {
		r.value(&f.Calls[i])
	}
	r.accesses(order)
	r.feeds(order)
	r.opens()
	r.fills()
	r.alternatives()
	if f.IsLiteral() && len(pkg.CallersOf(f)) == 0 && !g.acted[r.node] {
		r.add(outside.Run{From: outside.Anyone, To: r.node})
	}
}

// accesses notes when the function comes to maps, as runs of what stands for the access.
func (r *runner) accesses(order *ssautil.Order) {
	noted := make(map[ssautil.Point]bool)
	for i := range r.f.Accesses {
		a := &r.f.Accesses[i]
		instr := a.Point.Instr(r.f.SSA)
		if instr == nil || noted[a.Point] || !a.Op.Uses() {
			continue
		}
		noted[a.Point] = true
		run := outside.Run{From: r.node, To: outside.PlaceOf(r.node, a.Point), Own: true, Through: true, Part: r.pkg.PartOf(r.f, a.Path), Left: r.lets, Order: order.At(instr.Block(), int(a.Point.Index))}
		r.looped(&run, instr)
		r.stands(&run, instr)
		r.add(run)
	}
}

// stands notes in which block a run stands, and for the lack of which variable's value.
func (r *runner) stands(run *outside.Run, instr ssa.Instruction) {
	run.Span = r.later.spans.Of(instr.Block())
	if v := r.pkg.LackAt(r.f, instr); v != nil {
		run.Lack = outside.Variable(v)
	}
}

// fills notes the variables that have a value whenever the function returns.
func (r *runner) fills() {
	vars := r.pkg.Fills(r.f)
	if len(vars) > 0 && r.rec.Fills == nil {
		r.rec.Fills = make(map[outside.Name][]outside.Name)
	}
	for _, v := range vars {
		r.rec.Fills[r.node] = append(r.rec.Fills[r.node], outside.Variable(v))
	}
}

// served notes that a server calls a function from several goroutines at a time.
func (g *gatherer) served(fn outside.Name) {
	if g.rec.Served == nil {
		g.rec.Served = make(map[outside.Name]bool)
	}
	g.rec.Served[fn] = true
}

func (r *runner) add(run outside.Run) { r.rec.Runs = append(r.rec.Runs, run) }

// call notes a call that names a function of the module, or a method of an interface.
func (r *runner) call(instr ssa.CallInstruction) {
	common := instr.Common()
	fn, args := ssautil.Callee(common)
	if fn == nil {
		r.valueCall(instr)
		return
	}
	run := outside.Run{From: r.node, To: r.name(fn)}
	if recv := fn.Signature().Recv(); recv != nil && model.CallerOf(ssautil.Pointee(recv.Type())) == model.MainCaller && strings.HasPrefix(fn.Name(), "Execute") {
		r.add(outside.Run{From: r.node, To: outside.Actions, Order: r.sites.order[instr].at}) // of all commands
	}
	if common.IsInvoke() {
		for _, m := range r.behind(common) {
			r.sites.named[named{ssautil.PosOf(instr), m}] = true
		}
		if isParam(common.Value.Type()) {
			r.rec.Untold[fn.Name()] = true
		}
		iface, own := r.own(common.Value.Type())
		if !own {
			return
		}
		run.To, run.By = outside.Method(iface, fn.Name()), r.receiver(instr)
	} else if fn.Pkg() == nil || !r.inScope(fn.Pkg().Path()) {
		return
	}
	r.sites.named[named{ssautil.PosOf(instr), fn.Origin()}] = true
	var first accesspath.Path
	if len(args) > 0 {
		first = r.pkg.Paths.Of(args[0])
	}
	r.on(&run, first, instr)
	run.Inputs = r.inputs(len(args), func(i int) accesspath.Path {
		if givenAway(args[i]) {
			return accesspath.Path{}
		}
		return r.pkg.Paths.Of(args[i])
	})
	c := callOf(r.told[instr.Pos()], fn)
	if c != nil {
		run.Private = r.f.Keeps(c)
	}
	if g, starts := instr.(*ssa.Go); starts && !ssautil.Successor(g) {
		target := r.pkg.Lookup(fn.Origin())
		r.start(run, outside.Start{Many: run.Looped, Serves: target != nil && r.pkg.Serves(target), Awaited: awaited(c), Over: overAt(c)}, instr)
		return
	}
	_, run.Named = instr.(*ssa.Call)
	run.Named = run.Named && !common.IsInvoke()
	run.Always = run.Named && r.later.spans.Always(instr.Block())
	r.add(run)
}

// valueCall notes a call of a function value that goes through other functions, or through variables.
func (r *runner) valueCall(instr ssa.CallInstruction) {
	common := instr.Common()
	if _, builtin := common.Value.(*ssa.Builtin); builtin || model.IsCancel(common.Value.Type()) {
		return
	}
	run := outside.Run{From: r.node}
	r.on(&run, accesspath.Path{}, instr)
	for _, node := range r.values(common.Value, maxHops) {
		if !outside.IsValue(node) {
			continue // the package shows the call
		}
		run.To = node
		if _, starts := instr.(*ssa.Go); starts {
			r.start(run, outside.Start{Many: run.Looped}, instr)
		} else {
			r.add(run)
		}
	}
}

// behind returns the methods that an interface call means in this package, which the
// interface stands for.
func (r *runner) behind(call *ssa.CallCommon) []any {
	var out []any
	for i := range r.f.Calls {
		c := &r.f.Calls[i]
		if g := r.pkg.Lookup(c.Callee); g != nil && g.Obj != nil && g.Obj.Name() == call.Method.Name() {
			out = append(out, c.Callee)
		}
	}
	return out
}

// on notes on which object a call is made, and whether a loop makes it there again.
func (r *runner) on(run *outside.Run, object accesspath.Path, instr ssa.CallInstruction) {
	run.Own, run.Made = r.ours(object)
	run.Part, run.Locked = r.pkg.PartOf(r.f, object), !r.bare(instr)
	run.Under, run.Left = r.under(instr), r.lets
	at := r.sites.order[instr]
	run.Order, run.Above, run.Below = at.at, at.above, at.below
	_, run.Deferred = instr.(*ssa.Defer)
	r.stands(run, instr)
	if r.looped(run, instr); !run.Looped {
		return
	}
	run.Again = true
	for p := object; p.Known(); p = p.Parent() {
		if p.IsElem() {
			run.Again = false
		}
	}
	if def, ok := object.Root().Val.(ssa.Instruction); object.Known() && ok && def.Parent() == r.f.SSA && r.reach.Blocks(instr.Block(), def.Block()) {
		run.Again = false
	}
}

// looped notes whether a loop comes to an instruction, and whether anything bounds its rounds.
func (r *runner) looped(run *outside.Run, instr ssa.Instruction) {
	if run.Looped = r.reach.InLoop(instr); !run.Looped {
		return
	}
	if r.endless == nil {
		r.endless = ssautil.Endless(r.f.SSA)
	}
	run.Endless = r.endless[instr.Block().Index]
}

// ours reports whether an object is what the function works on, its first parameter
// or a part of that which no other object has, or is made by it.
func (r *runner) ours(object accesspath.Path) (own, made bool) {
	if !object.Known() || !r.pkg.OwnParts(object) {
		return false, false
	}
	if root := object.Root(); root.Kind == accesspath.Value {
		made = r.pkg.Makes(root.Val)
	}
	return made || r.f.WorksOn(object), made
}

// givenAway reports whether a value comes out of a variable whose address a function gets: that may
// have set it to another one.
func givenAway(v ssa.Value) bool {
	load, ok := ssautil.Unwrap(v).(*ssa.UnOp)
	if !ok {
		return false
	}
	cell, ok := load.X.(*ssa.Alloc)
	return ok && ssautil.GivenAway(cell)
}

// inputs returns which inputs of the declared function the n arguments of a call are.
func (r *runner) inputs(n int, arg func(int) accesspath.Path) (in outside.Inputs) {
	decl := accesspath.FuncKey(callback.Outermost(r.f.SSA))
	for i := range n {
		p := arg(i)
		if root := p.Root(); p.Known() && p.Depth() == 0 && root.Kind == accesspath.Param && root.Fn == decl {
			in = in.With(i, root.Index)
		}
	}
	return in
}

// waits reports whether the loop that starts goroutines may wait for one before it starts the next: for a
// channel, a group or a condition.
func (r *runner) waits(run outside.Run, instr ssa.CallInstruction) bool {
	if !run.Looped || instr == nil {
		return false
	}
	at := instr.Block()
	return ssautil.Some(r.f.SSA, func(i ssa.Instruction) bool {
		b := i.Block()
		return waiting(i) && (b == at || r.reach.Blocks(at, b) && r.reach.Blocks(b, at))
	})
}

// waiting reports whether an instruction can wait for what another goroutine does.
func waiting(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return ssautil.WaitsForChan(instr)
	}
	fn, _ := ssautil.Callee(&call.Call)
	return fn != nil && fn.Name() == "Wait"
}

// bare reports whether no lock is held at an instruction, as far as the function and its callers
// in the package tell; where nothing is known of the instruction, it must be so in all of the function.
func (r *runner) bare(instr ssa.CallInstruction) bool {
	if len(r.f.Ctx.Usual) > 0 || r.f.Is(role.CallerLocks) {
		return false
	}
	if len(r.f.Locking) == 0 {
		return true
	}
	return r.holdsAt(instr, func(s locks.State) bool {
		return !slices.ContainsFunc(s.Locks(), func(l locks.Lock) bool { return l.Can&locks.Taken != 0 })
	})
}

// under reports whether a lock is held for writing at an instruction in any case, as far as the function
// itself tells; one that it has not made.
func (r *runner) under(instr ssa.CallInstruction) bool {
	return len(r.f.Locking) > 0 && r.holdsAt(instr, func(s locks.State) bool {
		return slices.ContainsFunc(s.Held(), func(h locks.Held) bool {
			root := h.Lock.Root()
			return h.Mode == locks.Write && !(root.Kind == accesspath.Value && r.pkg.Makes(root.Val))
		})
	})
}

// holdsAt reports whether something is so in each state of the locks that is known at an instruction,
// and one is known.
func (r *runner) holdsAt(instr ssa.CallInstruction, so func(locks.State) bool) bool {
	pos := ssautil.PosOf(instr)
	known := len(r.told[pos]) > 0
	for _, c := range r.told[pos] {
		if !so(c.Held) {
			return false
		}
	}
	for i := range r.f.Stays {
		if s := &r.f.Stays[i]; s.Pos == pos {
			if known = true; !so(s.Held) {
				return false
			}
		}
	}
	return known
}

// value notes what runs a function whose value is called, or is given to a call, or
// goes elsewhere.
func (r *runner) value(c *summary.Call) {
	g := r.pkg.Lookup(c.Callee)
	instr := r.sites.calls[c.Pos]
	if g == nil || r.sites.named[named{c.Pos, c.Callee}] || instr == nil && c.Kind != summary.Escaped {
		return // a call that is noted, or one of a literal's
	}
	run := outside.Run{From: r.node, To: r.nodeOfBody(g.SSA)}
	if instr != nil {
		var first accesspath.Path
		if len(c.Args) > 0 {
			first = c.Args[0]
		}
		r.on(&run, first, instr)
		r.staged(&run, instr, g)
		run.Inputs = r.inputs(len(c.Args), func(i int) accesspath.Path { return c.Args[i] })
		run.Private = r.f.Keeps(c)
		if c.Registered {
			run.Order = r.later.from(instr, run.Order)
		}
	}
	if g.IsLiteral() {
		run.Own = callback.Outermost(g.SSA) == callback.Outermost(r.f.SSA)
		run.Part, run.Through, run.Inputs = run.Own, run.Own, 0
		run.Again = run.Looped
	}
	switch {
	case r.acted[run.To] && c.Kind == summary.Escaped:
		// who runs it is noted
	case c.Guessed, c.Kind == summary.Escaped && !c.Tended:
		r.add(outside.Run{From: outside.Anyone, To: run.To})
	case c.Kind == summary.Escaped:
		r.start(run, outside.Start{Many: run.Again, Serves: true}, instr)
	case c.Kind == summary.Goroutine:
		r.start(run, outside.Start{Many: c.Many || c.Registered || run.Looped, Serves: c.Repeats || r.pkg.Serves(g), Awaited: awaited(c), Over: overAt(c)}, instr)
	default:
		r.add(run)
	}
}

// awaited reports whether a goroutine is over when the call returns that starts it, as far as
// the call is known.
func awaited(c *summary.Call) bool { return c != nil && c.Start != nil && !c.Leaves && !c.Unheard }

// overAt returns the number in its starter up to which a goroutine can run, 0 if it is not known.
func overAt(c *summary.Call) int {
	if !awaited(c) {
		return 0
	}
	return c.Over
}

// start notes a goroutine that runs a function, and returns its name.
func (r *runner) start(run outside.Run, start outside.Start, instr ssa.CallInstruction) outside.Name {
	thread := outside.Thread(r.node, r.starts)
	r.starts++
	start.Owner = r.owner
	start.Accepted = r.accepted(instr, start.Many)
	start.Many = start.Many || start.Accepted
	start.Several, start.Given = start.Many && !r.waits(run, instr), r.gives(run, instr)
	start.Serves = start.Serves || r.f.StartUp
	start.Fed = r.fedBy(instr)
	if r.rec.Starts == nil {
		r.rec.Starts = make(map[outside.Name]outside.Start)
	}
	r.rec.Starts[thread] = start
	if instr != nil {
		r.begun = append(r.begun, begun{thread, instr})
	}
	to := outside.Run{From: thread, To: run.To, By: run.By, Own: run.Own, Part: run.Part}
	run.To, run.By, run.Own = thread, "", true
	r.add(run)
	r.add(to)
	return thread
}

// maxAlternatives bounds the threads of one function of which it is asked whether two of them begin.
const maxAlternatives = 48

// alternatives notes the threads of which the function starts one at most, whenever it runs: in different
// branches, or under conditions that exclude each other.
func (r *runner) alternatives() {
	if len(r.begun) > maxAlternatives {
		return
	}
	for i, a := range r.begun {
		for _, b := range r.begun[:i] {
			x, y := a.at.Block(), b.at.Block()
			if x == y || r.reach.Blocks(x, y) || r.reach.Blocks(y, x) {
				if !r.pkg.Alternatives(r.f, x, y) {
					continue
				}
			}
			if r.rec.Alternatives == nil {
				r.rec.Alternatives = make(map[outside.Pair]bool)
			}
			r.rec.Alternatives[outside.PairOf(a.thread, b.thread)] = true
		}
	}
}
