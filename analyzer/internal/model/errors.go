package model

import "go/types"

// errorTests are functions that find an error to be of some kind: nil is of none.
var errorTests = map[string]bool{
	"errors.As": true, "github.com/pkg/errors.As": true, "golang.org/x/xerrors.As": true,
	"os.IsExist": true, "os.IsNotExist": true, "os.IsPermission": true, "os.IsTimeout": true,
}

// errorEqualities are functions that find an error to be another one, or to wrap it.
var errorEqualities = map[string]bool{"errors.Is": true, "github.com/pkg/errors.Is": true, "golang.org/x/xerrors.Is": true}

// TestsError reports whether fn, if it returns true, has found its first argument to be an error and not nil; with that, its
// second one if it finds the two to be equal, which says so only where that is not nil.
func TestsError(fn *types.Func) (tests, equal bool) {
	if fn == nil || fn.Pkg() == nil {
		return false, false
	}
	name := fn.FullName()
	return errorTests[name] || errorEqualities[name], errorEqualities[name]
}
