package infer_test

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"github.com/mapguard/mapguard/analyzer/internal/trial"
)

// Of layers of functions, each of which calls all of the next layer, as the actions of a large parser call its helpers,
// there are more ways up than a search could take. What initialisation comes to, within the bound, may set a variable before others look at it.
func TestLayersOfCallers(t *testing.T) {
	const wide, deep = 40, 6
	var b strings.Builder
	b.WriteString("package p\n\nvar near, far, late map[int]int\n\nfunc init() { f0x0() }\n\nfunc Late() { late = map[int]int{} }\n")
	for layer := range deep {
		for i := range wide {
			fmt.Fprintf(&b, "func f%dx%d() {\n", layer, i)
			for k := range wide {
				if layer+1 < deep {
					fmt.Fprintf(&b, "\tf%dx%d()\n", layer+1, k)
				}
			}
			switch {
			case layer == 4 && i == 0:
				b.WriteString("\tnear = map[int]int{}\n")
			case layer == 5 && i == 0:
				b.WriteString("\tfar = map[int]int{}\n")
			}
			b.WriteString("}\n")
		}
	}
	pkg := trial.Run(t, b.String()).Pkg
	for name, want := range map[string]bool{"near": true, "far": false, "late": false} {
		if got := pkg.NeverNil(pkg.Types.Scope().Lookup(name).(*types.Var)); got != want {
			t.Errorf("%s is never nil: %v, not %v", name, got, want)
		}
	}
}
