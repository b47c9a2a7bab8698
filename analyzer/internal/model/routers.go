package model

import "go/types"

// running are the first words of the names of methods that bring a router into service.
var running = []string{"Listen", "Run", "Serve", "Start"}

// RunsRouter reports whether a method of a router, or of what its package has beside it, brings it into service, by its name: the
// Run of gin, the Start of echo, the Listen of fiber, the Serve of grpc.
func RunsRouter(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && fn.Name() != "ServeHTTP" && firstWord(fn.Name(), running) && IsRouter(recv.Type())
}

// MakesRouter reports whether a function of a library makes what handlers are registered with, which no server has yet.
func MakesRouter(fn *types.Func) bool {
	return MakesAnew(fn) || fn != nil && fn.FullName() == "github.com/gin-gonic/gin.Default"
}

// IsRouter reports whether handlers that are registered with values of a type are called once a server gets it: the type itself, or
// another one of the package that declares it, as the one of which it is a group, is a handler of net/http. A client of a message
// broker is none: what it is given is called from then on. Complexity: linear in the names of the package.
func IsRouter(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		of, ok := scope.Lookup(name).(*types.TypeName)
		if ok && of.Exported() && !of.IsAlias() && HasMethod(types.NewPointer(of.Type()), "ServeHTTP") {
			return true
		}
	}
	return false
}
