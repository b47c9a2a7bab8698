package conduct

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/outside"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// Awaits returns a place where another goroutine is waited for while a lock is held, by what holds it or
// calls from there; nil if there is none. Unknown code is not followed. Complexity: that of Under,
// once for each lock that is asked for.
func (t *Theory) Awaits(lock *types.Var) *summary.Stay {
	wait, ok := t.awaited[lock]
	if !ok {
		wait = t.placeUnder(lock, func(f *infer.Func, s *step, looped bool) bool {
			other := slices.ContainsFunc(s.held, func(l *types.Var) bool { return l != lock })
			return !s.seen && !(slices.Contains(s.held, lock) && f.HoldsAlone(s.waits)) && t.awaits(f, s.waits, waiting{other, looped})
		})
		t.awaited[lock] = wait
	}
	return wait
}

// Busy returns a place where code runs while a lock is held, as for [Theory.Awaits], of which it is not
// known that it ends by itself, nor quick says so; nil if there is none.
func (t *Theory) Busy(lock *types.Var, quick func(*infer.Func, *summary.Stay) bool) *summary.Stay {
	return t.placeUnder(lock, func(f *infer.Func, s *step, _ bool) bool { return !quick(f, s.waits) })
}

// An entered is a function that runs under a lock; looped, if a loop or recursion on the way may come to it again.
type entered struct {
	f      *infer.Func
	looped bool
}

// placeUnder returns the first of the places under a lock that suits, which is told whether a loop or
// recursion on the way may come to its function again.
func (t *Theory) placeUnder(lock *types.Var, suits func(f *infer.Func, s *step, looped bool) bool) *summary.Stay {
	seen := make(map[entered]bool)
	var work []entered
	enter := func(e entered) {
		if !seen[e] {
			seen[e] = true
			work = append(work, e)
		}
	}
	look := func(at entered, s *step) bool {
		if s.waits != nil && suits(at.f, s, at.looped) {
			return true
		}
		if s.stay == nil {
			for _, g := range s.enters {
				enter(entered{g, at.looped || s.looped || g.Recursive}) // recursion is a loop
			}
		}
		return false
	}
	for _, s := range t.startsOf(lock) {
		if s.step == nil {
			enter(entered{s.f, s.f.Recursive})
		} else if look(entered{f: s.f}, s.step) {
			return s.step.waits
		}
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		steps := t.stepsOf(at.f)
		for i := range steps {
			if look(at, &steps[i]) {
				return steps[i].waits
			}
		}
	}
	return nil
}

// A waiting says how a place is come to: whether another lock is held there as well, and whether a loop on
// the way may come to its function again.
type waiting struct{ other, looped bool }

// awaits reports whether another goroutine may be waited for at a place, with the lock at hand held:
// one that sends, receives, is done, or sets what is polled. A condition lets go of its own lock alone. What is run
// once is known as a callee. Other code is not followed: much of it may come to something that waits, for another
// goroutine than one that needs the lock.
func (t *Theory) awaits(f *infer.Func, s *summary.Stay, how waiting) bool {
	switch s.Kind {
	case summary.Waits:
		switch model.Lookup(s.Func).Kind {
		case model.Once, model.Flight:
			return false
		case model.CondWait:
			return how.other
		}
		return true
	case summary.Calls, summary.Invokes:
		return s.Func != nil && (model.Awaits(s.Func) || model.Lingers(s.Func) && !ownTime(f, s, how.looped))
	case summary.Value:
		return s.Field != nil && t.pkg.Module != nil && t.pkg.Module.Awaits(outside.Variable(s.Field))
	}
	return false
}

// ownTime reports whether what lingers takes its own time alone, whatever other goroutines do: it sleeps, or lets others run,
// but not in a loop that may poll, here or on the way, or runs a program that the code names, with nothing of this one to read
// from or to write to.
func ownTime(f *infer.Func, s *summary.Stay, looped bool) bool {
	call := ssautil.CallAt(f.SSA, s.Pos)
	if call == nil {
		return false
	}
	switch s.Func.FullName() {
	case "time.Sleep", "runtime.Gosched":
		return !looped && !f.Reach().InLoop(call)
	}
	args := call.Common().Args
	return len(args) > 0 && s.Func.Pkg().Path() == "os/exec" && runsNamed(args[0])
}

// runsNamed reports whether a command runs a program that the code names, and nothing else is done with it.
func runsNamed(v ssa.Value) bool {
	const withContext = "os/exec.CommandContext"
	cmd, args, by := ssautil.GivenBy(v, "os/exec.Command", withContext)
	if cmd == nil || !plainlyRun(cmd) {
		return false
	}
	program := args[0]
	if by == withContext {
		program = args[1]
	}
	name, ok := program.(*ssa.Const)
	return ok && name.Value != nil && name.Value.Kind() == constant.String && !model.RunsOthers(constant.StringVal(name.Value))
}

// plainlyRun reports whether nothing is done with a command but to call its methods.
func plainlyRun(cmd *ssa.Call) bool {
	return !slices.ContainsFunc(*cmd.Referrers(), func(r ssa.Instruction) bool {
		use, ok := r.(ssa.CallInstruction)
		_, debug := r.(*ssa.DebugRef)
		return !debug && (!ok || len(use.Common().Args) == 0 || use.Common().Args[0] != ssa.Value(cmd))
	})
}
