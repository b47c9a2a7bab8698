package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// newMutex fixes maps that have no lock at all: a mutex beside them is held at
// every access of the package, as one fix for all maps of the struct.
//
// It is safe. The fields, or the variable, are not exported, or the package is a
// program, which others cannot import: all that touch them are in the package; what the package does before others know the object
// needs no lock. Nothing else takes the new mutex, so the one who waits for it
// waits for a section of it: each ends by itself (see holdable), none calls a
// function that has a section of its own, and a lock that is
// taken in one is never held where another one begins, nor is one that is taken under it. Each function is covered as takeGuard does it. The struct is not
// copied by value, and made by naming its fields, so that it may have a mutex.
func (m *Maker) newMutex(f check.Finding) (*analysis.SuggestedFix, refusal) {
	if !f.Loc.Valid() || m.lockOf(f) != nil {
		return nil, ""
	}
	v := f.Loc.Var
	if v.Pkg() != m.pass.Pkg {
		return nil, "the map belongs to another package"
	}
	if m.elsewhere(v) {
		return nil, refusal(v.Name() + " is exported: code elsewhere may use it without a lock")
	}
	home, refused := m.home(v)
	if refused != "" {
		return nil, refused
	}
	edits, refused := m.withMutex(home)
	if edits == nil && !v.IsField() && len(home.vars) > 1 {
		home.vars = []*types.Var{v} // one of the group by itself
		edits, refused = m.withMutex(home)
	}
	if edits == nil {
		return nil, refused
	}
	return &analysis.SuggestedFix{Message: "add a mutex " + home.name, TextEdits: edits}, ""
}

// withMutex declares a mutex at its home, and takes it at every access.
func (m *Maker) withMutex(h *home) ([]analysis.TextEdit, refusal) {
	plan := &mutexPlan{m: m, home: h, lock: types.NewVar(token.NoPos, m.pass.Pkg, h.name, types.Typ[types.Invalid])}
	if refused := plan.scenes(); refused != "" {
		return nil, refused
	}
	edits, refused := plan.edits()
	return once(edits), refused
}

// once drops edits that are there already, as the same import of two functions.
func once(edits []analysis.TextEdit) []analysis.TextEdit {
	var out []analysis.TextEdit
	for _, e := range edits {
		same := func(o analysis.TextEdit) bool {
			return o.Pos == e.Pos && o.End == e.End && string(o.NewText) == string(e.NewText)
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, e)
		}
	}
	return out
}

// elsewhere reports whether code that is not seen here can name a map: it is
// exported, and its package is one that others can import.
func (m *Maker) elsewhere(v *types.Var) bool {
	return v.Exported() && m.pass.Pkg.Name() != "main"
}

// A home is where the mutex is declared.
type home struct {
	src   *source
	vars  []*types.Var
	name  string
	at    token.Pos
	field bool
	typ   *types.Named
}

// home finds where the declaration of a map is, and the maps that share its
// struct and have no lock.
func (m *Maker) home(v *types.Var) (*home, refusal) {
	src := m.source(v.Pos())
	if src == nil || generated(src.file) {
		return nil, "the declaration is in a generated file"
	}
	path := src.enclosing(v.Pos())
	for i, n := range path {
		switch n := n.(type) {
		case *ast.StructType:
			for _, around := range path[i+1:] {
				if spec, ok := around.(*ast.TypeSpec); ok && spec.Type == ast.Expr(n) {
					return m.homeInStruct(src, v, n, spec)
				}
			}
			return nil, "the struct has no name"
		case *ast.GenDecl:
			return m.homeOfVar(src, v, n)
		case *ast.BlockStmt:
			return nil, "the map is a local one"
		}
	}
	return nil, "the declaration is not plain"
}

func (m *Maker) homeInStruct(src *source, v *types.Var, st *ast.StructType, spec *ast.TypeSpec) (*home, refusal) {
	tn, _ := m.pass.TypesInfo.Defs[spec.Name].(*types.TypeName)
	if tn == nil {
		return nil, "the struct has no name"
	}
	named, ok := tn.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil, "the struct is generic"
	}
	if slices.ContainsFunc(m.in.Guards.LocksBeside(v), func(lock *types.Var) bool { return !forItself(lock.Type()) }) {
		return nil, refusal("the struct has a lock already, and nothing tells whether it is meant for " + v.Name())
	}
	h := &home{src: src, field: true, typ: named}
	at := -1
	for i, f := range st.Fields.List {
		for _, id := range f.Names {
			fv, _ := m.pass.TypesInfo.Defs[id].(*types.Var)
			if fv == nil || !isMap(fv.Type()) || m.elsewhere(fv) || !m.shared(fv) {
				continue
			}
			h.vars = append(h.vars, fv)
			if at < 0 {
				at = i
			}
		}
	}
	if !slices.Contains(h.vars, v) {
		return nil, "the map is not declared as a field of its own"
	}
	h.name = "mu"
	if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, m.pass.Pkg, h.name); obj != nil {
		h.name = v.Name() + "Mu"
		if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, m.pass.Pkg, h.name); obj != nil {
			return nil, "no name is free for the mutex"
		}
	}
	if refused := m.copied(named); refused != "" {
		return nil, refused
	}
	first := st.Fields.List[at]
	h.at = first.Pos()
	if first.Doc != nil {
		h.at = first.Doc.Pos()
	}
	return h, ""
}

