package witness

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/model"
)

// OneStep returns the method of a concurrent map that does what the two steps of a pair do, by its name there; "" if no one method
// does, or the map has none in the given version of Go.
//
// LoadOrStore keeps the entry that is there, so it stands only for a step that is made where the look found none. CompareAndSwap and
// CompareAndDelete do nothing where there is none. Where the step is made in both cases, neither is enough.
func (v *Verdict) OneStep(goVersion string) string {
	check, act := v.Check.Key, v.Act.Key
	if v.NoMethod() || check.Known() && act.Known() && check != act {
		return ""
	}
	p, name := v.Pair, ""
	switch {
	case v.Act.Op == access.Remove && p.Has(depend.Content):
		name = "CompareAndDelete"
	case v.Act.Op == access.Remove:
		name = "LoadAndDelete"
	case v.Replaces() && p.Polarity != depend.Absent:
		name = "CompareAndSwap"
	case p.Polarity == depend.Absent:
		name = "LoadOrStore"
	}
	return model.OneStep(mapType(v.Act), name, goVersion)
}

// mapType returns the type of the concurrent map of an access, nil if its place does not tell.
func mapType(a *access.Access) types.Type {
	if loc := a.Path.Location(); loc.Var != nil && loc.Elems == 0 {
		return loc.Var.Type()
	}
	return nil
}
