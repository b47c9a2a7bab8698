// Package infer runs the analysis over a package: summaries bottom-up over
// the strongly connected components of its call graph, then the contexts in
// which functions run, top-down.
package infer

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/role"
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
	// found caches what foundIn says of a field.
	found map[*types.Var]bool
	// inCopies caches the fields of structs that are copied.
	inCopies map[*types.Var]bool
	// puts caches what changes the maps to which fields lead.
	puts map[*types.Var]*changers
	// serial caches which handlers are called one at a time, by [Package.byDefault].
	serial map[*Func]bool
	// Blames are calls that lack a lock that the callee's other callers hold.
	Blames []Blame

	order    []*Func           // callees first
	mentions map[*Func][]*Func // the callees of each function
	aliases  map[*types.Var]*types.Var
	behind   map[*types.Var]accesspath.Path // see withOwners
	calls    map[*Func][]site
	untold   map[*Func]bool         // see tells
	handed   map[*Func][]locks.Held // by what they get, see handOver
	contends map[*summary.Call]bool
	env      *transfer.Env
	imported func(*types.Func) *summary.Func
	facts    map[*types.Func]*summary.Func
	impls    map[*types.Func][]*ssa.Function
	ofIface  map[*types.Interface][]*types.Named // see implementing
	uses     map[*ssa.Function][]ssa.Instruction // see usesOfFuncs
	reads    map[*types.Var][]fieldUse           // see fieldReads; nil until it is asked
	types    []*types.Named                      // see concrete
	tasks    map[*types.Var]int                  // see taskTurn
	turned   map[*types.Var]*types.Var           // see inTurn
	pausedBy map[*types.Var]*pause               // see pauses
	// fills says whose objects the functions put into fields, see MadeFor.
	fills map[*types.Var]ownership.Value
	// wholes are the fields that functions set to whole structs, see Another.
	wholes map[*types.Var]bool
	// solely caches soleName, and mentioned are the instructions that name a package-level variable, see mentionsOf.
	solely    map[accesspath.Path]bool
	mentioned map[*types.Var][]ssa.Instruction
	// outer are the contexts in other packages, where they are known, and
	// outerCalls the calls there.
	outer      map[*Func]*outside.Context
	outerCalls map[*Func][]site
	// threads tells which threads of the module run what; nil if that is not known.
	threads      *outside.View
	masked       masked
	codec        *summary.Codec
	ssaPkg       *ssa.Package
	messages     messages
	items        *items                      // see ItemOf; nil until it is asked
	owners       *items                      // see OwnerOf; the same
	counters     map[*types.Var]bool         // those that only go up; nil until it is asked
	singles      map[*types.Var]bool         // see Single; nil until it is asked
	changesOf    map[*types.Var][]change     // see changes; nil until they are asked for
	unless       map[flagValue][]*types.Var  // see lockedUnless; nil until it is asked for
	latched      map[*types.Var]*latch       // see latches; by field, nil of one that is none
	published    map[*access.Access]joined   // see markPublished
	askedUnder   map[*types.Var][]*types.Var // the mutexes of marks, see mutexesFor
	boarded      map[*types.Var]bool         // the maps whose entries are marks, see marks
	given        *giving                     // see NeverNil; nil until it is asked
	filled       *filling                    // see LackAt; nil until it is asked
	givers       *givers                     // see Givers; the same
	sealing      map[accesspath.Location][]*seal
	fulls        map[accesspath.Location][]*seal
	retiring     map[accesspath.Location][]*seal
	countingDown map[*Func][]countDown
	lastOut      map[*Func][]*lastOut
	leavings     map[[3]any]bool
	// brought are the locks with which objects come, see BroughtTo; nil until it is asked.
	brought map[*types.Named][]*types.Var
	// made are the inputs that the callers of a function have made, see ByMaker; nil until it is asked.
	made map[*Func]ownership.Set
	// named are the fields that are used by their names alone, see unaliased; nil until it is asked.
	named map[*types.Var]bool
	// rearms are the methods that have a once run what it gets anew.
	rearms []*Func
	// Module is what is known of the module as a whole; nil where the package is
	// judged by itself.
	Module *outside.Solution
}

