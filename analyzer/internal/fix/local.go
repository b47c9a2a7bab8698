package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/threads"
	"github.com/mapguard/mapguard/analyzer/internal/witness"
)

// localMutex fixes a local map that goroutines share: a mutex beside it is held
// in the goroutines, and where their starter uses the map meanwhile.
//
// It is safe. The map is named in its function alone, so its uses are all there
// are: it is passed to nothing before they have ended, and its address is not taken. What the starter
// does before the first goroutine, and after it has waited for them, needs no
// lock. Each section ends by itself (see holdable), so who waits for the mutex
// gets it; none runs a function that is to take the mutex, too, as the literals may be.
func (m *Maker) localMutex(f check.Finding) (*analysis.SuggestedFix, refusal) {
	race, ok := f.Of.(*witness.RaceVerdict)
	if !ok || !race.Local() {
		return nil, "the map is no local one"
	}
	if m.lockedSomewhere(race) {
		return nil, "the map is used under a lock elsewhere, which a second one beside it would not make simpler"
	}
	s := m.scene(race.Starter, nil)
	if s == nil {
		return nil, "the source of the function is generated, or not at hand"
	}
	v := s.mapAt(race.A.Access.Pos)
	inBody := func() bool { return v != nil && within(s.body.block, v.Pos()) }
	if !inBody() {
		v = s.madeAt(race.Path)
	}
	if !inBody() {
		return nil, "the map is no variable of the function that starts the goroutines"
	}
	name := s.fresh(v.Name()+"Mu", "mu")
	mutex, edits := m.library(s, "sync", "Mutex")
	decl := s.declared(v)
	if name == "" || mutex == "" || decl == nil {
		return nil, "the map is not declared by a plain statement"
	}
	uses, refused := s.usesOf(v)
	if refused != "" {
		return nil, refused
	}
	edits = append(edits, insert(decl.Pos(), "var "+name+" "+mutex+"\n"+s.src.indent(decl.Pos())))
	covers, refused := m.covers(uses, m.newLock(name, v), name, race)
	if refused != "" {
		return nil, refused
	}
	for _, c := range covers {
		es, refused := c.edits()
		if refused != "" {
			return nil, refused
		}
		edits = append(edits, es...)
	}
	return &analysis.SuggestedFix{Message: "add a mutex " + name, TextEdits: edits}, ""
}

// lockedSomewhere reports whether a goroutine of the same starter uses the map of a race under a lock.
func (m *Maker) lockedSomewhere(race *witness.RaceVerdict) bool {
	return slices.ContainsFunc(m.visitsOf(race), func(v *threads.Visit) bool { return v.Op.Uses() && len(v.Held) > 0 })
}

// visitsOf returns what the goroutines of a race's starter do with its map.
func (m *Maker) visitsOf(race *witness.RaceVerdict) (out []*threads.Visit) {
	for _, v := range m.in.Sharing.Threads.Visits {
		if v.Thread.Starter == race.Starter && v.Path == race.Path {
			out = append(out, v)
		}
	}
	return out
}

// mapAt returns the variable that is indexed, deleted from or measured at a place.
func (s *scene) mapAt(pos token.Pos) *types.Var {
	for _, n := range s.src.enclosing(pos) {
		var x ast.Expr
		switch n := n.(type) {
		case *ast.IndexExpr:
			x = n.X
		case *ast.CallExpr:
			if s.body.builtin(n, "delete", "len", "clear") && len(n.Args) > 0 {
				x = n.Args[0]
			} else if sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && s.m.plainMethod(s.body.info.Selections[sel]) {
				x = sel.X
			}
		case *ast.RangeStmt:
			x = n.X
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 {
				if ix, ok := n.Lhs[0].(*ast.IndexExpr); ok {
					x = ix.X
				}
			}
		}
		if id, ok := x.(*ast.Ident); ok {
			if v, ok := s.body.info.Uses[id].(*types.Var); ok && isMap(v.Type()) {
				return v
			}
		}
	}
	return nil
}

