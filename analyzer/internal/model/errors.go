package model

import "go/types"

// errorTests are functions that find an error to be of some kind: nil is of none.
var errorTests = map[string]bool{
	"errors.As": true, "github.com/pkg/errors.As": true, "golang.org/x/xerrors.As": true,
	"os.IsExist": true, "os.IsNotExist": true, "os.IsPermission": true, "os.IsTimeout": true,
}

// errorEqualities are functions that find an error to be another one, or to wrap it.
var errorEqualities = map[string]bool{"errors.Is": true, "github.com/pkg/errors.Is": true, "golang.org/x/xerrors.Is": true}

// errorWrappers are functions that give an error around their first argument, and nil for nil.
var errorWrappers = set(`
github.com/pkg/errors.Wrap github.com/pkg/errors.Wrapf github.com/pkg/errors.WithStack
github.com/pkg/errors.WithMessage github.com/pkg/errors.WithMessagef
github.com/cockroachdb/errors.Wrap github.com/cockroachdb/errors.Wrapf github.com/cockroachdb/errors.WithStack
github.com/cockroachdb/errors.WithMessage github.com/cockroachdb/errors.WithMessagef
github.com/juju/errors.Trace github.com/juju/errors.Annotate github.com/juju/errors.Annotatef
github.com/pingcap/errors.Trace github.com/pingcap/errors.Annotate github.com/pingcap/errors.Annotatef
github.com/pingcap/errors.Wrap github.com/pingcap/errors.Wrapf github.com/pingcap/errors.WithStack
`)

// WrapsError reports whether fn gives an error around its first argument, and nil where that is nil.
func WrapsError(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && errorWrappers[fn.FullName()]
}

// TestsError reports whether fn, if it returns true, has found its first argument to be an error and not nil; with that, its
// second one if it finds the two to be equal, which says so only where that is not nil.
func TestsError(fn *types.Func) (tests, equal bool) {
	if fn == nil || fn.Pkg() == nil {
		return false, false
	}
	name := fn.FullName()
	return errorTests[name] || errorEqualities[name], errorEqualities[name]
}
