package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/conduct"
)

// verbs returns the calls that take and release the lock.
func (s *scene) verbs(writes bool) (take, release string) {
	if s.read && !writes {
		return s.text + ".RLock()", s.text + ".RUnlock()"
	}
	return s.text + ".Lock()", s.text + ".Unlock()"
}

// opens notes a section that a fix makes of a stretch of the function, and returns the calls that
// take and release the lock.
func (s *scene) opens(from, to token.Pos, writes bool) (take, release string) {
	s.m.opened = append(s.m.opened, conduct.Section{In: s.f, Lock: s.lock, From: from, To: to})
	return s.verbs(writes)
}

// apartFromOthers reports what speaks against the fix at hand beside those that are made already, and
// notes its sections if nothing does: later fixes are asked for what must hold with them in place.
func (m *Maker) apartFromOthers() refusal {
	if o := m.conduct.Meets(m.opened); o != nil {
		return refusal(fmt.Sprintf("another fix of this run takes %s there (line %d)", o.Lock.Name(), m.in.Line(o.From)))
	}
	m.conduct.Make(m.opened)
	return ""
}

// a mutexOf tells new mutexes apart: by the first of the maps that one is for, and how many there are.
type mutexOf struct {
	first *types.Var
	n     int
}

// newLock returns the variable that stands for a new mutex: the same one for each finding that asks for it.
func (m *Maker) newLock(name string, vars ...*types.Var) *types.Var {
	key := mutexOf{vars[0], len(vars)}
	if m.mutexes[key] == nil {
		m.mutexes[key] = types.NewVar(token.NoPos, m.pass.Pkg, name, types.Typ[types.Invalid])
	}
	return m.mutexes[key]
}

// sectionToEnd takes the lock before a region, and releases it where the
// function ends.
func (s *scene) sectionToEnd(r region, writes bool) []analysis.TextEdit {
	take, release := s.opens(r.pos(), r.end(), writes)
	indent := s.src.indent(r.pos())
	return []analysis.TextEdit{insert(r.pos(), take+"\n"+indent+"defer "+release+"\n"+indent)}
}

// sectionAround takes the lock before a region, and releases it after it and
// before each statement that leaves it; with the function, where that ends with the region and
// what is called in it may panic.
func (s *scene) sectionAround(r region, writes bool, points []token.Pos) ([]analysis.TextEdit, refusal) {
	if s.endsWith(r) && s.deferrable() && slices.ContainsFunc(r.stmts(), func(st ast.Stmt) bool { return s.body.calls(st, st.Pos(), st.End()) }) {
		return s.sectionToEnd(r, writes), ""
	}
	take, release := s.verbs(writes)
	indent := s.src.indent(r.pos())
	out, ok := exits(r.stmts())
	if !ok {
		return nil, "a jump leaves the section"
	}
	edits := []analysis.TextEdit{insert(r.pos(), take+"\n"+indent)}
	for _, e := range out {
		if slices.ContainsFunc(points, func(p token.Pos) bool { return within(e, p) }) {
			read := s.readReturned(e, points, release)
			if read == nil {
				return nil, "what is returned is read from the map in the middle of the section"
			}
			edits = append(edits, read...)
			continue
		}
		if !s.simple(e) {
			return nil, "a return in the section computes what it returns"
		}
		edits = append(edits, insert(e.Pos(), release+"\n"+s.src.indent(e.Pos())))
	}
	if !terminates(r.last()) {
		edits = append(edits, insert(s.src.after(r.last()), "\n"+indent+release))
	}
	s.opens(r.pos(), r.end(), writes)
	return edits, ""
}

