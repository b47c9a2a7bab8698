package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// A refusal says why there is no fix, as the end of a sentence; "" if there is
// nothing against it.
type refusal string

// A scene is one function with its source, in which a fix takes a lock.
type scene struct {
	m    *Maker
	f    *infer.Func
	src  *source
	body *body
	// root is the declaration or the literal.
	root ast.Node
	// lock is the lock's field or variable, text how the source writes it here,
	// read says that looks can share it.
	lock *types.Var
	text string
	base ast.Expr // of a field: the object that has it
	read bool
	// across: the lock is documented to be held over unknown calls.
	across bool
	// widens: a section becomes longer, where it keeps others from no look of its own that could
	// stand before it.
	widens bool
	// under are the places at which what the function does is done under the lock already.
	under map[locks.Mode]map[token.Pos]bool
	// reads: the new section only reads, and takes the lock for reading.
	reads bool
	// moved: what names the object of an access may be another one by then.
	moved bool
	// gives is the statement that gives back a map of which it is to give a copy; nil if there is none.
	// givesToo is a result of which the same is to become of a function that does more than to give it back.
	gives    *ast.ReturnStmt
	givesToo ast.Expr
	// fetched: a section is to cover where its map was read from its field, too.
	fetched bool
	// barred are places that get a section of their own, which no other covers.
	barred []token.Pos
	// then is what the section at a look does behind it, with the indent of what follows; "" if that is nothing.
	then string
	// given are the names that the fix brings in, inLists those of them that are a list of statements' own, with the lists.
	given   []string
	inLists map[string][]region
	// repeats are the expressions that name once more what the condition of an if
	// statement looked up.
	repeats map[ast.Stmt][]ast.Expr
	// vars are the maps that count as the lock's in any case: the finding's, or
	// those that get a lock.
	vars []*types.Var
	// takers are the functions that are to take the lock, where it is a new one, and patient
	// says that it may be held while a call takes long: see slow.
	takers  map[*infer.Func]bool
	patient bool
}

// lockOf returns the lock that is to be held for a finding: the map's guard, or
// the lock by the map that most accesses hold that hold one.
func (m *Maker) lockOf(f check.Finding) *types.Var {
	if f.Guard != nil {
		return f.Guard.Lock
	}
	if !f.Loc.Valid() {
		return nil
	}
	var order []*types.Var
	held, locked := make(map[*types.Var]int), 0
	pl := m.in.Place(f.Loc)
	for i := range pl.Sites {
		site := &pl.Sites[i]
		near := witness.Near(m.in.Guards.Plausible(site.Held, site.Acc.Path), site.Acc.Path)
		if site.Exempt || len(near) == 0 {
			continue
		}
		locked++
		for _, h := range near {
			if l := h.Lock.Location().Var; l != nil && !locks.ApartOnly(h.Lock) {
				if held[l]++; held[l] == 1 {
					order = append(order, l)
				}
			}
		}
	}
	for _, l := range order {
		if held[l] > 1 && 4*held[l] >= 3*locked {
			return l
		}
	}
	return nil
}

// scene opens a function; nil if its source is not there as it was analysed.
func (m *Maker) scene(f *infer.Func, lock *types.Var) *scene {
	root := f.SSA.Syntax()
	if root == nil {
		return nil
	}
	s := &scene{m: m, f: f, src: m.source(root.Pos()), body: &body{info: m.pass.TypesInfo}, root: root, lock: lock}
	switch n := root.(type) {
	case *ast.FuncDecl:
		s.body.typ, s.body.block = n.Type, n.Body
	case *ast.FuncLit:
		s.body.typ, s.body.block = n.Type, n.Body
	}
	if s.src == nil || s.body.block == nil || generated(s.src.file) {
		return nil
	}
	return s
}

// unread says why a function opens no scene.
func unread(f *infer.Func) refusal {
	if _, body := f.SSA.Syntax().(*ast.RangeStmt); body {
		return "the steps stand in a loop over a function"
	}
	return "the source of the function is generated, or not at hand"
}

func generated(f *ast.File) bool { return ast.IsGenerated(f) }

