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

// Accepts reports whether a method waits for the next connection of a listener and returns that, as net.Listener's
// Accept does: what it gives has the address of the other side.
func Accepts(fn *types.Func) bool {
	if fn == nil || fn.Signature().Recv() == nil || fn.Signature().Results().Len() == 0 {
		return false
	}
	ofNet := fn.Pkg() != nil && fn.Pkg().Path() == "net" && strings.HasPrefix(fn.Name(), "Accept")
	return (ofNet || fn.Name() == "Accept") && HasMethod(fn.Signature().Results().At(0).Type(), "RemoteAddr")
}

// HasMethod reports whether values of a type have an exported method.
func HasMethod(t types.Type, method string) bool {
	m, _, _ := types.LookupFieldOrMethod(t, true, nil, method)
	_, ok := m.(*types.Func)
	return ok
}

// MakesAnew reports whether a function of a library makes, by its name, an object that no one else has.
func MakesAnew(fn *types.Func) bool {
	return fn != nil && fn.Signature().Recv() == nil && strings.HasPrefix(fn.Name(), "New")
}
