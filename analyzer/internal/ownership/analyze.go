package ownership

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A How says what becomes of a function that a call runs or gets.
type How uint8

const (
	// Runs: before the call returns.
	Runs How = iota
	// Starts: in a goroutine.
	Starts
	// Ends: in goroutines that end before the call returns.
	Ends
	// Keeps: at an unknown time.
	Keeps
)

// A Callee is a function that a call runs, or gets as an argument.
type Callee struct {
	Key  any // as accesspath.FuncKey gives it
	Sum  *Func
	Args []ssa.Value
	How  How
	// Inputs names the inputs here, where Args and Sum.Captured do not.
	Inputs []accesspath.Path
	// Passed: it is an argument of the call, not what is called.
	Passed bool
	// Lent are the arguments that are literals which all have ended when the call returns, in goroutines as well:
	// what they do themselves tells what becomes of what they capture.
	Lent Set
}

// gives reports whether it is known who has the i-th result of the call.
func (t *Callee) gives(i int) bool {
	return !t.Passed && t.How == Runs && t.Sum != nil && i < len(t.Sum.Results)
}

// A Call is what a call instruction does, as its caller's analysis knows it.
type Call struct {
	Callees []Callee
	// Stores: it stores its arguments in its receiver, a concurrent map.
	Stores bool
	// Keeps: it makes its arguments known to others, as a server's registration
	// and a pool do.
	Keeps bool
	// Harmless: the table of the library knows it, and it keeps nothing.
	Harmless bool
	// New: its result is an object that no other goroutine knows.
	New bool
	// Copies: its result is a container that no other goroutine knows, of elements that others may know.
	Copies bool
}

// awaited reports whether all that a go statement runs has ended when its function returns.
func (c *Call) awaited() bool {
	return len(c.Callees) > 0 && !slices.ContainsFunc(c.Callees, func(t Callee) bool { return t.How != Ends || t.Sum == nil })
}

// An Env is what the analysis of a function knows of the rest of the program.
type Env struct {
	Paths *accesspath.Builder
	// Call describes a call; nil if nothing is known of it.
	Call func(ssa.CallInstruction) *Call
	// Reached are the fields that a function and what it runs can touch.
	Reached func(key any) Fields
	// Carriers is shared by the functions of a package.
	Carriers Carriers
}

// A Result holds what is owned at each point of a function.
type Result struct {
	*Env
	fn       *ssa.Function
	captured []accesspath.Path
	links    *links
	steps    [][]ssa.Instruction // those that matter, by block
	in       []State
	defers   []*ssa.Defer
	calls    map[ssa.CallInstruction]*Call
	plain    bool // nothing happens that matters
	weak     bool // the blocks are not told apart
	fills    map[*types.Var]Value
	left     map[accesspath.Path]bool // the objects that others come to know somewhere
	reads    []reading                // those that have a custody in states, by their numbers there
	numbers  map[reading]int
	swaps    map[*ssa.Function]objectSet // see swapsObject
	at       cursor

	manyObjects, manyParts bool // a state was cut there
}

// Analyze solves fn. Complexity: the instructions that publish, times the paths
// that they concern, which are bounded. Where no one will ask about points in
// the middle of fn, points is false: then one pass joins all that happens, in
// whatever order, which is less exact and enough for most summaries; and for all
// points where it finds that nothing becomes known to others.
func Analyze(fn *ssa.Function, env *Env, points bool) *Result {
	r := &Result{Env: env, fn: fn, calls: make(map[ssa.CallInstruction]*Call), left: make(map[accesspath.Path]bool), fills: make(map[*types.Var]Value)}
	r.findCaptured()
	if r.collect(); r.plain {
		return r
	}
	r.links = newLinks(r)
	if steps := r.steps; !r.pass() && (points || r.givesTaken()) {
		r.steps, r.weak = steps, false
		r.solve()
	}
	return r
}

// findCaptured lists the objects that a literal knows from the function around
// it: its inputs after the parameters.
func (r *Result) findCaptured() {
	add := func(p accesspath.Path) {
		if p.Root().Kind != accesspath.Global && !slices.Contains(r.captured, p) {
			r.captured = append(r.captured, p)
		}
	}
	for _, fv := range r.fn.FreeVars {
		add(r.Paths.Root(r.Paths.Of(fv).Root()))
		if m := readFrom(fv); m != nil {
			add(r.nameOf(m))
		}
	}
}