// forItself reports whether a type has a lock for its own parts: it embeds the lock,
// and has other fields.
func forItself(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() < 2 {
		return false
	}
	_, index, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, "Lock")
	return len(index) > 1
}

func (m *Maker) homeOfVar(src *source, v *types.Var, d *ast.GenDecl) (*home, refusal) {
	h := &home{src: src, vars: []*types.Var{v}, name: v.Name() + "Mu"}
	if m.pass.Pkg.Scope().Lookup(h.name) != nil || !m.freeInFile(src.file, h.name) {
		return nil, "no name is free for the mutex"
	}
	h.at = d.Pos()
	if d.Doc != nil {
		h.at = d.Doc.Pos()
	}
	if d.Lparen.IsValid() {
		m.homeInGroup(h, v, d)
	}
	return h, ""
}

// homeInGroup puts the mutex in front of the first of the maps of a group of
// variables that have no lock: they are declared together, and get one mutex.
func (m *Maker) homeInGroup(h *home, v *types.Var, d *ast.GenDecl) {
	h.vars, h.field = nil, true
	for _, sp := range d.Specs {
		spec, ok := sp.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, id := range spec.Names {
			gv, _ := m.pass.TypesInfo.Defs[id].(*types.Var)
			if gv != v && (gv == nil || !isMap(gv.Type()) || m.elsewhere(gv) || !m.shared(gv)) {
				continue
			}
			if h.vars = append(h.vars, gv); len(h.vars) > 1 {
				continue
			}
			if h.at = spec.Pos(); spec.Doc != nil {
				h.at = spec.Doc.Pos()
			}
		}
	}
}

// shared reports whether the package changes a field's map, or assigns it, once
// others know the object, and never holds a lock meanwhile.
func (m *Maker) shared(v *types.Var) bool {
	written := false
	for _, pl := range m.in.Places {
		if pl.Loc.Var != v {
			continue
		}
		for i := range pl.Sites {
			s := &pl.Sites[i]
			if s.Exempt {
				continue
			}
			if len(s.Held) > 0 {
				return false
			}
			written = written || s.Acc.Op.Writes()
		}
	}
	return written
}

// copied reports what speaks against a mutex in a struct: it is copied by value,
// or made by listing its fields without their names.
func (m *Maker) copied(t *types.Named) refusal {
	isT := func(x types.Type) bool {
		switch u := types.Unalias(x).(type) {
		case *types.Slice:
			x = u.Elem()
		case *types.Array:
			x = u.Elem()
		case *types.Map:
			x = u.Elem()
		case *types.Chan:
			x = u.Elem()
		}
		return x != nil && types.Identical(types.Unalias(x), t)
	}
	why := refusal("")
	for _, file := range m.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncType:
				for _, list := range [...]*ast.FieldList{n.Params, n.Results} {
					if list == nil {
						continue
					}
					for _, f := range list.List {
						if isT(m.pass.TypesInfo.TypeOf(f.Type)) {
							why = refusal(t.Obj().Name() + " is passed by value, and a mutex must not be copied")
						}
					}
				}
			case *ast.FuncDecl:
				if n.Recv != nil && len(n.Recv.List) == 1 && isT(m.pass.TypesInfo.TypeOf(n.Recv.List[0].Type)) {
					why = refusal("methods of " + t.Obj().Name() + " get it by value, and a mutex must not be copied")
				}
			case *ast.StarExpr:
				if tv := m.pass.TypesInfo.Types[n]; tv.IsValue() && isT(tv.Type) {
					why = refusal(t.Obj().Name() + " is copied by value, and a mutex must not be copied")
				}
			case *ast.RangeStmt:
				if n.Value != nil && isT(m.pass.TypesInfo.TypeOf(n.Value)) {
					why = refusal(t.Obj().Name() + " is copied by value, and a mutex must not be copied")
				}
			case *ast.CompositeLit:
				if len(n.Elts) == 0 || !types.Identical(m.pass.TypesInfo.TypeOf(n), t) {
					return true
				}
				if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
					why = refusal(t.Obj().Name() + " is made by listing its fields without their names")
				}
			}
			return why == ""
		})
	}
	return why
}

// A mutexPlan is the new mutex with the functions that are to hold it.
type mutexPlan struct {
	m      *Maker
	home   *home
	lock   *types.Var
	list   []*scene
	takers map[*infer.Func]bool
}

