// Package records gathers what one analysed package tells of the callers of
// others: calls, references to functions, and conversions to interfaces, through
// which methods are called.
package records

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A gatherer fills one record.
type gatherer struct {
	pkg     *types.Package
	info    *types.Info
	inScope func(path string) bool
	rec     *outside.Record
	names   map[*types.Func]outside.Name
	nodes   map[*ssa.Function]outside.Name
	refs    map[outside.Ref]bool
	leads   map[outside.Lead]bool
	holds   map[outside.Hold]bool
	// offered are the places of offers in the record, by what they say but for the order.
	offered map[outside.Offer]int
	laid    map[types.Type]bool // see shown
	methods map[*types.TypeName][]*types.Func
	walked  map[types.Type][]*types.Func // see walkedIn
	// acted are functions that are stored where it is known who calls them.
	acted map[outside.Name]bool
	// literals are the methods of the interfaces that the package writes down: see written.
	literals map[string]bool
	parted   map[types.Type]bool // see partsOf
	spare    *places             // see places
	// executor is the function that was last asked about: see executes.
	executor struct {
		fn  *ssa.Function
		yes bool
	}
}

func newGatherer(pkg *types.Package, info *types.Info, inScope func(string) bool) *gatherer {
	program := pkg.Name() == "main"
	return &gatherer{
		pkg: pkg, info: info, inScope: inScope, names: make(map[*types.Func]outside.Name), nodes: make(map[*ssa.Function]outside.Name), refs: make(map[outside.Ref]bool),
		methods: make(map[*types.TypeName][]*types.Func), walked: make(map[types.Type][]*types.Func), acted: make(map[outside.Name]bool), parted: make(map[types.Type]bool), leads: make(map[outside.Lead]bool), holds: make(map[outside.Hold]bool), offered: make(map[outside.Offer]int), laid: make(map[types.Type]bool),
		rec: &outside.Record{
			Path: pkg.Path(), Imports: imports(pkg), Program: program,
			Funcs: make(map[outside.Name]outside.Decl), Opened: make(map[outside.Name]outside.Opening),
			Given: make(map[outside.Name][]outside.Name), Parts: make(map[outside.Name]bool), Lent: make(map[outside.Name]bool), Methods: make(map[string]map[outside.Name]bool), Interfaces: make(map[string]string),
			Changes: make(map[outside.Change]bool), Taken: make(map[string]bool),
			TypeArgs: make(map[outside.Name]bool), Found: make(map[string]bool), Commands: make(map[outside.Name]bool), Locked: make(map[*types.Var]bool), Assigned: make(map[*types.Var]bool),
			Waits: make(map[outside.Name]bool), Impls: make(map[outside.Name]map[string]outside.Name), Untold: make(map[string]bool),
			Changed: make(map[string]bool), Kept: make(map[string]bool), Boxers: make(map[outside.Name][]outside.Name),
		},
	}
}

func imports(pkg *types.Package) (paths []string) {
	for _, p := range pkg.Imports() {
		paths = append(paths, p.Path())
	}
	return paths
}

// Unread returns the record of a package that was not analysed, since it holds no
// map and no lock: but for plain calls, it may do anything with the functions and types
// that it names.
// inScope tells which packages belong to the module, aside which files a tool has written, or are there for tests.
func Unread(pkg *types.Package, files []*ast.File, info *types.Info, inScope func(path string) bool, aside func(*ast.File) bool) *outside.Record {
	info = undirected(info, files)
	g := newGatherer(pkg, info, inScope)
	g.declare(files, aside)
	g.changed(files)
	g.kept(files)
	g.unreadLeads(files)
	g.injected()
	g.finders()
	g.unreadParts(files)
	g.unreadHolds()
	called := g.plainCalls(files)
	for id, obj := range info.Uses {
		if fn, ok := obj.(*types.Func); ok && !called[id] {
			g.takeUnread(fn)
		}
	}
	g.takeInvoked(called)
	plain := unconverted(files, info)
	for e, tv := range info.Types {
		if tv.IsValue() && !types.IsInterface(tv.Type) && !plain[e] {
			for _, m := range g.methodsOf(tv.Type) {
				g.opened(m, outside.Called)
				g.offeredSometime(m)
			}
			g.boxed("", tv.Type)
		}
	}
	return g.rec
}

