package records

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// walk notes what code outside the module calls of the parts of a value that it gets by an
// interface: an encoder asks each field for its form.
func (g *gatherer) walk(from outside.Name, made *ssa.MakeInterface) {
	if _, own := g.own(made.Type()); own {
		return
	}
	methods := g.walkedIn(made.X.Type())
	g.boxers(from, methods)
	for _, m := range methods {
		g.opened(m, outside.Sought)
		g.offeredSometime(m)
	}
}

// walkedIn returns the methods of the parts of a type's values that code calls which goes
// through them by reflection.
func (g *gatherer) walkedIn(t types.Type) []*types.Func {
	methods, ok := g.walked[t]
	if !ok {
		for _, part := range model.Contents(t, g.inModule) {
			for _, m := range g.methodsOf(part) {
				if model.Walked(m) {
					methods = append(methods, m)
				}
			}
		}
		g.walked[t] = methods
	}
	return methods
}