// A Func is one function with its summary and context.
type Func struct {
	SSA *ssa.Function
	*summary.Func
	Ctx Context
	// aliases and behind are the package's, see findAliases.
	aliases map[*types.Var]*types.Var
	behind  map[*types.Var]accesspath.Path
	// flagged are the locks that an object brings which says so by a flag, see handOverByFlag.
	flagged []flaggedHold
	// together is what goes along with conditions on parameters, see findTogether.
	together map[access.When]together
	// Roles are what its name and documentation make of it.
	Roles role.Roles
	// StartUp: it brings its object into service.
	StartUp bool
	// requested: a server calls it for a request.
	requested bool
	// Before: it is documented to run before anything else uses what it
	// changes.
	Before bool
	// Setter: it sets or registers something and gives nothing back; it is
	// meant for configuration.
	Setter bool
	// Recursive: it can come to call itself.
	Recursive bool
}

// IsLiteral reports whether the function is a function literal.
func (f *Func) IsLiteral() bool { return f.SSA.Parent() != nil }

// Stored reports whether the function is a literal that is kept somewhere: it
// may be called at any time, under any lock.
func (f *Func) Stored() bool { return f.IsLiteral() && f.Ctx.Stored }

// HandedLocked reports whether the one who calls the function, and hands it the object of an
// access, may hold that object's lock, as far as the package shows: it is a plain function
// of which only the value is used. What is kept of a method, or of a literal, has its
// object from elsewhere, as handlers have.
func (f *Func) HandedLocked(a *access.Access) bool {
	plain := f.Obj != nil && f.SSA.Signature.Recv() == nil && !f.Is(role.Public)
	return plain && f.Ctx.ValueOnly && a.Path.Root().Kind == accesspath.Param
}

// Config is what infer needs to know from outside.
type Config struct {
	Pkg   *ssa.Package
	Funcs []*ssa.Function
	// Imported returns the summary of another package's function, nil if
	// it has none.
	Imported func(*types.Func) *summary.Func
	// Roles reads a function's name and documentation.
	Roles func(*ssa.Function) role.Roles
	Paths *accesspath.Builder
	// Codec names paths for other packages.
	Codec *summary.Codec
	// Model has the library functions that the user has added to the table.
	Model *model.Extra
	// Library reports whether a package is one of other modules; nil if that is not known of any.
	Library func(pkg *types.Package) bool
	// Module reports whether a package is one of those that are to know who calls
	// their functions; nil if none is.
	Module func(path string) bool
}

// Does returns what a library function does, by the table and what the user
// has added to it.
func (p *Package) Does(fn *types.Func) model.Effect { return p.env.Model.Lookup(fn) }

// maxMarkRounds bounds how often a package is analysed again because marks of it were no locks.
const maxMarkRounds = 4

// A doubt is what a round of the analysis does not take for what it looks like.
type doubt struct {
	torn  map[*types.Var]bool // marks that are no locks
	onces map[any]bool        // what runs what it gets once, but not before all that comes behind it
	all   bool
}

// Run analyses a package. What the marks and the onces of the package have turned out not to be, the next round does not take
// them for; each round has less of them, and the last one none.
func Run(cfg Config) *Package {
	not := doubt{torn: make(map[*types.Var]bool), onces: make(map[any]bool)}
	for range maxMarkRounds {
		p := run(cfg, not)
		torn, onces := p.torn(), p.doubtfulOnces()
		if len(torn) == 0 && len(onces) == 0 {
			p.unlatch()
			return p
		}
		maps.Copy(not.torn, torn)
		maps.Copy(not.onces, onces)
		cfg.Paths.Forget() // what was known of calls
	}
	not.all = true
	p := run(cfg, not)
	p.unlatch()
	return p
}