// Of returns the record of an analysed package. Aside tells the files that a tool has written, or that are there for tests.
func Of(pkg *infer.Package, files []*ast.File, info *types.Info, inScope func(path string) bool, aside func(*ast.File) bool) *outside.Record {
	g := newGatherer(pkg.Types, info, inScope)
	g.declare(files, aside)
	g.changed(files)
	g.kept(files)
	for _, f := range pkg.Funcs {
		g.actions(f.SSA)
	}
	for _, f := range pkg.Funcs {
		g.function(pkg, f)
		g.leadsOf(f)
	}
	g.instances()
	g.injected()
	g.finders()
	return g.rec
}

// declare lists the package's functions.
func (g *gatherer) declare(files []*ast.File, aside func(*ast.File) bool) {
	for _, file := range files {
		linked, apart := g.linkedNames(file), aside(file)
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			fn, ok := g.info.Defs[decl.Name].(*types.Func)
			if ok && decl.Recv == nil && linked[fn.Name()] {
				g.ref("", fn, true)
			}
			switch {
			case !ok || fn.Name() == "init" || fn.Name() == "_":
			case fn.Name() == "main" && g.pkg.Name() == "main" && fn.Signature().Recv() == nil:
				g.ref("", fn, true)
				g.rec.Funcs[g.name(fn)] = outside.Decl{Short: fn.Name()}
			default:
				d := outside.Decl{Short: fn.Name(), Exported: fn.Exported(), Method: fn.Signature().Recv() != nil, Aside: apart, Inward: g.inward(fn.Signature()), Sought: model.Sought(fn)}
				if d.Method {
					d.Outer = outside.Outer(fn)
				}
				g.rec.Funcs[g.name(fn)] = d
				g.gives(fn)
			}
		}
	}
}

// linkedNames returns the functions of a file that code calls by the names which the linker gives them: C, WebAssembly's
// host, or another package.
func (g *gatherer) linkedNames(file *ast.File) map[string]bool {
	out := make(map[string]bool)
	for _, group := range file.Comments {
		for _, c := range group.List {
			words := strings.Fields(c.Text)
			if len(words) < 2 {
				continue
			}
			switch words[0] {
			case "//export", "//go:linkname":
				out[words[1]] = true
			}
			if words[0] == "//go:linkname" && len(words) > 2 {
				to := words[2]
				if name, ok := strings.CutPrefix(to, "main."); ok && g.pkg.Name() == "main" {
					to = g.pkg.Path() + "." + name
				}
				g.add(outside.Ref{To: outside.Name(to), Loose: true}) // the other package's, if that has it
			}
		}
	}
	for _, d := range file.Decls {
		if decl, ok := d.(*ast.FuncDecl); ok && decl.Doc != nil && slices.ContainsFunc(decl.Doc.List, func(c *ast.Comment) bool {
			return strings.HasPrefix(c.Text, "//go:wasmexport ")
		}) {
			out[decl.Name.Name] = true
		}
	}
	return out
}

// gives notes the methods of what an exported method returns, and of what that leads to.
func (g *gatherer) gives(fn *types.Func) {
	if !fn.Exported() || fn.Signature().Recv() == nil {
		return
	}
	for v := range fn.Signature().Results().Variables() {
		for _, m := range append(g.exported(v.Type()), g.methodsIn(v.Type())...) {
			g.rec.Given[g.name(fn)] = append(g.rec.Given[g.name(fn)], g.name(m))
		}
	}
}

func (g *gatherer) name(fn *types.Func) outside.Name {
	fn = fn.Origin()
	n, ok := g.names[fn]
	if !ok {
		n = outside.NameOf(fn)
		g.names[fn] = n
	}
	return n
}

// ref notes a reference, to functions of the module alone.
func (g *gatherer) ref(from outside.Name, to *types.Func, loose bool) {
	g.refer(outside.Ref{From: from, Loose: loose}, to)
}

func (g *gatherer) refer(r outside.Ref, to *types.Func) {
	if to.Pkg() == nil || !g.inScope(to.Pkg().Path()) {
		return
	}
	r.To = g.name(to)
	g.add(r)
}