// A level is a list of statements around a place, and which of them it is in.
type level struct {
	list []ast.Stmt
	at   int
}

func (l level) stmt() ast.Stmt { return l.list[l.at] }

// within reports whether a place stands in a node.
func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// levels returns the lists around a place of the function's own code, the
// outermost first. Places in other literals have none.
func (s *scene) levels(pos token.Pos) []level {
	var out []level
	for _, n := range s.path(pos) {
		for i, stmt := range statements(n) {
			if within(stmt, pos) {
				out = append(out, level{statements(n), i})
			}
		}
	}
	slices.Reverse(out)
	return out
}

// path returns the nodes around a place up to the function, the innermost
// first; nil for a place in another literal.
func (s *scene) path(pos token.Pos) []ast.Node {
	var out []ast.Node
	for _, n := range s.src.enclosing(pos) {
		if n == s.root {
			return out
		}
		if _, lit := n.(*ast.FuncLit); lit {
			return nil
		}
		out = append(out, n)
	}
	return nil
}

// A region is a run of statements of one list.
type region struct {
	list     []ast.Stmt
	from, to int // both in it
	// ends: the function ends with it.
	ends bool
}

func (r region) first() ast.Stmt      { return r.list[r.from] }
func (r region) last() ast.Stmt       { return r.list[r.to] }
func (r region) stmts() []ast.Stmt    { return r.list[r.from : r.to+1] }
func (r region) pos() token.Pos       { return r.first().Pos() }
func (r region) end() token.Pos       { return r.last().End() }
func (r region) has(p token.Pos) bool { return r.pos() <= p && p < r.end() }

// common returns the smallest region that holds all places.
func (s *scene) common(points []token.Pos) (region, bool) {
	var around []level
	var out region
	for i, p := range points {
		ls := s.levels(p)
		if len(ls) == 0 {
			return out, false
		}
		if i == 0 {
			around = ls
			l := ls[len(ls)-1]
			out = region{list: l.list, from: l.at, to: l.at}
			continue
		}
		n := 0
		for n < len(ls) && n < len(around) && &ls[n].list[0] == &around[n].list[0] {
			n++
			if ls[n-1].at != around[n-1].at {
				break
			}
		}
		if n == 0 {
			return out, false
		}
		a, b := around[n-1].at, ls[n-1].at
		if &out.list[0] == &ls[n-1].list[0] {
			a, out.to = min(out.from, b), max(out.to, b)
			out.from = a
		} else {
			out = region{list: ls[n-1].list, from: min(a, b), to: max(a, b)}
		}
		around = around[:n]
	}
	out.ends = s.endsWith(out)
	return out, len(points) > 0
}

// toEnd lengthens a region to the end of its list, where that is the end of the
// function: a deferred release then ends the section with it.
func (s *scene) toEnd(r region) (region, bool) {
	r.to = len(r.list) - 1
	r.ends = s.endsWith(r)
	return r, r.ends
}

// endsWith reports whether the function ends where a region does.
func (s *scene) endsWith(r region) bool {
	if r.to != len(r.list)-1 {
		return false
	}
	if &s.body.block.List[0] == &r.list[0] {
		return true
	}
	_, returns := r.last().(*ast.ReturnStmt)
	return returns
}

// exits returns the statements by which a region is left before its end, and
// whether all of them are of a kind that a release can stand before.
func exits(stmts []ast.Stmt) (out []ast.Stmt, ok bool) {
	ok = true
	var visit func(n ast.Node, loop, brk bool)
	visit = func(n ast.Node, loop, brk bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			if m == nil || m == n {
				return true
			}
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				out = append(out, m)
			case *ast.BranchStmt:
				switch {
				case m.Label != nil || m.Tok == token.GOTO:
					ok = false
				case m.Tok == token.BREAK && !brk, m.Tok == token.CONTINUE && !loop:
					out = append(out, m)
				}
			case *ast.ForStmt, *ast.RangeStmt:
				visit(m, true, true)
				return false
			case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				visit(m, loop, true)
				return false
			}
			return true
		})
	}
	for _, s := range stmts {
		visit(&ast.BlockStmt{List: []ast.Stmt{s}}, false, false)
	}
	return out, ok
}

