package model

import (
	"go/types"
	"strings"
)

// Serves reports whether a function of net/http brings a server into service: it accepts connections, and
// calls handlers, from then on.
func Serves(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Pkg().Path() == "net/http" && (strings.HasPrefix(fn.Name(), "ListenAndServe") || fn.Name() == "Serve" || fn.Name() == "ServeTLS")
}