// nameOf gives the map that v reads a name of its own, apart from its place.
func (r *Result) nameOf(v ssa.Value) accesspath.Path {
	return r.Paths.Root(accesspath.Root{Kind: accesspath.Value, Val: v})
}

// base is the value of a root at the function's start.
func (r *Result) base(root accesspath.Root) Value {
	switch root.Kind {
	case accesspath.Const:
		return Owned
	case accesspath.Param:
		if root.Fn == accesspath.FuncKey(r.fn) {
			return OwnedIfInput(root.Index)
		}
	}
	for i, p := range r.captured {
		if p.Root() == root {
			return OwnedIfInput(len(r.fn.Params) + i)
		}
	}
	if root.Kind == accesspath.Value && !r.weak && r.comes(root.Val) {
		return Unreached
	}
	return Shared
}

// comes reports whether an object is given its value where the function makes it, or gets it from a call. On the ways that do
// not come by there, no one has it: what a variable holds that is nil on these has the owner that it has on the others.
func (r *Result) comes(v ssa.Value) bool {
	i := 0
	if x, ok := v.(*ssa.Extract); ok {
		v, i = x.Tuple, x.Index
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || instr.Parent() != r.fn || !r.matters(instr) {
		return false
	}
	switch instr := instr.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.MakeClosure:
		return true
	case *ssa.Call:
		c := r.call(instr)
		return c != nil && (c.New || c.Copies || slices.ContainsFunc(c.Callees, func(t Callee) bool { return t.gives(i) }))
	}
	return false
}

// collect finds the instructions that matter. Reads of maps do where their
// place can be given another one.
func (r *Result) collect() {
	r.steps = make([][]ssa.Instruction, len(r.fn.Blocks))
	replaces := r.replaces()
	r.plain = true
	for i, b := range r.fn.Blocks {
		for _, instr := range b.Instrs {
			if r.matters(instr) || replaces && r.isRead(instr) {
				r.steps[i] = append(r.steps[i], instr)
				r.plain = false
			}
		}
	}
}

func (r *Result) isRead(instr ssa.Instruction) bool {
	v, ok := instr.(ssa.Value)
	return ok && (tracked(v) || r.swapsObject(v) || copies(v))
}

// replaces reports whether the function gives the place of a map or a slice
// another one, and notes the deferred calls on the way.
func (r *Result) replaces() bool {
	some := false
	for _, b := range r.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Defer:
				r.defers = append(r.defers, instr)
			case *ssa.Store:
				some = some || !cell(instr.Addr) && (container(instr.Val.Type()) || pointsToStruct(instr.Val.Type()) || hasContainers(instr.Val.Type()))
			case *ssa.Call:
				if b, ok := instr.Call.Value.(*ssa.Builtin); ok {
					some = some || b.Name() == "delete"
				} else {
					some = some || len(r.renewedBy(instr)) > 0
				}
			}
		}
	}
	return some
}

// keep notes where a map is that was read from its place.
func (r *Result) keep(s *State, v ssa.Value, c Custody) { r.keepAt(s, reading{v: v}, c) }

func (r *Result) keepAt(s *State, x reading, c Custody) {
	n, ok := r.numbers[x]
	if !ok {
		if r.numbers == nil {
			r.numbers = make(map[reading]int)
		}
		n = len(r.reads)
		r.reads, r.numbers[x] = append(r.reads, x), n
	}
	s.keep(n, c)
}

// takenOutIn reports whether the place that v was read from has another value
// since.
func (r *Result) takenOutIn(s *State, v ssa.Value) bool { return r.takenOutAt(s, reading{v: v}) }

func (r *Result) takenOutAt(s *State, x reading) bool {
	n, ok := r.numbers[x]
	return ok && s.kept(n) == TakenOut
}