// madeAt returns the variable that is defined as the map at which a path begins: the
// access stands in a method of the map.
func (s *scene) madeAt(path accesspath.Path) *types.Var {
	val := path.Root().Val
	if val == nil || !val.Pos().IsValid() {
		return nil
	}
	def, ok := s.stmtAt(val.Pos()).(*ast.AssignStmt)
	if !ok || len(def.Lhs) != 1 {
		return nil
	}
	id, ok := def.Lhs[0].(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := s.body.info.Defs[id].(*types.Var)
	if v == nil || !isMap(v.Type()) {
		return nil
	}
	return v
}

// declared returns the statement that declares a variable, if it stands in a list.
func (s *scene) declared(v *types.Var) ast.Stmt {
	ls := s.levels(v.Pos())
	if len(ls) == 0 {
		return nil
	}
	switch st := ls[len(ls)-1].stmt().(type) {
	case *ast.AssignStmt, *ast.DeclStmt:
		return st
	}
	return nil
}

// mapUses are the uses of a local map, by the function in which they stand.
type mapUses struct {
	funcs []*infer.Func
	ids   [][]*ast.Ident
}

func (u *mapUses) add(f *infer.Func, id *ast.Ident) {
	i := slices.Index(u.funcs, f)
	if i < 0 {
		i = len(u.funcs)
		u.funcs, u.ids = append(u.funcs, f), append(u.ids, nil)
	}
	u.ids[i] = append(u.ids[i], id)
}

func (u *mapUses) list() func(func(*infer.Func, []*ast.Ident) bool) {
	return func(yield func(*infer.Func, []*ast.Ident) bool) {
		for i, f := range u.funcs {
			if !yield(f, u.ids[i]) {
				return
			}
		}
	}
}

// usesOf returns the uses of a map; refused if it leaves the function.
func (s *scene) usesOf(v *types.Var) (*mapUses, refusal) {
	u := new(mapUses)
	for _, id := range s.body.uses(v) {
		parents := s.body.parents(id)
		if len(parents) < 2 || !s.indexed(id, parents[0], parents[1]) {
			if !s.leavesAfter(parents) {
				return nil, refusal(v.Name() + " is passed on")
			}
			continue
		}
		f := s.f
		for _, p := range parents {
			if lit, ok := p.(*ast.FuncLit); ok {
				if f = s.m.literal(lit); f == nil {
					return nil, "a function literal is not known"
				}
				break
			}
		}
		u.add(f, id)
	}
	return u, ""
}

// leavesAfter reports whether a map leaves the function that starts goroutines when none of them runs any more, nor
// is started later: as what it returns, where they end before it does, or by a call.
func (s *scene) leavesAfter(parents []ast.Node) bool {
	if s.literalAround(parents) != s.root {
		return false
	}
	switch p := parents[0].(type) {
	case *ast.ReturnStmt:
		return !slices.ContainsFunc(s.f.Calls, func(c summary.Call) bool { return c.Kind == summary.Goroutine && c.Leaves })
	case *ast.CallExpr:
		at := slices.IndexFunc(s.f.Calls, func(c summary.Call) bool { return c.Pos == p.Lparen && c.Kind == summary.Direct })
		return at >= 0 && !slices.ContainsFunc(s.f.Calls, func(c summary.Call) bool {
			return c.Kind == summary.Goroutine && (slices.Contains(c.After, at) || s.f.Flow.MayPrecede(s.f.Calls[at].Point, c.Point))
		})
	}
	return false
}

// indexed reports whether a name of a map is only looked into or changed.
func (s *scene) indexed(id *ast.Ident, parent, around ast.Node) bool {
	switch p := parent.(type) {
	case *ast.IndexExpr:
		return p.X == ast.Expr(id)
	case *ast.RangeStmt:
		return p.X == ast.Expr(id)
	case *ast.CallExpr:
		return s.body.builtin(p, "delete", "len", "clear")
	case *ast.SelectorExpr:
		call, ok := around.(*ast.CallExpr)
		return ok && call.Fun == ast.Expr(p) && s.m.plainMethod(s.body.info.Selections[p])
	}
	return false
}

// plainMethod reports whether a method of a map type looks into the map or changes
// it, and keeps it nowhere: it calls nothing unknown, its results are plain data,
// and none of its accesses gives the map away.
func (m *Maker) plainMethod(sel *types.Selection) bool {
	if sel == nil || sel.Kind() != types.MethodVal || !isMap(sel.Recv()) {
		return false
	}
	fn, ok := sel.Obj().(*types.Func)
	if !ok {
		return false
	}
	for v := range fn.Signature().Results().Variables() {
		if !basic(v.Type()) {
			return false
		}
	}
	sum := m.in.Pkg.Summary(any(fn.Origin()))
	if sum == nil || len(sum.Accesses) == 0 || sum.Spawns || sum.Own != nil && !sum.Own.Quiet() {
		return false
	}
	calm := sum.Calm
	if g := m.in.Pkg.Lookup(any(fn.Origin())); g != nil {
		calm = m.conduct.Calm(g)
	}
	return calm && !slices.ContainsFunc(sum.Accesses, func(a access.Access) bool { return !a.Op.Uses() && a.Op != access.Grow })
}

func (m *Maker) literal(lit *ast.FuncLit) *infer.Func {
	for _, g := range m.in.Pkg.Funcs {
		if g.SSA.Syntax() == ast.Node(lit) {
			return g
		}
	}
	return nil
}

// A useCover is a function that is to take the new mutex at its uses of a local map.
type useCover struct {
	*scene
	points []point
}

// covers returns the functions that are to take the mutex. Those uses of the starter that nothing runs beside are left
// out.
func (m *Maker) covers(uses *mapUses, lock *types.Var, name string, race *witness.RaceVerdict) (out []*useCover, why refusal) {
	takers := make(map[*infer.Func]bool)
	for g, ids := range uses.list() {
		c := &useCover{scene: m.scene(g, lock)}
		if c.scene == nil {
			return nil, "the source of a function literal is not at hand"
		}
		c.text, c.takers = name, takers
		for _, id := range ids {
			if g != race.Starter || m.beside(g, race, c.stmtAt(id.Pos())) {
				c.points = append(c.points, point{id.Pos(), true})
			}
		}
		if len(c.points) > 0 {
			takers[g] = true
			out = append(out, c)
		}
	}
	return out, ""
}

// edits takes the mutex around the uses in one function.
func (c *useCover) edits() ([]analysis.TextEdit, refusal) {
	if len(c.points) > 1 && c.dependent(c.points) {
		return c.cover(c.points, true)
	}
	return c.apart(c.points, func(region) bool { return false })
}

// dependent reports whether one use of the map in a function may depend on
// another one.
func (s *scene) dependent(points []point) bool {
	for _, p := range s.f.Pairs {
		c, a := &s.f.Accesses[p.Check], &s.f.Accesses[p.Act]
		if c.Pos != a.Pos && c.Path == a.Path {
			return true
		}
	}
	return false
}

// stmtAt returns the statement around a place.
func (s *scene) stmtAt(pos token.Pos) ast.Stmt {
	ls := s.levels(pos)
	if len(ls) == 0 {
		return nil
	}
	return ls[len(ls)-1].stmt()
}

// beside reports whether a statement of the starter may run beside a goroutine.
func (m *Maker) beside(g *infer.Func, race *witness.RaceVerdict, st ast.Stmt) bool {
	if st == nil {
		return true
	}
	in := func(a *access.Access) bool { return within(st, a.Pos) }
	for _, i := range race.A.Thread.Beside() {
		if in(&g.Accesses[i]) {
			return true
		}
	}
	known := slices.ContainsFunc(g.Accesses, func(a access.Access) bool { return in(&a) })
	return !known && st.Pos() > race.A.Thread.Start
}
