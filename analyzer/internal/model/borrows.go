package model

import (
	"go/types"
	"strings"
)

// starting are the first words in the names of methods that begin something which goes on when they have returned.
var starting = []string{
	"Start", "Run", "Go", "Launch", "Spawn", "Open", "Watch", "Subscribe", "Register", "Schedule", "Enqueue", "Submit", "Handle", "Notify", "On", "Async",
}

// Borrows reports whether a method of a library uses an interface that its receiver has only until it returns. The receiver
// is a struct without a field of its own: what starts a goroutine keeps something by which that can be stopped or waited
// for, in a field that is not exported. Nor has it functions or channels, by which such a one tells what becomes of it; the
// interface serves no requests, and the method's name does not say that something begins or is waited for.
func Borrows(fn *types.Func, lent types.Type) bool {
	recv, goesOn := fn.Signature().Recv(), Awaits(fn) || Lingers(fn) || firstWord(fn.Name(), starting)
	if recv == nil || goesOn || handles(lent) || !allSet(recv.Type()) {
		return false
	}
	for p := range fn.Signature().Params().Variables() {
		switch p.Type().Underlying().(type) {
		case *types.Signature, *types.Chan:
			return false
		}
		if IsContext(p.Type()) {
			return false // it can be told to stop
		}
	}
	return true
}

// allSet reports whether t is a struct, or points to one, all fields of which are exported, and no functions or channels.
func allSet(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if !f.Exported() || f.Embedded() {
			return false
		}
		switch f.Type().Underlying().(type) {
		case *types.Signature, *types.Chan:
			return false
		}
	}
	return true
}

// handles reports whether an interface has a method that serves requests, or none by which its values are used.
func handles(t types.Type) bool {
	iface, ok := t.Underlying().(*types.Interface)
	if !ok || iface.Empty() {
		return true
	}
	for m := range iface.Methods() {
		if HandlerOf(m.Signature(), nil) != nil {
			return true
		}
	}
	return false
}

// firstWord reports whether one of some words is the first in a name.
func firstWord(name string, words []string) bool {
	for _, word := range words {
		if rest, ok := strings.CutPrefix(name, word); ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return true
		}
	}
	return false
}
