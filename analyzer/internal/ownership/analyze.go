package ownership

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
	"honnef.co/go/tools/analysis/dfa/dense"

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
	// Keeps: at a time that nobody knows.
	Keeps
)

// A Callee is a function that a call runs, or gets as an argument.
type Callee struct {
	Key  any // as accesspath.FuncKey gives it
	Sum  *Func
	Args []ssa.Value
	How  How
	// Passed: it is an argument of the call, not what is called.
	Passed bool
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
	// New: its result is an object that nobody else knows.
	New bool
}

// An Env is what the analysis of a function knows of the rest of the program.
type Env struct {
	Paths *accesspath.Builder
	// Call describes a call; nil if nothing is known of it.
	Call func(ssa.CallInstruction) Call
	// Reached are the fields that a function and what it runs can touch.
	Reached func(key any) Fields
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
	at       struct {
		block *ssa.BasicBlock
		next  int
		state State
	}
}

// Analyze solves fn. Complexity: the instructions that publish, times the paths
// that they concern, which are bounded.
func Analyze(fn *ssa.Function, env *Env) *Result {
	r := &Result{Env: env, fn: fn, calls: make(map[ssa.CallInstruction]*Call)}
	r.findCaptured()
	r.links = newLinks(r)
	r.solve()
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
	return Shared
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
			if (i == 0 || s != g.blocks[n].Succs[0]) && !yield(s.Index) {
				return
			}
		}
	}
}

func (r *Result) solve() {
	r.steps = make([][]ssa.Instruction, len(r.fn.Blocks))
	some := false
	for i, b := range r.fn.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok {
				r.defers = append(r.defers, d)
			}
			if r.matters(instr) {
				r.steps[i] = append(r.steps[i], instr)
				some = true
			}
		}
	}
	if r.plain = !some; r.plain {
		return
	}
	r.in = make([]State, len(r.fn.Blocks))
	start := newState(r.base)
	if len(r.fn.Blocks) == 1 {
		r.in[0] = start
		return
	}
	type memo struct {
		in, out State
		done    bool
	}
	outs := make([]memo, len(r.fn.Blocks))
	var lattice Lattice
	transfer := func(from, to int, in State) State {
		m := &outs[from]
		if !m.done || !lattice.Equals(m.in, in) {
			*m = memo{in, r.block(from, in), true}
		}
		return r.edge(r.fn.Blocks[from], r.fn.Blocks[to], m.out)
	}
	res := dense.Forward[Lattice](graph{r.fn.Blocks}, map[int]State{0: start}, transfer)
	for i := range r.in {
		r.in[i] = res.In(i)
	}
}

func (r *Result) block(i int, s State) State {
	if !s.reached || len(r.steps[i]) == 0 {
		return s
	}
	s = s.clone()
	for _, instr := range r.steps[i] {
		r.step(&s, instr)
	}
	return s
}

// edge gives the phis of a block what comes along one edge.
func (r *Result) edge(from, to *ssa.BasicBlock, s State) State {
	cloned := false
	for _, instr := range to.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		p := r.Paths.Of(phi)
		if !carries(phi.Type()) || p.Root().Val != ssa.Value(phi) || !s.reached {
			continue
		}
		if !cloned {
			s, cloned = s.clone(), true
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

// before returns the state just before instr.
func (r *Result) before(instr ssa.Instruction) *State {
	if r.plain {
		s := newState(r.base)
		return &s
	}
	b := instr.Block()
	if r.at.block != b || r.at.next > 0 && !ssautil.Before(r.steps[b.Index][r.at.next-1], instr) || r.at.next > 0 && r.steps[b.Index][r.at.next-1] == instr {
		r.at.block, r.at.next, r.at.state = b, 0, r.in[b.Index].clone()
	}
	steps := r.steps[b.Index]
	for r.at.next < len(steps) && steps[r.at.next] != instr && ssautil.Before(steps[r.at.next], instr) {
		r.step(&r.at.state, steps[r.at.next])
		r.at.next++
	}
	return &r.at.state
}
