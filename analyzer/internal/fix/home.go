package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
)

// A home is where the mutex is declared.
type home struct {
	src   *source
	vars  []*types.Var
	name  string
	at    token.Pos
	field bool
	typ   *types.Named
	// lock is the one that the struct has already, nil where a new one is declared.
	lock *types.Var
	// byPointer are methods whose receiver becomes a pointer.
	byPointer map[*ast.FuncDecl]bool
	// comment is what the comment on a new mutex says, where that is not the maps that it protects.
	comment string
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
	h := &home{src: src, field: true, typ: named}
	if beside := slices.DeleteFunc(slices.Clone(m.in.Guards.LocksBeside(v)), func(lock *types.Var) bool { return forItself(lock.Type()) }); len(beside) > 0 {
		if h.lock = m.inFront(st, beside, v); h.lock == nil {
			return nil, refusal("the struct has a lock already, and nothing tells whether it is meant for " + v.Name())
		}
	}
	at := -1
	for i, f := range st.Fields.List {
		for _, id := range f.Names {
			fv, _ := m.pass.TypesInfo.Defs[id].(*types.Var)
			if fv == nil || !isMap(fv.Type()) || m.open(fv) || !m.bare(fv, h.lock) {
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
	if h.lock == nil {
		h.byPointer = m.byPointer(named)
	}
	if refused := m.copiedBut(named, h.byPointer); refused != "" {
		return nil, refused
	}
	if h.lock != nil {
		h.name = h.lock.Name()
		return h, ""
	}
	h.name = "mu"
	if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, m.pass.Pkg, h.name); obj != nil {
		h.name = v.Name() + "Mu"
		if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, m.pass.Pkg, h.name); obj != nil {
			return nil, "no name is free for the mutex"
		}
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
			if gv != v && (gv == nil || !isMap(gv.Type()) || m.open(gv) || !m.shared(gv)) {
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
// others know the object, and mostly holds no lock meanwhile.
func (m *Maker) shared(v *types.Var) bool { return m.bare(v, nil) }

// bare is shared but for a lock that some accesses hold. Fewer than half may hold another one, which keeps apart what their
// functions do and not the accesses: a new mutex is taken under it, as any lock of a callee is. A lock that is a variable beside that of
// the map may be meant for it, as one in its struct may.
func (m *Maker) bare(v, but *types.Var) bool {
	written, beside, all, locked := false, false, 0, 0
	for _, pl := range m.in.Places {
		if pl.Loc.Var != v {
			continue
		}
		for i := range pl.Sites {
			s := &pl.Sites[i]
			if s.Exempt {
				continue
			}
			all++
			if slices.ContainsFunc(s.Held, func(h locks.Held) bool { return but == nil || h.Lock.Location().Var != but }) {
				locked++
			}
			beside = beside || slices.ContainsFunc(s.Held, func(h locks.Held) bool { return isBeside(h.Lock.Location().Var, v) })
			written = written || s.Acc.Op.Writes()
		}
	}
	return written && (but == nil && !beside && 2*locked < all || locked == 0)
}

// isBeside reports whether a lock is a package-level variable, as a map is.
func isBeside(lock, v *types.Var) bool {
	return lock != nil && !v.IsField() && !lock.IsField() && lock.Pkg() == v.Pkg()
}
