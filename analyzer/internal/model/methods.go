package model

import (
	"go/types"
	"slices"
)

// order is what sorting asks of its argument.
var order = []string{"Len", "Less", "Swap"}

// methods maps a function's full name to the methods that it calls on its first
// argument, an interface, before it returns.
var methods = map[string][]string{
	"container/heap.Init":   order,
	"container/heap.Fix":    order,
	"container/heap.Push":   append(slices.Clone(order), "Push"),
	"container/heap.Pop":    append(slices.Clone(order), "Pop"),
	"container/heap.Remove": append(slices.Clone(order), "Pop"),
	"sort.Sort":             order,
	"sort.Stable":           order,
	"sort.IsSorted":         order,
}

var methodPackages = packagesOf(methods)

// Methods returns the methods that fn calls on its first argument before it
// returns.
func Methods(fn *types.Func) []string {
	if fn.Pkg() == nil || !methodPackages[fn.Pkg().Path()] {
		return nil
	}
	return methods[fn.FullName()]
}
