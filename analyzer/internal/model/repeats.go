package model

import "go/types"

// repeaters call a function time and again, until they are told to stop.
var repeaters = map[string]bool{
	"Until": true, "UntilWithContext": true, "Forever": true, "BackoffUntil": true,
	"JitterUntil": true, "JitterUntilWithContext": true,
	"NonSlidingUntil": true, "NonSlidingUntilWithContext": true,
}

// Repeats reports whether fn calls a function that it gets time and again, until it is told
// to stop, as the loops of Kubernetes' package wait do.
func Repeats(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "k8s.io/apimachinery/pkg/util/wait" && repeaters[fn.Name()]
}