// run analyses a package, without the marks and onces that are in doubt.
func run(cfg Config, not doubt) *Package {
	p := &Package{
		Types: cfg.Pkg.Pkg, Paths: cfg.Paths, byKey: make(map[any]*Func), serial: make(map[*Func]bool), mentions: make(map[*Func][]*Func),
		imported: cfg.Imported, facts: make(map[*types.Func]*summary.Func), ssaPkg: cfg.Pkg, codec: cfg.Codec,
	}
	reach := ownership.NewReach(p.Types, cfg.Funcs)
	p.env = &transfer.Env{Paths: p.Paths, Model: cfg.Model, Summary: p.Summary, Implementers: p.implementers, Reached: reach.Of}
	p.Paths.Result = p.env.ResultPath
	p.Paths.Drawn, p.Paths.Named = p.env.Drawn, func(fn *types.Func) bool { return role.Named(fn).Has(role.Name) }
	for _, fn := range cfg.Funcs {
		f := &Func{SSA: fn, Roles: cfg.Roles(fn)}
		p.Funcs = append(p.Funcs, f)
		p.byKey[accesspath.FuncKey(fn)] = f
	}
	p.env.Changes = depend.FindChanges(p.Types, cfg.Funcs)
	done, closes := p.signals()
	p.env.Done = func(ch ssa.Value) bool { return done[chanIdentity(ch)] }
	p.env.Closes = func(ch ssa.Value) bool { return closes[chanIdentity(ch)] }
	drained := p.drained()
	p.env.Drained = func(mux ssa.Value) []ssa.Value { return drained[mux] }
	acks := p.acknowledged()
	p.env.Answers = func(instr ssa.Instruction) ssa.Value { return acks.answers[instr] }
	p.env.Asked = func(ch ssa.Value) ssa.Value { return acks.asked[chanIdentity(ch)] }
	works := p.idlings()
	p.env.Work = func(fn any) summary.Work { return works[fn] }
	semaphores := p.semaphores()
	p.env.Semaphore = func(ch ssa.Value) transfer.Tokens {
		if len(semaphores) == 0 {
			return transfer.NoLock
		}
		return semaphores[chanVar(ch)]
	}
	weights := p.weights()
	p.env.Weight = func(sem ssa.Value) int64 { return weights[chanVar(sem)] }
	p.messages = messages{senders: make(map[*ssa.Function]*sender), services: make(map[*types.Var][]service)}
	p.tasks = make(map[*types.Var]int)
	byFunc, byChan := p.turns()
	p.env.Turn = func(ch ssa.Value) (accesspath.Path, int, bool) { return p.taskTurn(byChan, ch) }
	paused, pausedBy := p.pauses()
	p.pausedBy, p.env.Pause = pausedBy, p.pauseOf
	p.env.Owns = func(fn *ssa.Function) (accesspath.Path, bool) { return owns(byFunc[fn], paused[fn]) }
	p.env.Served = func(call *ssa.CallCommon) (any, []ssa.Value, accesspath.Path) {
		fn, args, base, field := p.served(call)
		if fn == nil {
			return nil, nil, accesspath.Path{}
		}
		return accesspath.FuncKey(fn), args, p.Paths.Field(p.Paths.Of(base), byChan[field].ch)
	}
	flights := p.flights()
	var marks map[ssa.Instruction]*transfer.Mark
	if !not.all {
		marks = p.marks(not.torn, flights)
	}
	p.env.FoundIn = p.foundIn
	p.env.SolePut = p.solePut
	p.env.Boarded = func(lock accesspath.Path) bool { return p.boarded[lock.Location().Var] }
	latches := p.latches(marks)
	p.turned = make(map[*types.Var]*types.Var)
	carriers := p.carriers(byFunc)
	p.env.TurnOf = func(field *types.Var) *types.Var { return p.turned[field] }
	p.env.Holds = func(field *types.Var) callback.Field { return carriers[field] }
	p.env.Handler = p.handler
	p.Paths.Forget() // what calls give is not known yet
	p.env.Flight = func(fn *ssa.Function) *transfer.Flight { return flights[fn] }
	claimed := p.claims()
	p.env.Mark = func(instr ssa.Instruction) *transfer.Mark {
		if m := marks[instr]; m != nil {
			return m
		}
		return latches[instr]
	}
	p.env.Claimed = func(flag ssa.Value) bool { return claimed[chanIdentity(flag)] }
	p.env.Fixed = p.SetAtFirst
	p.env.Library = func(pkg *types.Package) bool { return cfg.Library != nil && pkg != nil && cfg.Library(pkg) }
	if cfg.Module != nil {
		p.env.Elsewhere = p.elsewhere(cfg.Module)
	}
	p.uses = nil
	p.env.Doubted = func(object ssa.Value) bool {
		id := p.onceIdentity(object)
		return not.all || id == nil || not.onces[id]
	}
	p.bottomUp()
	p.noteRearms()
	p.relay()
	p.noteReach(reach)
	p.findAliases()
	p.markFilled()
	p.contexts()
	p.awaitServers()
	p.nameGroups()
	p.findTakenOff()
	p.findFilled()
	p.startUps()
	p.markPublished()
	return p
}

