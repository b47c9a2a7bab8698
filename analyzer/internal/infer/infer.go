// Package infer runs the analysis over a package: summaries bottom-up over
// the strongly connected components of its call graph, then the contexts in
// which functions run, top-down.
package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// A Package is what is known of one package after the analysis.
type Package struct {
	Types *types.Package
	Paths *accesspath.Builder
	// Funcs are the package's functions in source order.
	Funcs []*Func
	byKey map[any]*Func
	// Blames are calls that lack a lock that the callee's other callers hold.
	Blames []Blame
	// Spawned are the accesses that happen in goroutines.
	Spawned []Spawned

	order    []*Func // callees first
	calls    map[*Func][]site
	handed   map[handed]bool
	env      *transfer.Env
	imported func(*types.Func) *summary.Func
	facts    map[*types.Func]*summary.Func
	impls    map[*types.Func][]*ssa.Function
	ssaPkg   *ssa.Package
}

// A Func is one function with its summary and context.
type Func struct {
	SSA *ssa.Function
	*summary.Func
	Ctx Context
	// Open: code outside the package can reach it.
	Open bool
	// Doc is what the function's documentation claims.
	Doc Claims
	// StartUp: it brings its object into service.
	StartUp bool
	// Setter: it sets or registers something and gives nothing back; it is
	// meant for configuration.
	Setter bool
}

// Claims are what documentation and naming say of a function or type.
type Claims struct {
	// CallerLocks: the caller must hold a lock.
	CallerLocks bool
	// Concurrent: it is safe for concurrent use.
	Concurrent bool
	// Public: other packages can reach it.
	Public bool
	// Method: it is an exported method, of whatever type.
	Method bool
	// Handler: it is called from several goroutines by a server.
	Handler bool
}

// BaseName returns the function's own name, without its type; literals have
// the name that their maker gives them.
func (f *Func) BaseName() string { return f.SSA.Name() }

// IsLiteral reports whether the function is a function literal.
func (f *Func) IsLiteral() bool { return f.SSA.Parent() != nil }

// Stored reports whether the function is a literal that is kept somewhere: it
// may be called at any time, under any lock.
func (f *Func) Stored() bool { return f.IsLiteral() && f.Ctx.Stored }

// Config is what infer needs to know from outside.
type Config struct {
	Pkg   *ssa.Package
	Funcs []*ssa.Function
	// Imported returns the summary of another package's function, nil if
	// it has none.
	Imported func(*types.Func) *summary.Func
	// Claims reads a function's documentation.
	Claims func(*ssa.Function) Claims
	Paths  *accesspath.Builder
}

// Run analyses a package.
func Run(cfg Config) *Package {
	p := &Package{
		Types: cfg.Pkg.Pkg, Paths: cfg.Paths, byKey: make(map[any]*Func),
		imported: cfg.Imported, facts: make(map[*types.Func]*summary.Func), ssaPkg: cfg.Pkg,
	}
	p.env = &transfer.Env{Paths: p.Paths, Summary: p.Summary, Implementers: p.implementers, Reached: ownership.NewReach(p.Types, cfg.Funcs).Of}
	p.Paths.Result = p.env.ResultPath
	for _, fn := range cfg.Funcs {
		f := &Func{SSA: fn, Doc: cfg.Claims(fn)}
		p.Funcs = append(p.Funcs, f)
		p.byKey[accesspath.FuncKey(fn)] = f
	}
	done := p.signals()
	p.env.Done = func(ch ssa.Value) bool { return done[chanIdentity(ch)] }
	p.bottomUp()
	p.contexts()
	p.startUps()
	p.open()
	p.handOver()
	p.spawned()
	return p
}

// Lookup returns the package's own function of that key.
func (p *Package) Lookup(key any) *Func { return p.byKey[key] }

// Summary returns what is known of a function, of this package or another.
func (p *Package) Summary(key any) *summary.Func {
	if f, ok := p.byKey[key]; ok {
		return f.Func
	}
	obj, ok := key.(*types.Func)
	if !ok || obj.Pkg() == nil || obj.Pkg() == p.Types {
		return nil
	}
	if s, ok := p.facts[obj]; ok {
		return s
	}
	s := p.imported(obj)
	p.facts[obj] = s
	return s
}

// maxRounds bounds the re-analysis of a recursive component. Summaries only
// grow by what callees add, so two rounds see each function's effect on the
// others; the bound makes deeper recursion an approximation.
const maxRounds = 2

