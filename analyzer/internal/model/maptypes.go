package model

import "strings"

// OnMap reports whether k is an operation on a map that is not a concurrent one.
func (k Kind) OnMap() bool { return k == MapRead || k == MapWrite || k == MapLen || k.Keyed() }

// setTypes are the sets of a module: maps which have methods and no lock. Their methods have the map for their receiver.
const setTypes = "Set String Byte Int Int32 Int64"

// setMethods says what their methods do; the types agree on the names.
var setMethods = map[Kind]string{
	MapLookup: "Has HasAll HasAny",
	MapInsert: "Insert",
	MapDelete: "Delete",
	MapWrite:  "PopAny Clear",
	MapLen:    "Len",
	MapRead:   "Clone Copy Difference SymmetricDifference Union Intersection IsSuperset Equal List UnsortedList",
}

// withSets adds the rows of the sets to t.
func withSets(t map[string]Effect) map[string]Effect {
	for _, name := range strings.Fields(setTypes) {
		addMethods(t, "k8s.io/apimachinery/pkg/util/sets."+name, setMethods, 0)
	}
	return t
}

// addMethods adds the rows of a receiver's methods to t, which are named by what they do to an argument.
func addMethods(t map[string]Effect, receiver string, methods map[Kind]string, arg int) {
	for kind, names := range methods {
		for _, m := range strings.Fields(names) {
			t["("+receiver+")."+m] = Effect{Kind: kind, Arg: arg}
		}
	}
}
