package prove

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/finding"
)

// An entry is a function that code outside the package calls, and that reaches
// operations of findings.
type entry struct {
	id   int
	file *file
	decl *ast.FuncDecl
	fn   *types.Func
	// of are the findings that it reaches by their own look, act or access;
	// changes those whose map it changes besides.
	of, changes []int
	// once: it starts a goroutine that reaches them, of which there may be one.
	once, direct bool
	// alone: a goroutine of the package runs it, one at a time. A driver stands in
	// for that.
	alone bool
}

// callGraph lists, for each function of the probed packages, those that refer
// to it.
type callGraph struct {
	decls   map[*types.Func]*entry
	callers map[*types.Func][]*types.Func
	// behind are those that call a method of an interface, by its name.
	behind map[string][]*types.Func
	// started are the functions that a go statement runs.
	started map[*types.Func]bool
	// given are the functions that a function gets as arguments, getting those
	// that get some, by the place of the call.
	given   map[*types.Func][]*types.Func
	getting map[finding.Position]*types.Func
}

func (m *module) graph() *callGraph {
	g := &callGraph{
		decls: make(map[*types.Func]*entry), callers: make(map[*types.Func][]*types.Func), behind: make(map[string][]*types.Func),
		started: make(map[*types.Func]bool), given: make(map[*types.Func][]*types.Func), getting: make(map[finding.Position]*types.Func),
	}
	for _, f := range sorted(m.files) {
		for _, d := range f.ast.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue
			}
			fn, ok := f.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			g.decls[fn] = &entry{file: f, decl: decl, fn: fn}
			ast.Inspect(decl.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.Ident:
					if callee, ok := f.pkg.TypesInfo.Uses[n].(*types.Func); ok {
						callee = callee.Origin()
						g.callers[callee] = append(g.callers[callee], fn)
						if r := callee.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
							g.behind[callee.Name()] = append(g.behind[callee.Name()], fn)
						}
					}
				case *ast.CallExpr:
					if list, callee := handed(f, n), called(f, n); callee != nil && len(list) > 0 {
						g.given[callee] = append(g.given[callee], list...)
						g.getting[finding.At(m.fset.PositionFor(n.Lparen, false))] = callee
					}
				case *ast.GoStmt:
					if callee := called(f, n.Call); callee != nil {
						g.started[callee] = true
					}
				}
				return true
			})
		}
	}
	return g
}

// called is the function that a call names.
func called(f *file, call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	fn, _ := f.pkg.TypesInfo.Uses[id].(*types.Func)
	if fn == nil {
		return nil
	}
	return fn.Origin()
}

// maxClimb bounds the callers of callers through which an operation is reached.
const maxClimb = 5

// above returns the functions through which outside code reaches a function:
// itself, if it can be called from outside; else those of its callers.
// So do those that are given to what runs them. Those of other packages than the
// finding's own have callers in that, too.
func (g *callGraph) above(fn *types.Func, given []*types.Func, pkg string) []*entry {
	seen := map[*types.Func]bool{fn: true}
	starts := make(map[*types.Func]bool) // its callers start a goroutine
	below := make(map[*types.Func]*types.Func)
	var out, alone []*entry
	for level, depth := []*types.Func{fn}, 0; len(level) > 0 && depth < maxClimb; depth++ {
		var next []*types.Func
		for _, fn := range level {
			e := g.decls[fn]
			if e == nil {
				continue
			}
			own := g.started[fn] || e.loops()
			if a := g.decls[fn]; own && !a.loops() {
				alone = append(alone, a)
			} else if a := g.decls[below[fn]]; own && a != nil {
				alone = append(alone, a)
			}
			if !own && starts[fn] {
				if e.open() && e.decl.Recv != nil {
					e.once = !e.direct
					out = append(out, e)
					continue
				}
			} else if !own && (e.open() || handles(fn) || slices.Contains(given, fn) || len(g.callers[fn]) == 0 && fn.Name() != "main" && fn.Name() != "init") {
				e.once, e.direct = false, true
				out = append(out, e)
				if fn.Pkg().Path() == pkg {
					continue
				}
			}
			for _, c := range g.callers[fn] {
				if !seen[c] {
					seen[c] = true
					starts[c], below[c] = starts[fn] || own, fn
					next = append(next, c)
				}
			}
		}
		level = next
	}
	if len(out) > 0 {
		return out
	}
	for _, e := range alone {
		e.alone = true
	}
	return alone
}

// handles reports whether a server runs the function, for many requests at one
// time.
func handles(fn *types.Func) bool {
	p := fn.Type().(*types.Signature).Params()
	return p.Len() == 2 && types.TypeString(p.At(0).Type(), nil) == "net/http.ResponseWriter" && types.TypeString(p.At(1).Type(), nil) == request
}

// open reports whether outside code can call the function.
func (e *entry) open() bool { return e.fn.Exported() }

// fillers are how methods begin that put something in.
var fillers = []string{"Create", "Add", "Register", "Set", "Put", "New", "Open", "Insert", "Store", "Join", "Connect", "Subscribe"}