func (g *gatherer) add(r outside.Ref) {
	if !g.refs[r] {
		g.refs[r] = true
		g.rec.Refs = append(g.rec.Refs, r)
	}
}

// function notes what one function does.
func (g *gatherer) function(pkg *infer.Package, f *infer.Func) {
	var from outside.Name
	if obj, ok := callback.Outermost(f.SSA).Object().(*types.Func); ok && obj.Name() != "init" {
		from = g.name(obj)
	}
	told := g.told(f)
	node, order := g.nodeOfBody(f.SSA), ssautil.NewOrder(f.SSA)
	later := &registering{pkg: pkg, inScope: g.inScope, order: order, spans: ssautil.NewSpans(f.SSA), first: make(map[ssa.Value]int)}
	g.runs(pkg, f, from, told, later)
	var ops []*ssa.Value
	feasible := ssautil.FindSwitchedOff(f.SSA)
	for _, b := range f.SSA.Blocks {
		if !feasible.Block(b) {
			continue
		}
		for at, instr := range b.Instrs {
			call, isCall := instr.(ssa.CallInstruction)
			if isCall {
				g.call(pkg, f, from, call, told)
			}
			if directed(instr) {
				continue
			}
			ops = instr.Operands(ops[:0])
			for i, op := range ops {
				if fn, ok := (*op).(*ssa.Function); ok && !(isCall && i == 0 && !call.Common().IsInvoke()) && !onlyCalled(instr) {
					g.rec.Takes = append(g.rec.Takes, outside.Run{From: node, To: g.nodeOfSSA(fn), Order: later.from(instr, order.At(b, at)), Span: later.spans.Of(b)})
					if obj, ok := fn.Object().(*types.Func); ok {
						g.take(from, obj, g.acted[g.name(obj)] || shown(f, instr, obj))
					}
				}
			}
			g.conversion(from, instr)
			if made, ok := instr.(*ssa.MakeInterface); ok {
				g.offers(node, made, later.from(instr, order.At(b, at)))
			}
		}
	}
}

// onlyCalled reports whether an instruction makes a closure for nothing but calls and go
// statements of it.
func onlyCalled(instr ssa.Instruction) bool {
	made, ok := instr.(*ssa.MakeClosure)
	return ok && !slices.ContainsFunc(*made.Referrers(), func(use ssa.Instruction) bool {
		call, ok := use.(ssa.CallInstruction)
		return !ok || call.Common().Value != made || slices.Contains(call.Common().Args, ssa.Value(made))
	})
}

// shown reports whether the calls of f tell what becomes of a function that an
// instruction takes for a value: it is given to a call, or it is made a method value.
func shown(f *infer.Func, instr ssa.Instruction, fn *types.Func) bool {
	call, given := instr.(ssa.CallInstruction)
	if _, made := instr.(*ssa.MakeClosure); !made && !given {
		return false
	}
	return slices.ContainsFunc(f.Calls, func(c summary.Call) bool {
		return c.Callee == any(fn.Origin()) && (!given || c.Pos == ssautil.PosOf(call))
	})
}

// take notes that a function is used otherwise than by a call. shown tells whether
// what runs it is known.
func (g *gatherer) take(from outside.Name, fn *types.Func, shown bool) {
	if g.taken(fn) {
		return
	}
	g.refer(outside.Ref{From: from, Loose: true, Shown: shown}, fn)
}

// taken notes that a method is used as that of an interface, if it is one.
func (g *gatherer) taken(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) {
		return false
	}
	g.rec.Taken[fn.Name()] = true
	return true
}

// takeUnread notes that a function is used otherwise than by a call in a package that was not
// analysed.
func (g *gatherer) takeUnread(fn *types.Func) {
	g.take("", fn, false)
	g.lead(outside.Outsiders, g.nodeOf(fn))
	g.rec.Takes = append(g.rec.Takes, outside.Run{From: outside.Sometime, To: g.name(fn)})
}

// told returns what is known of the calls of a function, by their places; a
// place has several callees where a function value can be any of them.
func (g *gatherer) told(f *infer.Func) map[token.Pos][]*summary.Call {
	out := make(map[token.Pos][]*summary.Call)
	for _, calls := range [...][]summary.Call{f.Elsewhere, f.Calls} {
		for i := range calls {
			if c := &calls[i]; c.Kind != summary.Escaped {
				out[c.Pos] = append(out[c.Pos], c)
			}
		}
	}
	return out
}