// pass goes through the blocks once. With several of them it joins what they
// do: values only rise. It reports whether that says all: no object becomes known to
// others at any point, nor to who knows an input, and no map is taken out of its place.
func (r *Result) pass() bool {
	r.in = make([]State, len(r.fn.Blocks))
	s := newState(r.base)
	if len(r.fn.Blocks) == 1 {
		r.in[0] = s
		return true
	}
	r.weak = true
	for _, b := range r.fn.DomPreorder() {
		r.phis(b, &s)
		for _, instr := range r.steps[b.Index] {
			r.step(&s, instr)
		}
	}
	for i := range r.in {
		r.in[i] = s
	}
	r.steps = make([][]ssa.Instruction, len(r.fn.Blocks))
	return len(s.custody) == 0 && s.private()
}

// private reports whether no object is known to others, in whole or in part, and none is known to who knows an input of
// the function, but for the inputs themselves: each has the value that it was made with.
func (s *State) private() bool {
	for _, o := range s.own {
		if o.val == Shared || o.val != Owned && o.val != s.base(o.root.Root()) || len(o.at) > 0 {
			return false
		}
		if slices.ContainsFunc(o.parts, func(x part) bool { return !x.val.Leq(o.val) }) {
			return false
		}
	}
	return !s.lost
}

// phis joins what comes along all edges.
func (r *Result) phis(b *ssa.BasicBlock, s *State) {
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			return
		}
		if p := r.Paths.Of(phi); r.carries(phi.Type()) && p.Root().Val == ssa.Value(phi) {
			v := Unreached
			for _, e := range phi.Edges {
				if !ssautil.IsNil(e) {
					v = Join(v, s.Lookup(r.Paths.Of(e)))
				}
			}
			s.set(p, v)
		}
	}
}

// solve follows control flow. Joining each edge with its former result makes
// every chain ascend, so that solving ends whatever a summary says; where the
// transfer is monotone, it changes nothing.
func (r *Result) solve() {
	var lattice Lattice
	r.in = ssautil.Forward[Lattice](r.fn.Blocks, newState(r.base), r.block, func(from *ssa.BasicBlock, n int, out, before State) State {
		return lattice.Merge(before, r.edge(from, from.Succs[n], out))
	})
}

func (r *Result) block(b *ssa.BasicBlock, s State) State {
	if !s.reached {
		return s
	}
	s = s.clone()
	for _, instr := range r.steps[b.Index] {
		r.step(&s, instr)
	}
	return s
}

// edge gives the phis of a block what comes along one edge.
func (r *Result) edge(from, to *ssa.BasicBlock, s State) State {
	s = s.clone()
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		p := r.Paths.Of(phi)
		if !r.carries(phi.Type()) || p.Root().Val != ssa.Value(phi) || !s.reached {
			continue
		}
		e := phi.Edges[slices.Index(to.Preds, from)]
		v := s.Lookup(r.Paths.Of(e))
		if ssautil.IsNil(e) {
			v = Owned
		}
		s.set(p, v)
	}
	return s
}

// A cursor is a place in a block up to which its steps have been replayed, so
// that asking from top to bottom replays each step once.
type cursor struct {
	block     *ssa.BasicBlock
	pos, next int // of the block's instructions and of its steps
	state     State
}

// before returns the state just before instr.
func (r *Result) before(instr ssa.Instruction) *State {
	if r.plain {
		if !r.at.state.reached {
			r.at.state = newState(r.base)
		}
		return &r.at.state
	}
	c, b := &r.at, instr.Block()
	if c.block != b || !c.forward(r.steps[b.Index], instr, r.step) {
		*c = cursor{block: b, state: r.in[b.Index].clone()}
		c.forward(r.steps[b.Index], instr, r.step)
	}
	return &c.state
}

// forward replays up to instr; false if it is behind.
func (c *cursor) forward(steps []ssa.Instruction, instr ssa.Instruction, step func(*State, ssa.Instruction)) bool {
	at := slices.Index(c.block.Instrs[c.pos:], instr)
	if at < 0 {
		return false
	}
	for end := c.pos + at; c.pos < end; c.pos++ {
		if c.next < len(steps) && steps[c.next] == c.block.Instrs[c.pos] {
			step(&c.state, steps[c.next])
			c.next++
		}
	}
	return true
}
