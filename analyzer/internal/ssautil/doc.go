// Package ssautil is what go/ssa lacks: postdominators and control dependence,
// reachability, callees and function literals, the one store of a variable, and
// small questions about values and types.
package ssautil
