package model

import (
	"go/types"
	"strings"
)

// Reflects reports whether a library function finds the methods of a value that it gets by
// reflection, and may call them, or give a caller what does: a server of remote procedures, or
// reflection itself.
func Reflects(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "net/rpc":
		return fn.Name() == "Register" || fn.Name() == "RegisterName"
	case "reflect":
		return fn.Name() == "ValueOf"
	}
	return Executes(fn)
}

// ReflectsOn reports whether a function gives the [reflect.Value] of what it gets, of which methods
// tell more, or call it.
func ReflectsOn(fn *types.Func) bool { return fn.FullName() == "reflect.ValueOf" }

// ShowsReflected reports whether a method of [reflect.Value] tells no more than which value it is, or
// whether there is one.
func ShowsReflected(fn *types.Func) bool {
	return SetsReflected(fn) && (fn.Name() == "Pointer" || fn.Name() == "IsNil")
}

// SetsReflected reports whether a method of [reflect.Value] asks what a value is, or puts one in
// a variable, and calls none of its methods. The one that is set is an argument.
func SetsReflected(fn *types.Func) bool {
	if fn.Pkg() == nil || fn.Pkg().Path() != "reflect" || fn.Signature().Recv() == nil {
		return false
	}
	switch fn.Name() {
	case "Set", "SetMapIndex", "IsNil", "IsValid", "IsZero", "Kind", "Pointer":
		return true
	}
	return false
}

// FindsMethods reports whether a function of package reflect finds methods of a value or type by name or number.
func FindsMethods(fn *types.Func) bool {
	if fn.Pkg() == nil || fn.Pkg().Path() != "reflect" {
		return false
	}
	switch fn.Name() {
	case "Method", "MethodByName", "Methods":
		return true
	}
	return false
}

// registering are the first words in the names of functions that get an object whose methods serve others from then on.
var registering = []string{"Register", "Serve", "Handle", "Export", "Expose", "Bind", "Provide"}

// Registers reports whether a function by its name gets an object whose methods are called when others ask for that.
func Registers(fn *types.Func) bool { return firstWord(fn.Name(), registering) }

// Executes reports whether a library function executes a template, which calls methods of what it
// gets, and of what that leads to.
func Executes(fn *types.Func) bool {
	return fn.Pkg() != nil && strings.HasSuffix(fn.Pkg().Path(), "/template") && strings.HasPrefix(fn.Name(), "Execute")
}