// Lookup returns the package's own function of that key.
func (p *Package) Lookup(key any) *Func { return p.byKey[key] }

// LockPath returns the lock that a Lock method on v takes.
func (p *Package) LockPath(v ssa.Value) accesspath.Path { return p.env.LockPath(v) }

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

// noteReach names the functions whose goroutines were not followed to the end.
func (p *Package) noteReach(r *ownership.Reach) {
	for _, f := range p.Funcs {
		for i := range f.Calls {
			if c := &f.Calls[i]; c.Kind == summary.Goroutine && r.Cuts(c.Callee) != "" {
				f.Cut(r.Cuts(c.Callee))
			}
		}
	}
}

// bottomUp computes summaries, callees first.
func (p *Package) bottomUp() {
	for _, scc := range p.components() {
		p.order = append(p.order, scc...)
		p.env.Recursive = len(scc) > 1 || p.callsItself(scc[0])
		if p.env.Recursive {
			p.recursive(scc)
			continue
		}
		scc[0].Func = transfer.Analyze(scc[0].SSA, p.env)
		p.findOnce(scc[0])
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
	if out, ok := p.mentions[f]; ok {
		return out
	}
	var out []*Func
	add := func(key any) {
		if g := p.byKey[key]; g != nil {
			out = append(out, g)
		}
	}
	var ops []*ssa.Value
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(ssa.CallInstruction); ok {
				for _, key := range p.called(c.Common()) {
					add(key)
				}
			}
			ops = instr.Operands(ops[:0])
			for _, op := range ops {
				if fn, ok := (*op).(*ssa.Function); ok {
					add(accesspath.FuncKey(fn))
				}
			}
		}
	}
	p.mentions[f] = out
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

// Effective returns the locks that are held at one of f's accesses, those
// that callers usually hold included: a call that lacks one is to blame
// itself. A lock that the map holds is none of them.
func (f *Func) Effective(a *access.Access) []locks.Held {
	state, usual := f.narrowed(a)
	held := f.holdsFlagged(withOwners(f.behind, state.Over(usual)), state, a.Point)
	inside := func(h locks.Held) bool { return h.Inside(a.Path) }
	if !slices.ContainsFunc(held, inside) {
		return held
	}
	return slices.DeleteFunc(slices.Clone(held), inside)
}

// EffectiveState returns the locks that are held in a state of f, its callers'
// included.
func (f *Func) EffectiveState(s locks.State) []locks.Held { return f.effective(s) }

func (f *Func) effective(s locks.State) []locks.Held {
	return withOwners(f.behind, s.Over(f.Ctx.Usual))
}
