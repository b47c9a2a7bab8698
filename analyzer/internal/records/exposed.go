package records

import (
	"go/types"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// Exposed returns the methods that other modules can call on what exported names
// of these packages lead to: a package that they cannot import may declare the
// type.
func Exposed(pkgs []*types.Package, inScope func(path string) bool) map[outside.Name]bool {
	out := make(map[outside.Name]bool)
	for obj := range ssautil.Exposed(pkgs, inScope) {
		named, ok := obj.Type().(*types.Named)
		if !ok {
			continue
		}
		for m := range named.Methods() {
			if m.Exported() {
				out[outside.NameOf(m)] = true
			}
		}
	}
	return out
}
