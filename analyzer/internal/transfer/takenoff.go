package transfer

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// putFrom names an object that a function takes off a list, puts into a map and returns, as a queue does that keeps account of
// what is in work: by the map's entry, since the list has another element in its place by then. Unknown for any other value.
func (a *analysis) putFrom(r *ssa.Return, v ssa.Value) accesspath.Path {
	read, ok := v.(*ssa.UnOp)
	if !ok || read.Op != token.MUL || !a.offList(read) {
		return accesspath.Path{}
	}
	for _, use := range *read.Referrers() {
		if put, ok := use.(*ssa.MapUpdate); ok && put.Value == v && ssautil.Dominates(put, r) {
			return a.Paths.Elem(a.Paths.Of(put.Map), a.Paths.Key(put.Key))
		}
	}
	return accesspath.Path{}
}

// offList reports whether an element that is read from a list, with a lock held for writing, is taken off it before that can be given up:
// no one else reads it there. Complexity: linear in the block.
func (a *analysis) offList(read *ssa.UnOp) bool {
	at := a.Paths.Of(read)
	if !at.IsElem() || !a.locks || locks.OnlyRead(a.stateAt(read).Held()) {
		return false
	}
	for _, instr := range read.Block().Instrs {
		if !ssautil.Before(read, instr) {
			continue
		}
		if a.LetsGo(instr) {
			return false
		}
		if a.Paths.Shortens(instr, at.Parent()) {
			return true
		}
	}
	return false
}
