package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// localLock fixes goroutines of which some use a map of their starter's under a mutex that
// is a variable of the starter, too, and others without: these take it as well.
//
// It is safe. The mutex is named in its function alone, and only to take and to release
// it, so its sections are all there are. None of them has the new place in it, nor runs the
// function in which that stands, so no goroutine takes it twice; none waits for anything,
// as for the goroutine that is to take it. Nothing else is held
// where a goroutine takes it anew, and the new sections take nothing, so no order of locks comes
// in; each is one statement that ends by itself (see holdable). Where the starter itself uses
// the map beside the goroutines, it takes the mutex as well: callers may hold locks there, so
// none of the mutex's sections takes one. Those that are over before another goroutine can know the mutex do not count.
func (m *Maker) localLock(f check.Finding) (*analysis.SuggestedFix, refusal) {
	race, ok := f.Of.(*witness.RaceVerdict)
	if !ok || !race.Local() {
		return nil, ""
	}
	starter := m.scene(race.Starter, nil)
	if starter == nil {
		return nil, ""
	}
	mutex, bare := m.parted(race)
	if mutex == nil {
		return nil, ""
	}
	if !starter.declares(mutex) {
		return nil, refusal(mutex.Name() + " is no plain variable of the function that starts the goroutines")
	}
	sections, ok := starter.sectionsOf(mutex)
	if !ok {
		return nil, refusal(mutex.Name() + " is handed on, or taken in a way that is not plain")
	}
	var edits []analysis.TextEdit
	for _, at := range starter.byFunction(bare) {
		es, refused := m.coverPlaces(starter, mutex, sections, at)
		if es == nil {
			return nil, refused
		}
		edits = append(edits, es...)
	}
	return &analysis.SuggestedFix{Message: "hold " + mutex.Name(), TextEdits: edits}, ""
}

// declares reports whether a mutex is a variable of the function, by value.
func (s *scene) declares(mutex *types.Var) bool {
	_, pointer := types.Unalias(mutex.Type()).(*types.Pointer)
	return !pointer && within(s.body.block, mutex.Pos())
}

// A stretch is what the function of a literal, or the starter itself, does in a section.
type stretch struct {
	in       ast.Node // the literal, or the declaration
	from, to token.Pos
}

// sectionsOf returns the sections of a local mutex; not ok if anything else is done with
// it than to take it in one statement, and to release it by a later one of the same list
// or by defer at once.
func (s *scene) sectionsOf(mutex *types.Var) (out []stretch, ok bool) {
	released := 0
	uses := s.body.uses(mutex)
	for _, id := range uses {
		around := s.body.parents(id)
		name, st, list := s.lockCall(around)
		if st == nil {
			return nil, false
		}
		if name != "Lock" && name != "RLock" {
			continue // counted with what takes it
		}
		i := slices.Index(list, st)
		if _, plain := st.(*ast.ExprStmt); !plain || i < 0 || i+1 == len(list) {
			return nil, false
		}
		end := token.NoPos
		root := s.literalAround(around)
		if d, deferred := list[i+1].(*ast.DeferStmt); deferred && s.releases(d, mutex) {
			end = root.End()
		}
		for _, later := range list[i+1:] {
			if !end.IsValid() && s.releases(later, mutex) {
				end = later.Pos()
			}
		}
		if !end.IsValid() {
			return nil, false
		}
		released++
		out = append(out, stretch{root, st.End(), end})
	}
	return out, released > 0
}

// lockCall returns the method that a statement calls on the mutex whose name stands in
// it, and the list in which the statement stands.
func (s *scene) lockCall(around []ast.Node) (name string, st ast.Stmt, list []ast.Stmt) {
	if len(around) < 4 {
		return "", nil, nil
	}
	sel, ok := around[0].(*ast.SelectorExpr)
	call, isCall := around[1].(*ast.CallExpr)
	if !ok || !isCall || call.Fun != ast.Expr(sel) {
		return "", nil, nil
	}
	switch sel.Sel.Name {
	case "Lock", "Unlock", "RLock", "RUnlock":
	default:
		return "", nil, nil
	}
	switch st := around[2].(type) {
	case *ast.ExprStmt, *ast.DeferStmt:
		return sel.Sel.Name, st.(ast.Stmt), statements(around[3])
	}
	return "", nil, nil
}

