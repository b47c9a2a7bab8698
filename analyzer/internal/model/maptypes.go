package model

import "strings"

// mapTypes are the map types of other modules, which have methods and no lock: a set, say. Their methods have the map for
// their receiver.
var mapTypes = func() map[string]map[Kind]string {
	sets := map[Kind]string{
		MapLookup: "Has HasAll HasAny",
		MapInsert: "Insert",
		MapDelete: "Delete",
		MapWrite:  "PopAny Clear",
		MapLen:    "Len",
		MapRead:   "Clone Copy Difference SymmetricDifference Union Intersection IsSuperset Equal List UnsortedList",
	}
	out := make(map[string]map[Kind]string)
	for _, t := range strings.Fields("Set String Byte Int Int32 Int64") {
		out["k8s.io/apimachinery/pkg/util/sets."+t] = sets
	}
	return out
}()

// withMapTypes adds the rows of mapTypes to t.
func withMapTypes(t map[string]Effect) map[string]Effect {
	for name, methods := range mapTypes {
		for kind, names := range methods {
			for _, m := range strings.Fields(names) {
				t["("+name+")."+m] = Effect{Kind: kind}
			}
		}
	}
	return t
}
