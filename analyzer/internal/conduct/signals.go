package conduct

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// TakesFirst reports whether a function takes a lock today before it tells anyone anything: it has a place
// where it does, and neither it nor what it calls sends, closes a channel, ends for a group, or wakes others.
// Who waits for its goroutine with that lock held waits for ever already. Complexity: linear in what it calls.
func (t *Theory) TakesFirst(f *infer.Func, lock *types.Var) bool {
	takes := false
	for i := range f.Locking {
		takes = takes || f.Locking[i].Acquire && f.Locking[i].Lock.Location().Var == lock
	}
	return takes && !t.tells(f, make(map[*infer.Func]bool))
}

func (t *Theory) tells(f *infer.Func, seen map[*infer.Func]bool) bool {
	if f == nil || seen[f] {
		return false
	}
	seen[f] = true
	if ssautil.Some(f.SSA, signals) {
		return true
	}
	for i := range f.Calls {
		if joins(&f.Calls[i]) && t.tells(t.pkg.Lookup(f.Calls[i].Callee), seen) {
			return true
		}
	}
	return false
}

// signals reports whether an instruction tells others something for which they may wait.
func signals(i ssa.Instruction) bool {
	switch i := i.(type) {
	case *ssa.Send, *ssa.Select:
		return true
	case ssa.CallInstruction:
		if b, ok := i.Common().Value.(*ssa.Builtin); ok {
			return b.Name() == "close"
		}
		fn, _ := ssautil.Callee(i.Common())
		return fn == nil || model.Signals(fn)
	}
	return false
}