// call notes a call of another package's function, or of an interface's method,
// with what is known of it.
func (g *gatherer) call(pkg *infer.Package, f *infer.Func, from outside.Name, instr ssa.CallInstruction, told map[token.Pos][]*summary.Call) {
	common := instr.Common()
	fn, args := ssautil.Callee(common)
	if fn == nil {
		return
	}
	callee := g.name(fn)
	if common.IsInvoke() {
		iface, own := g.own(common.Value.Type())
		if !own {
			return
		}
		callee = outside.Method(iface, fn.Name())
		g.add(outside.Ref{From: from, To: callee})
	} else {
		g.ref(from, fn, false)
		if fn.Pkg() == g.pkg {
			g.rec.Steps = append(g.rec.Steps, outside.Step{From: from, To: callee, Passage: pkg.Passes(f, callOf(told[instr.Pos()], fn))})
			return
		}
		if fn.Pkg() == nil || !g.inScope(fn.Pkg().Path()) {
			return
		}
	}
	known := callOf(told[instr.Pos()], fn)
	c := known
	if known == nil {
		c = &summary.Call{Kind: kindOf(instr), Pos: instr.Pos(), Held: locks.Reached()}
	}
	call := pkg.Tells(f, c, fn)
	call.Caller, call.Callee, call.Passage = from, callee, pkg.Passes(f, known)
	for i, arg := range args {
		if ssautil.IsInt(arg, 1) && sole(pkg, f, instr, args[0]) {
			call.Ones = append(call.Ones, i)
		}
	}
	g.rec.Calls = append(g.rec.Calls, call)
}

// sole reports whether no call of a method is made a second time on its object: f makes that for the call, and no loop leads
// from the call back to it past the place where the object is made; nor does f call it there in another place.
func sole(pkg *infer.Package, f *infer.Func, instr ssa.CallInstruction, object ssa.Value) bool {
	root := pkg.Paths.Of(object).Root().Val
	made, ok := root.(ssa.Instruction)
	if !ok || pkg.Paths.Of(object).Depth() > 0 || made.Parent() != f.SSA || !pkg.Makes(root) {
		return false
	}
	if ssautil.Again(instr.Block(), map[*ssa.BasicBlock]bool{made.Block(): true}) {
		return false
	}
	callee, _ := ssautil.Callee(instr.Common())
	return !ssautil.Some(f.SSA, func(other ssa.Instruction) bool {
		call, ok := other.(ssa.CallInstruction)
		if !ok || call == instr {
			return false
		}
		fn, args := ssautil.Callee(call.Common())
		return fn == callee && len(args) > 0 && pkg.Paths.Of(args[0]).Root().Val == root
	})
}

// callOf returns the one of some calls that is of a function; nil if none is.
func callOf(calls []*summary.Call, fn *types.Func) *summary.Call {
	for _, c := range calls {
		if c.Callee == any(fn.Origin()) {
			return c
		}
	}
	return nil
}

func kindOf(instr ssa.CallInstruction) summary.CallKind {
	switch instr.(type) {
	case *ssa.Go:
		return summary.Goroutine
	case *ssa.Defer:
		return summary.Deferred
	}
	return summary.Direct
}

// instances notes the type arguments, whose methods generic code calls.
func (g *gatherer) instances() {
	for id, inst := range g.info.Instances {
		var params *types.TypeParamList
		switch obj := g.info.Uses[id].(type) {
		case *types.Func:
			params = obj.Signature().TypeParams()
		case *types.TypeName:
			if n, ok := obj.Type().(*types.Named); ok {
				params = n.TypeParams()
			}
		}
		for i := range inst.TypeArgs.Len() {
			arg := inst.TypeArgs.At(i)
			g.boxed("", arg)
			for _, m := range g.methodsOf(arg) {
				g.rec.TypeArgs[g.name(m)] = true
				if i < params.Len() {
					if obj, _, _ := types.LookupFieldOrMethod(params.At(i).Constraint(), true, m.Pkg(), m.Name()); obj != nil {
						g.opened(m, outside.Called)
						g.offeredSometime(m)
					}
				}
			}
		}
	}
}
