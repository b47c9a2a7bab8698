package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
)

// oneCopy covers the looks of a function at one map where what runs between them may take long: a copy is made under the lock
// in front of the first of them, and serves all.
//
// It is safe. The section makes the copy, which waits for nothing. All looks see the map as it was at one time, so what was
// counted is what is walked. What others change meanwhile the function saw only in a race, unless it waits for them in between; so it
// does not, nor does what it runs. What this goroutine changes itself it would see today: so nothing that it runs
// from the first look on writes the map. There is nothing to gain from a copy without a walk.
func (s *scene) oneCopy(r region, points []point) []analysis.TextEdit {
	maps, loc := s.lookedInto(r, points)
	if maps == nil || !s.unchangedMeanwhile(r, loc) {
		return nil
	}
	x := maps[0]
	name, indent := s.fresh(others["map"]...), s.src.indent(r.pos())
	text, edits := s.copied(name, x, indent)
	if name == "" || text == "" {
		return nil
	}
	for _, x := range maps {
		edits = append(edits, replace(x, name))
	}
	take, release := s.opens(x.Pos(), x.End(), false)
	return append(edits, insert(r.pos(), take+"\n"+indent+text+"\n"+indent+release+"\n"+indent))
}

// lookedInto returns the expressions that name the map at the places, if all of them are looks at one map that is walked, outside of
// loops but for the walks themselves, and the function has no other access to it.
func (s *scene) lookedInto(r region, points []point) (maps []ast.Expr, loc accesspath.Location) {
	if loc = s.placeOf(points[0].pos); !loc.Valid() || writes(points) {
		return nil, loc
	}
	walked := false
	for _, p := range points {
		x := s.operand(p.pos, "len")
		if x == nil || len(maps) > 0 && !s.body.same(x, maps[0]) || s.twice(r, p.pos, x) {
			return nil, loc
		}
		maps = append(maps, x)
	}
	for i := range s.f.Accesses {
		a := &s.f.Accesses[i]
		if a.Path.Location() == loc && !slices.Contains(positions(points), a.Pos) {
			return nil, loc
		}
		walked = walked || a.Path.Location() == loc && a.Op == access.Range
	}
	t := s.body.info.TypeOf(maps[0])
	if !walked || !s.plain(maps[0]) || !s.leadsOn(maps[0]) || !isMap(t) || isMap(t.Underlying().(*types.Map).Elem()) {
		return nil, loc
	}
	return maps, loc
}

// twice reports whether a place in a region may be come to twice, as one in a loop is that begins there, or whether it is not in the
// region's own course: what a loop walks is evaluated once.
func (s *scene) twice(r region, pos token.Pos, walked ast.Expr) bool {
	if s.body.jumps() {
		return true
	}
	for _, n := range s.path(pos) {
		if !r.has(n.Pos()) {
			break
		}
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.X != walked {
				return true
			}
		case *ast.ForStmt:
			return true
		}
	}
	return false
}

// unchangedMeanwhile reports whether a map that is looked at in a region changes there by the deed of others alone: nothing
// that the goroutine runs writes it, and nothing waits for another goroutine of the module.
func (s *scene) unchangedMeanwhile(r region, loc accesspath.Location) bool {
	in := func(p token.Pos) bool { return r.has(p) }
	runs := s.m.conduct.From(s.f, in)
	writes := func(g *infer.Func) bool { return s.m.writes(g, loc) && (g == s.f || runs.Enters(g)) }
	if slices.ContainsFunc(s.m.in.Pkg.Funcs, writes) {
		return false
	}
	return !s.waits(in)
}

// waits reports whether what a function runs at some places may wait for another goroutine of the module.
func (s *scene) waits(at func(token.Pos) bool) bool {
	e := s.m.conduct.Slow(s.f, func(spot conduct.Spot) bool { return at(spot.Pos) }, s.m.besides, s.m.quick)
	return e.Stay != nil
}

// leadsOn reports whether the words for a map name the same one as long as no place with a map is assigned: the variables and fields
// that lead to it are variables of the function, or are not assigned once they are made.
func (s *scene) leadsOn(x ast.Expr) bool {
	for first := true; ; first = false {
		switch e := ast.Unparen(x).(type) {
		case *ast.StarExpr:
			x = e.X
		case *ast.SelectorExpr:
			field, ok := s.body.info.Selections[e]
			if !ok {
				return first // a variable of a package
			}
			if v, ok := field.Obj().(*types.Var); !first && (!ok || !s.m.setWhileMade(v)) {
				return false
			}
			x = e.X
		case *ast.Ident:
			return first || !s.packageVar(e)
		default:
			return false
		}
	}
}

// packageVar reports whether a name is that of a variable of a package.
func (s *scene) packageVar(id *ast.Ident) bool {
	v, ok := s.body.info.Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}