// releases reports whether a statement releases a local mutex, or puts that off.
func (s *scene) releases(st ast.Stmt, mutex *types.Var) bool {
	var call *ast.CallExpr
	switch st := st.(type) {
	case *ast.ExprStmt:
		call, _ = st.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		call = st.Call
	}
	if call == nil {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Unlock" && sel.Sel.Name != "RUnlock" {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && s.body.info.Uses[id] == mutex
}

// literalAround returns the innermost literal of a path, the function itself if there is
// none.
func (s *scene) literalAround(around []ast.Node) ast.Node {
	for _, n := range around {
		if lit, ok := n.(*ast.FuncLit); ok {
			return lit
		}
	}
	return s.root
}

// places are accesses in the code of one literal, or of the starter itself, each once.
type places struct {
	lit     *ast.FuncLit
	starter bool
	at      []point
}

// byFunction parts accesses by the literal in which they stand. One that a literal makes
// which is handed to a call is seen in the function around that, too.
func (s *scene) byFunction(uses []bareUse) (out []*places) {
	for _, u := range uses {
		p := point{u.at.Pos, true}
		var lit *ast.FuncLit
		if within(s.body.block, p.pos) {
			lit, _ = s.literalAround(s.src.enclosing(p.pos)).(*ast.FuncLit)
		}
		if u.starter {
			p.writes = u.at.Op.Writes()
		}
		i := slices.IndexFunc(out, func(p *places) bool { return p.lit == lit && p.starter == u.starter })
		if i < 0 {
			i = len(out)
			out = append(out, &places{lit: lit, starter: u.starter})
		}
		if !slices.ContainsFunc(out[i].at, func(q point) bool { return q.pos == p.pos }) {
			out[i].at = append(out[i].at, p)
		}
	}
	return out
}

// coverPlaces takes a local mutex at the accesses of one literal, or of the starter.
func (m *Maker) coverPlaces(starter *scene, mutex *types.Var, sections []stretch, at *places) ([]analysis.TextEdit, refusal) {
	g := starter.f
	switch {
	case at.starter && at.lit != nil:
		return nil, "a function literal that runs in place uses the map without the lock"
	case at.lit == nil && !at.starter:
		return nil, "an access without the lock stands in another function"
	case at.lit != nil:
		if g = m.literal(at.lit); g == nil {
			return nil, "a function literal is not known"
		}
	}
	s := m.scene(g, mutex)
	if s == nil {
		return nil, "the source of a function literal is not at hand"
	}
	s.text = mutex.Name()
	s.read = at.starter && hasMethod(mutex.Type(), m.pass.Pkg, "RLock")
	for _, p := range at.at {
		scope := m.pass.Pkg.Scope().Innermost(p.pos)
		st := s.stmtAt(p.pos)
		if st == nil || scope == nil {
			return nil, "an access stands in another function literal"
		}
		if _, obj := scope.LookupParent(mutex.Name(), p.pos); obj != types.Object(mutex) {
			return nil, refusal(mutex.Name() + " means something else at an access")
		}
		does := m.conduct.Of(g, func(at conduct.Spot) bool { return at.Made != mutex && within(st, at.Pos) }, nil)
		if does.Odd || len(does.Takes) > 0 {
			return nil, "another lock would be taken under the new section"
		}
	}
	for _, x := range sections {
		if starter.unknownYet(x, mutex) {
			continue
		}
		if refused := m.runsIn(starter, x, g, at); refused != "" {
			return nil, refused
		}
	}
	if len(at.at) > 1 && s.dependent(at.at) {
		return nil, "the accesses depend on each other"
	}
	return s.apart(at.at, func(region) bool { return false })
}

// runsIn reports whether a section has one of some places in it, or runs the function in
// which they stand.
func (m *Maker) runsIn(starter *scene, x stretch, g *infer.Func, at *places) refusal {
	within := func(p token.Pos) bool { return x.from <= p && p < x.to }
	if slices.ContainsFunc(at.at, func(p point) bool { return within(p.pos) }) {
		return "an access may stand in a section already"
	}
	for _, f := range m.in.Pkg.Funcs {
		if f.SSA.Syntax() != x.in {
			continue
		}
		if m.conduct.From(f, within).Enters(g) {
			return refusal("a section of the lock may run " + g.Name)
		}
		does := m.conduct.Of(f, func(at conduct.Spot) bool { return within(at.Pos) }, func(by *infer.Func, st *summary.Stay) bool {
			return m.quick(by, st) || by == f && starter.givesBack(st.Pos, x.in)
		})
		if does.Stay != nil {
			return "a section of the lock waits, and may wait for what is to take it"
		}
		if at.starter && (does.Odd || len(does.Takes) > 0) {
			return "a section of the lock takes another lock, which a caller may hold"
		}
		return ""
	}
	return "a function literal is not known"
}

// givesBack reports whether a place receives from a local channel with room what the same
// run of a literal has sent there before: then there is something in it, and nothing is
// waited for. The channel has no other use.
func (s *scene) givesBack(pos token.Pos, root ast.Node) bool {
	lit, ok := root.(*ast.FuncLit)
	if !ok {
		return false
	}
	var v *types.Var
	for _, n := range s.src.enclosing(pos) {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW && u.OpPos == pos {
			if id, ok := ast.Unparen(u.X).(*ast.Ident); ok {
				v, _ = s.body.info.Uses[id].(*types.Var)
			}
		}
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		}
		if n == root {
			break
		}
	}
	if v == nil || !s.declares(v) || !s.once(v) || len(s.body.uses(v)) != 2 {
		return false
	}
	made := asCall(s.definedAs(v))
	if made == nil || !s.body.builtin(made, "make") || len(made.Args) != 2 {
		return false
	}
	return slices.ContainsFunc(lit.Body.List, func(st ast.Stmt) bool {
		send, ok := st.(*ast.SendStmt)
		if !ok || send.End() > pos {
			return false
		}
		id, ok := send.Chan.(*ast.Ident)
		return ok && s.body.info.Uses[id] == v
	})
}
