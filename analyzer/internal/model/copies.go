package model

import "go/types"

// copies are the functions that give a container which they make, of elements that others may have.
var copies = map[string]bool{
	"maps.Clone":                   true,
	"maps.Collect":                 true,
	"slices.Clone":                 true,
	"slices.Collect":               true,
	"golang.org/x/exp/maps.Clone":  true,
	"golang.org/x/exp/maps.Keys":   true,
	"golang.org/x/exp/maps.Values": true,
}

// Copies reports whether the container that fn gives is its caller's alone, though not what it holds.
func Copies(fn *types.Func) bool { return fn != nil && copies[fn.Origin().FullName()] }

// sameElements are the functions that give a list with just the elements of the one that they get, each once at least.
var sameElements = map[string]bool{
	"slices.Clone":   true,
	"slices.Compact": true,

	"golang.org/x/exp/slices.Clone":   true,
	"golang.org/x/exp/slices.Compact": true,
}

// SameElements reports whether the list that fn gives has just the elements of its first argument.
func SameElements(fn *types.Func) bool { return fn != nil && sameElements[fn.Origin().FullName()] }