func unlabeled(s ast.Stmt) ast.Stmt {
	if l, ok := s.(*ast.LabeledStmt); ok {
		return l.Stmt
	}
	return s
}

// terminates reports whether nothing follows a statement.
func terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return len(s.List) > 0 && terminates(s.List[len(s.List)-1])
	case *ast.IfStmt:
		return s.Else != nil && terminates(s.Body) && terminates(s.Else)
	case *ast.ForStmt:
		return s.Cond == nil && !breaks(s.Body)
	case *ast.SwitchStmt:
		return !breaks(s.Body) && allTerminate(s.Body, true)
	case *ast.TypeSwitchStmt:
		return !breaks(s.Body) && allTerminate(s.Body, true)
	case *ast.SelectStmt:
		return !breaks(s.Body) && allTerminate(s.Body, false)
	case *ast.LabeledStmt:
		return terminates(s.Stmt)
	}
	return false
}

// allTerminate reports whether nothing follows the clauses of a switch or select
// statement; a switch has one for the rest, too.
func allTerminate(body *ast.BlockStmt, rest bool) bool {
	for _, c := range body.List {
		var list []ast.Stmt
		switch c := c.(type) {
		case *ast.CaseClause:
			list, rest = c.Body, rest && c.List != nil
		case *ast.CommClause:
			list = c.Body
		}
		if len(list) == 0 || !terminates(list[len(list)-1]) {
			return false
		}
	}
	return !rest
}

// breaks reports whether a break statement leaves the loop or switch with a body, or
// may leave it by a label.
func breaks(body *ast.BlockStmt) bool {
	found := false
	var visit func(n ast.Node, inner bool)
	visit = func(n ast.Node, inner bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.BranchStmt:
				found = found || m.Tok == token.BREAK && (!inner || m.Label != nil)
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if m != n {
					visit(m, true)
					return false
				}
			}
			return true
		})
	}
	visit(body, false)
	return found
}

// after returns where a statement ends with the comment behind it.
func (s *source) after(n ast.Node) token.Pos {
	end := n.End()
	for _, g := range s.file.Comments {
		if g.Pos() >= end && s.line(g.Pos()) == s.line(end) && s.line(g.End()) == s.line(end) {
			return g.End()
		}
	}
	return end
}

// lacking returns the accesses of the function to what the lock guards that are
// made without it: the finding's own, and the others of its function.
func (s *scene) lacking() []*access.Access {
	var out []*access.Access
	for i := range s.f.Accesses {
		a := &s.f.Accesses[i]
		loc := a.Path.Location()
		own := loc.Valid() && infer.Own(a)
		// What runs once may run beside others, which a new lock is to keep apart.
		needless := a.Fresh || a.Spawned || a.Once && s.takers == nil
		if !own || needless || !a.Op.Uses() || a.Op.Concurrent() {
			continue
		}
		if !s.guards(loc) || s.f.Owns(a) || s.holds(a) {
			continue
		}
		out = append(out, a)
	}
	return out
}

// guards reports whether the lock protects a place.
func (s *scene) guards(loc accesspath.Location) bool {
	if slices.Contains(s.vars, loc.Var) {
		return true
	}
	g := s.m.in.Guards.Of(loc)
	return g != nil && g.Lock == s.lock
}

// holds reports whether the lock is held at an access.
func (s *scene) holds(a *access.Access) bool {
	return s.among(s.f.Effective(a))
}

// among reports whether the lock is one of those held.
func (s *scene) among(held []locks.Held) bool {
	return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lock.Location().Var == s.lock })
}

// perhaps reports whether the lock may be held at an access on some path, or by
// some caller: taking it there could wait forever.
func (s *scene) perhaps(a *access.Access) bool {
	if s.holds(a) {
		return false
	}
	taken := slices.ContainsFunc(a.Held.Locks(), func(l locks.Lock) bool {
		return l.Can&locks.Taken != 0 && l.Path.Location().Var == s.lock
	})
	return taken || slices.Contains(s.f.PerhapsAt(a), s.lock)
}
