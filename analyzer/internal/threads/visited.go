package threads

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

// A visited is a function with its first arguments.
type visited struct {
	g    *infer.Func
	args [4]accesspath.Path
	n    int
	held int
	// waits is how many there were on the way.
	waits int
	// made is the first of the structs that were made for the call.
	made   *ssa.Alloc
	passed ownership.Set
	pick   *infer.Func
}

func visitOf(g *infer.Func, args []accesspath.Path, held []locks.Held, waits int, made *ssa.Alloc, passed ownership.Set, pick *infer.Func) visited {
	v := visited{g: g, n: len(args), held: len(held), waits: waits, made: made, passed: passed, pick: pick}
	copy(v.args[:], args)
	return v
}

// emptySeen returns a map for a walk, giveBack keeps it for the next one: there are
// many walks, and few are short.
func (t *Theory) emptySeen() map[visited]bool {
	seen := t.seen
	if t.seen = nil; seen == nil {
		seen = make(map[visited]bool)
	}
	return seen
}

func (t *Theory) giveBack(seen map[visited]bool) {
	clear(seen)
	t.seen = seen
}