// scenes finds the functions that use the maps, with the words for the mutex.
func (p *mutexPlan) scenes() refusal {
	p.takers = make(map[*infer.Func]bool)
	var funcs []*infer.Func
	for _, pl := range p.m.in.Places {
		if !slices.Contains(p.home.vars, pl.Loc.Var) {
			continue
		}
		for i := range pl.Sites {
			s := &pl.Sites[i]
			switch {
			case s.Exempt && !runsOnce(s) || !s.Acc.Op.Uses():
				continue
			case s.Imported():
				return "another package uses the map"
			case s.Acc.Op.Concurrent():
				return "the map is a concurrent one"
			}
			if !p.takers[s.Func] {
				p.takers[s.Func] = true
				funcs = append(funcs, s.Func)
			}
		}
	}
	funcs = append(funcs, p.passers()...)
	for _, f := range funcs {
		s := p.m.scene(f, p.lock)
		if s == nil {
			return refusal("the source of " + f.Name + " is generated, or not at hand")
		}
		s.vars, s.takers = p.home.vars, p.takers
		p.list = append(p.list, s)
	}
	return ""
}

// runsOnce reports whether an access needs no lock of its guard only since it is made
// once: what others do meanwhile needs the new lock there, too.
func runsOnce(s *infer.Site) bool {
	return (s.Acc.Once || s.Func.Ctx.OnceOnly) && !s.Acc.Fresh && !s.Func.Owns(s.Acc)
}

// edits declares the mutex and takes it in each function.
func (p *mutexPlan) edits() ([]analysis.TextEdit, refusal) {
	mutex, edits := p.m.library(&scene{m: p.m, src: p.home.src}, "sync", "Mutex")
	if mutex == "" {
		return nil, "the package sync is not to be had in the file"
	}
	edits = append(edits, p.declaration(mutex))
	for _, s := range p.list {
		var points []point
		for _, a := range s.lacking() {
			if s.path(a.Pos) == nil {
				return nil, refusal("a function literal in " + s.f.Name + " uses the map")
			}
			if refused := s.newName(p.home, a.Pos); refused != "" {
				return nil, refused
			}
			points = append(points, point{a.Pos, a.Op.Writes()})
		}
		copied, refused := p.copies(s)
		if refused != "" {
			return nil, refused
		}
		edits = append(edits, copied...)
		if len(points) == 0 {
			continue
		}
		es, refused := s.cover(points, s.bound(points))
		if es == nil {
			es, _ = p.again(s)
		}
		if es == nil {
			s.patient = true
			es, refused = s.cover(points, s.bound(points))
		}
		if es == nil {
			return nil, first(refused, "no section covers the accesses")
		}
		edits = append(edits, es...)
	}
	return edits, ""
}

// again makes short sections with a second look, where one section would hold
// the mutex for too long.
func (p *mutexPlan) again(s *scene) ([]analysis.TextEdit, refusal) {
	for _, v := range p.m.in.Pairs() {
		own := v.Func == s.f && !v.Check.Lifted && !v.Act.Lifted && v.Check.Path == v.Act.Path
		if own && slices.Contains(p.home.vars, v.Act.Path.Location().Var) && v.Act.Op == access.Insert {
			return (&pair{scene: s, v: v, look: v.Check, act: v.Act}).again()
		}
	}
	return nil, "no section covers the accesses"
}

func (p *mutexPlan) declaration(mutex string) analysis.TextEdit {
	var names []string
	for _, v := range p.home.vars {
		names = append(names, v.Name())
	}
	what := strings.Join(names, ", ")
	if n := len(names); n > 1 {
		what = strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	comment := fmt.Sprintf("// %s protects %s.", p.home.name, what)
	if p.home.field {
		indent := p.home.src.indent(p.home.at)
		return insert(p.home.at, comment+"\n"+indent+p.home.name+" "+mutex+"\n"+indent)
	}
	return insert(p.home.at, comment+"\nvar "+p.home.name+" "+mutex+"\n\n")
}

// newName finds the words for a mutex that is not there yet: beside the map, in
// the object that the source names.
func (s *scene) newName(h *home, pos token.Pos) refusal {
	text := h.name
	var base ast.Expr
	if h.typ != nil {
		text = ""
		for _, n := range s.path(pos) {
			ast.Inspect(n, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok || text != "" {
					return text == ""
				}
				if v, ok := s.body.info.Uses[sel.Sel].(*types.Var); ok && slices.Contains(h.vars, v) && s.plain(sel.X) {
					text, base = s.src.of(sel.X)+"."+h.name, sel.X
				}
				return true
			})
			if _, stmt := n.(ast.Stmt); stmt || text != "" {
				break
			}
		}
	} else if !s.unused(h.name) {
		return "no name is free for the mutex"
	}
	if text == "" {
		return "the source has no plain name for the object that has the map"
	}
	if s.text != "" && s.text != text {
		return refusal("two objects take part in " + s.f.Name)
	}
	s.text, s.base = text, base
	return ""
}
