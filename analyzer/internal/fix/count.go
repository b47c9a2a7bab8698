package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
)

// countsAndWalks reports whether a map is counted at one of the places, and walked at
// another: who makes room for all, or waits for all, must meet as many.
func (s *scene) countsAndWalks(at func(*access.Access) bool) bool {
	counted := make(map[accesspath.Location]bool)
	walked := make(map[accesspath.Location]bool)
	for i := range s.f.Accesses {
		a := &s.f.Accesses[i]
		if at(a) && a.Op == access.Len && !s.onlyShown(a.Pos) {
			counted[a.Path.Location()] = true
		}
		if at(a) && a.Op == access.Range {
			walked[a.Path.Location()] = true
		}
	}
	for loc := range counted {
		if walked[loc] {
			return true
		}
	}
	return false
}

// onlyShown reports whether a count becomes a value of an interface, as those do
// that are printed, or a hint of a new map's size.
func (s *scene) onlyShown(pos token.Pos) bool {
	for i, n := range s.path(pos) {
		count, ok := n.(*ast.CallExpr)
		if !ok || !s.body.builtin(count, "len") {
			continue
		}
		call, ok := s.path(pos)[i+1].(*ast.CallExpr)
		if !ok {
			return false
		}
		if s.body.builtin(call, "make") {
			return isMap(s.body.info.TypeOf(call))
		}
		sig, ok := s.body.info.TypeOf(call.Fun).Underlying().(*types.Signature)
		return ok && sig.Variadic() && types.Identical(sig.Params().At(sig.Params().Len()-1).Type(), anySlice) && count.Pos() >= call.Args[min(sig.Params().Len(), len(call.Args))-1].Pos()
	}
	return false
}

// anySlice is the type of what functions that print are given.
var anySlice = types.NewSlice(types.Universe.Lookup("any").Type())

// joined makes one section of two that follow each other, where the first is released
// for the second to take it at once.
func (s *scene) joined(first, second []analysis.TextEdit) (_, _ []analysis.TextEdit) {
	for _, w := range []bool{false, true} {
		take, release := s.verbs(w)
		i := slices.IndexFunc(second, func(e analysis.TextEdit) bool { return strings.HasPrefix(string(e.NewText), take+"\n") })
		end := len(first) - 1
		if i < 0 || strings.TrimSpace(string(first[end].NewText)) != release {
			continue
		}
		second[i].NewText = []byte(strings.TrimLeft(strings.TrimPrefix(string(second[i].NewText), take), "\n\t "))
		return first[:end], second
	}
	return first, second
}
