package model

import (
	"go/types"
	"strings"
)

// A FlagOp is what an atomic operation does to a flag or counter.
type FlagOp uint8

const (
	// FlagNone is no operation on a flag, or one that only reads it.
	FlagNone FlagOp = iota
	// FlagClaim sets the flag if it has a certain value, and says whether it did.
	FlagClaim
	// FlagSwap sets the flag, and says what it was.
	FlagSwap
	// FlagCount adds to the counter, and returns what it comes to.
	FlagCount
	// FlagSet sets it whatever it was.
	FlagSet
)

// Flag returns what a function of sync/atomic does to its first argument, the
// receiver counted.
func Flag(fn *types.Func) FlagOp {
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return FlagNone
	}
	for _, row := range [...]struct {
		prefix string
		op     FlagOp
	}{
		{"CompareAndSwap", FlagClaim}, {"Add", FlagCount},
		{"Store", FlagSet}, {"Swap", FlagSwap}, {"And", FlagSet}, {"Or", FlagSet},
	} {
		if strings.HasPrefix(fn.Name(), row.prefix) {
			return row.op
		}
	}
	return FlagNone
}

// IsFlag reports whether a type has values of which one says that something is so: a bool, a
// number, or an atomic form of one.
func IsFlag(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return IsAtomic(t) || ok && b.Info()&(types.IsBoolean|types.IsInteger) != 0
}

// IsAtomic reports whether t is a type of sync/atomic.
func IsAtomic(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic"
}

// Synchronizes reports whether a function is one of those that goroutines tell each other by what they
// have done: what it gives depends on that.
func Synchronizes(fn *types.Func) bool {
	return fn.Pkg() != nil && (fn.Pkg().Path() == "sync" || fn.Pkg().Path() == "sync/atomic")
}

// ReadsFlag reports whether a function of sync/atomic returns what its first
// argument holds, the receiver counted, and leaves it so.
func ReadsFlag(fn *types.Func) bool {
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && strings.HasPrefix(fn.Name(), "Load")
}

// Pauses reports whether fn waits for time to pass, as loops do that go on until
// they are told to stop.
func Pauses(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Pkg().Path() == "time" && fn.Name() == "Sleep"
}