// methods are the exported methods that end, those that fill first.
func (g *callGraph) methods() (out []*entry) {
	for _, e := range g.decls {
		if e.decl.Recv != nil && e.open() && !g.started[e.fn] && !e.loops() {
			out = append(out, e)
		}
	}
	fills := func(e *entry) bool {
		return slices.ContainsFunc(fillers, func(f string) bool { return strings.HasPrefix(e.fn.Name(), f) })
	}
	slices.SortFunc(out, func(a, b *entry) int {
		if fa, fb := fills(a), fills(b); fa != fb {
			return map[bool]int{true: -1, false: 1}[fa]
		}
		return cmp.Compare(a.decl.Pos(), b.decl.Pos())
	})
	return out
}

// declaration is the function declaration in which an operation is.
func (op *operation) declaration() *types.Func {
	for _, n := range op.path {
		if d, ok := n.(*ast.FuncDecl); ok {
			fn, _ := op.file.pkg.TypesInfo.Defs[d.Name].(*types.Func)
			return fn
		}
	}
	return nil
}

// entries finds the entries of all findings.
func (m *module) entries(g *callGraph, targets []*target) []*entry {
	var out []*entry
	var given []*types.Func
	add := func(op *operation, id int, own bool) {
		fn := op.declaration()
		if fn == nil {
			return
		}
		for _, e := range g.above(fn, given, targets[id].Package) {
			if e.alone && targets[id].pair { // what is looked at and done by one goroutine is not its own rival
				continue
			}
			if !slices.Contains(out, e) {
				e.id = len(out)
				out = append(out, e)
			}
			if list := map[bool]*[]int{true: &e.of, false: &e.changes}[own]; !slices.Contains(*list, id) {
				*list = append(*list, id)
			}
		}
	}
	for _, t := range targets {
		if t.why != "" || t.assumed() {
			continue
		}
		given = g.handlers(t)
		if t.pair || t.via {
			t.of(m, func(op *operation) { add(op, t.id, true) })
		} else {
			for _, op := range t.traps {
				add(op, t.id, true)
			}
		}
		for _, op := range t.others {
			if op.kind.Changes() || !t.pair {
				add(op, t.id, false)
			}
		}
	}
	return out
}

// handlers are the functions that the finding says are run by what gets them: a
// call that does so is one of its places. Others that the same function gets are
// run like them.
func (g *callGraph) handlers(t *target) []*types.Func {
	out := slices.Clone(g.given[g.getting[t.Pos]])
	for _, r := range t.Related {
		out = append(out, g.given[g.getting[r.Pos]]...)
	}
	return out
}

// of calls for an operation in the function that has look and act.
func (t *target) of(m *module, each func(*operation)) {
	if t.body == nil {
		return
	}
	var path []ast.Node
	for _, d := range t.from.file.ast.Decls {
		if m.offset(d.Pos()) <= t.from.offset && t.from.offset < m.offset(d.End()) {
			path = append(path, d)
		}
	}
	each(&operation{file: t.from.file, path: path})
}

// alone reports whether one goroutine of the package makes the accesses of a
// finding, and drivers stand in for it.
func (s *session) alone(t *target) bool {
	return slices.ContainsFunc(s.entered, func(e *entry) bool { return e.alone && slices.Contains(e.of, t.id) })
}

// copying puts a hook at the begin of each entry, with a copy of its call.
func (s *session) copying() {
	for _, e := range s.entered {
		if e.once || e.alone {
			continue
		}
		w := s.free(e.file)
		call, ok := e.again(w)
		if !ok {
			continue
		}
		for _, t := range s.list {
			if id, ok := s.leaves(e, t); ok {
				call = fmt.Sprintf("%s.Handed(%d, %s)", probes, id, call)
			}
		}
		object := "nil"
		if r := e.receiver(); r != nil && isPointer(e.fn.Type().(*types.Signature).Recv().Type()) {
			object = r.Name
		}
		w.open(e.decl.Body.Lbrace+1, e.decl, fmt.Sprintf(" defer %s.Called(%d, %s, func() { %s })();", probes, e.id, object, call))
	}
}

func (e *entry) receiver() *ast.Ident {
	if e.decl.Recv == nil || len(e.decl.Recv.List) != 1 || len(e.decl.Recv.List[0].Names) != 1 {
		return nil
	}
	return e.decl.Recv.List[0].Names[0]
}

// again writes the call of an entry with its own parameters, and gives names
// to those that have none.
func (e *entry) again(w *rewriter) (string, bool) {
	var b strings.Builder
	if e.decl.Recv != nil {
		r := e.receiver()
		if r == nil || r.Name == "_" {
			return "", false
		}
		b.WriteString(r.Name + ".")
	}
	b.WriteString(e.decl.Name.Name)
	if tp := e.decl.Type.TypeParams; tp != nil {
		var names []string
		for _, f := range tp.List {
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
		b.WriteString("[" + strings.Join(names, ", ") + "]")
	}
	var args []string
	for _, f := range e.decl.Type.Params.List {
		if len(f.Names) == 0 {
			return "", false
		}
		for _, n := range f.Names {
			if n.Name == "_" {
				name := fmt.Sprintf("%sArg%d", probes, len(args))
				w.replace(n.Pos(), n.End(), name)
				args = append(args, name)
				continue
			}
			args = append(args, n.Name)
		}
		if _, rest := f.Type.(*ast.Ellipsis); rest {
			args[len(args)-1] += "..."
		}
	}
	return b.String() + "(" + strings.Join(args, ", ") + ")", true
}