// bottomUp computes summaries, callees first.
func (p *Package) bottomUp() {
	for _, scc := range p.components() {
		p.order = append(p.order, scc...)
		rounds := 1
		if len(scc) > 1 || p.callsItself(scc[0]) {
			rounds = maxRounds
		}
		for range rounds {
			for _, f := range scc {
				f.Func = transfer.Analyze(f.SSA, p.env)
			}
		}
	}
}

func (p *Package) callsItself(f *Func) bool {
	for _, g := range p.callees(f) {
		if g == f {
			return true
		}
	}
	return false
}

// callees returns the package's functions that f mentions, in order.
func (p *Package) callees(f *Func) []*Func {
	var out []*Func
	add := func(key any) {
		if g := p.byKey[key]; g != nil {
			out = append(out, g)
		}
	}
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(ssa.CallInstruction); ok && c.Common().IsInvoke() {
				for _, impl := range p.implementers(c.Common().Method) {
					add(accesspath.FuncKey(impl))
				}
			}
			for _, op := range instr.Operands(nil) {
				if fn, ok := (*op).(*ssa.Function); ok {
					add(accesspath.FuncKey(fn))
				}
			}
		}
	}
	return out
}

// components returns the strongly connected components of the call graph,
// callees before callers (Tarjan, 1972). Complexity: linear in the calls.
func (p *Package) components() [][]*Func {
	t := &tarjan{p: p, index: make(map[*Func]int), low: make(map[*Func]int), on: make(map[*Func]bool)}
	for _, f := range p.Funcs {
		if t.index[f] == 0 {
			t.visit(f)
		}
	}
	return t.out
}

type tarjan struct {
	p          *Package
	index, low map[*Func]int
	on         map[*Func]bool
	stack      []*Func
	next       int
	out        [][]*Func
}

type frame struct {
	f       *Func
	callees []*Func
}

// visit is the depth-first search, with a stack of its own: call chains can be
// longer than a goroutine's stack should grow.
func (t *tarjan) visit(root *Func) {
	open := func(f *Func) frame {
		t.next++
		t.index[f], t.low[f] = t.next, t.next
		t.stack = append(t.stack, f)
		t.on[f] = true
		return frame{f, t.p.callees(f)}
	}
	work := []frame{open(root)}
	for len(work) > 0 {
		fr := &work[len(work)-1]
		if len(fr.callees) > 0 {
			g := fr.callees[0]
			fr.callees = fr.callees[1:]
			if t.index[g] == 0 {
				work = append(work, open(g))
			} else if t.on[g] {
				t.low[fr.f] = min(t.low[fr.f], t.index[g])
			}
			continue
		}
		f := fr.f
		work = work[:len(work)-1]
		if len(work) > 0 {
			parent := work[len(work)-1].f
			t.low[parent] = min(t.low[parent], t.low[f])
		}
		if t.low[f] == t.index[f] {
			t.pop(f)
		}
	}
}

func (t *tarjan) pop(f *Func) {
	var scc []*Func
	for {
		g := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		t.on[g] = false
		scc = append(scc, g)
		if g == f {
			break
		}
	}
	t.out = append(t.out, scc)
}

// Effective returns the locks that are held at one of f's accesses, its
// callers' included.
func (f *Func) Effective(a *access.Access) []lockset.Held {
	return f.effective(a.Held)
}

// EffectiveState returns the locks that are held in a state of f, its callers'
// included.
func (f *Func) EffectiveState(s lockset.State) []lockset.Held { return f.effective(s) }

func (f *Func) effective(s lockset.State) []lockset.Held {
	held := s.Held()
	if len(f.Ctx.Entry) == 0 {
		return held
	}
	out := append([]lockset.Held(nil), held...)
	for _, e := range f.Ctx.Entry {
		if _, own := s.Find(e.Lock); own || releases(s, e.Lock) {
			continue
		}
		out = append(out, e)
	}
	return out
}

// Perhaps returns the locks, by their variable or field, that may be held at
// an access without the analysis knowing: held on some paths only, here or in a
// caller.
func (f *Func) Perhaps(s lockset.State) []*types.Var {
	var out []*types.Var
	add := func(v *types.Var) {
		if v != nil && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	for _, l := range s.Maybe() {
		add(l.Location().Var)
	}
	for _, v := range f.Ctx.Maybe {
		if !slices.ContainsFunc(s.Released(), func(l accesspath.Path) bool { return l.Location().Var == v }) {
			add(v)
		}
	}
	return out
}

func releases(s lockset.State, lock accesspath.Path) bool {
	for _, r := range s.Released() {
		if r == lock {
			return true
		}
	}
	return false
}
