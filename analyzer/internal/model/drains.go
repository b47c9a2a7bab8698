package model

import (
	"go/types"
	"strings"
)

// IsServer reports whether t is the type of servers that can be drained.
func IsServer(t types.Type) bool { return spell(t) == "net/http.Server" }

// TakesRequests reports whether a field of such a server has what it hands the requests to.
func TakesRequests(field *types.Var) bool { return field.Name() == "Handler" }

// MakesMux reports whether fn makes something that hands requests to the handlers which are registered with it, each before it
// returns itself.
func MakesMux(fn *types.Func) bool { return fn != nil && fn.FullName() == "net/http.NewServeMux" }

// OnlyRegisters reports whether a method of such a thing only registers a handler.
func OnlyRegisters(fn *types.Func) bool {
	name := ""
	if fn != nil {
		name = fn.FullName()
	}
	return name == "(*net/http.ServeMux).HandleFunc" || name == "(*net/http.ServeMux).Handle"
}

// KeepsHandler reports whether fn gets an object that a server calls from then on, and does nothing else with it.
func KeepsHandler(fn *types.Func) bool {
	name := ""
	if fn != nil {
		name = fn.FullName()
	}
	return name == "net/http.Handle" || name == "(*net/http.ServeMux).Handle"
}

// TakesOver reports whether fn takes a connection from its server, which then does not wait for what is done with it: it
// hijacks one, or gives something of a response that is left to it, as an upgrade to another protocol does.
func TakesOver(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if fn.Name() == "Hijack" {
		return true
	}
	sig := fn.Signature()
	if fn.Pkg().Path() == "net/http" || !strings.Contains(fn.Pkg().Path(), ".") || sig.Results().Len() == 0 {
		return false // its own, or the standard library's
	}
	for v := range sig.Params().Variables() {
		if spell(v.Type()) == "net/http.ResponseWriter" {
			return true
		}
	}
	return false
}