// readReturned reads what a return in a section returns of the map before the lock is
// released; nil if it is not read in any case, before anything with an effect.
func (s *scene) readReturned(e ast.Stmt, at []token.Pos, release string) []analysis.TextEdit {
	ret, ok := e.(*ast.ReturnStmt)
	if !ok {
		return nil
	}
	var points []point
	for _, p := range at {
		if within(e, p) {
			points = append(points, point{pos: p})
		}
	}
	for i, x := range ret.Results {
		before := slices.ContainsFunc(ret.Results[:i], func(e ast.Expr) bool { return s.body.calls(e, e.Pos(), e.End()) })
		if before || !inside(x, points) {
			continue
		}
		part := s.part(x, points)
		if part == nil || s.holdable(part.Pos(), part.End(), nil) != "" {
			return nil
		}
		t := s.body.info.TypeOf(part)
		name := s.fresh(others[kindOf(t)]...)
		if _, tuple := t.(*types.Tuple); tuple || name == "" {
			return nil
		}
		indent := s.src.indent(ret.Pos())
		return []analysis.TextEdit{
			insert(ret.Pos(), name+" := "+s.src.of(part)+"\n"+indent+release+"\n"+indent),
			replace(part, name),
		}
	}
	return nil
}

// simple reports whether a statement that leaves a section needs it no more:
// what it returns is names, constants, and what pure calls make of them.
func (s *scene) simple(e ast.Stmt) bool {
	ret, ok := e.(*ast.ReturnStmt)
	if !ok {
		return true
	}
	return s.holdable(ret.Pos(), ret.End(), nil) == ""
}

// mentions reports whether a node names one of the functions' variables.
func (b *body) mentions(n ast.Node, match func(id *ast.Ident) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && match(id) {
			found = true
		}
		return !found
	})
	return found
}

// inScope reports whether the words for the lock mean the same at the start of
// a region as at the access.
func (s *scene) inScope(at token.Pos) bool {
	if s.base == nil {
		return true
	}
	id := s.base
	for {
		switch x := id.(type) {
		case *ast.SelectorExpr:
			id = x.X
			continue
		case *ast.ParenExpr:
			id = x.X
			continue
		case *ast.StarExpr:
			id = x.X
			continue
		}
		break
	}
	name, ok := id.(*ast.Ident)
	if !ok {
		return false
	}
	obj := s.body.info.Uses[name]
	if obj == nil {
		obj = s.body.info.Defs[name]
	}
	scope := s.m.pass.Pkg.Scope().Innermost(at)
	if scope == nil || obj == nil {
		return false
	}
	_, here := scope.LookupParent(name.Name, at)
	return here == obj
}

// fresh returns the first of some names that the function does not use, and
// keeps it for this fix; "" if it uses all of them.
func (s *scene) fresh(names ...string) string {
	for _, name := range names {
		if s.unused(name) {
			s.given = append(s.given, name)
			return name
		}
	}
	for i := 2; i < 10 && len(names) > 0; i++ {
		if name := names[0] + strconv.Itoa(i); s.unused(name) {
			s.given = append(s.given, name)
			return name
		}
	}
	return ""
}

// freshAt is fresh for a variable of the list of statements in which a region stands: another one of the fix may have the same name in a
// list beside it.
func (s *scene) freshAt(r region, names ...string) string {
	list := region{list: r.list, to: len(r.list) - 1}
	beside := func(o region) bool { return o.end() <= list.pos() || list.end() <= o.pos() }
	for _, name := range names {
		if at := s.inLists[name]; len(at) > 0 && !slices.ContainsFunc(at, func(o region) bool { return !beside(o) }) {
			s.inLists[name] = append(at, list)
			return name
		}
	}
	name := s.fresh(names...)
	if s.inLists == nil {
		s.inLists = make(map[string][]region)
	}
	s.inLists[name] = append(s.inLists[name], list)
	return name
}

func (s *scene) unused(name string) bool {
	if slices.Contains(s.given, name) {
		return false
	}
	used := s.body.mentions(s.root, func(id *ast.Ident) bool { return id.Name == name })
	return !used && s.m.pass.Pkg.Scope().Lookup(name) == nil
}

// without takes an operation's statement away, with its line if nothing else
// stands there.
func (s *scene) without(o *operation) analysis.TextEdit {
	st := o.level.stmt()
	from, to := st.Pos(), s.src.after(st)
	if to != st.End() {
		return remove(from, st.End()) // a comment stays
	}
	if line := s.src.wholeLine(from, to); line.IsValid() {
		return remove(line, s.src.nextLine(to))
	}
	return remove(from, to)
}
