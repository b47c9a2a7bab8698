package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mapguard/mapguard/analyzer/internal/conduct"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A proviso is what has to be seen to by who takes a lock by hand where nothing shows that it can be taken; zero if there is nothing.
type proviso struct {
	// only is the end of the advice, instead what is to be done in place of it.
	only, instead string
}

// unheld is the proviso where nothing more is known.
var unheld = proviso{only: "if no caller holds it"}

// enterable reports what speaks against taking the lock anywhere in the
// function.
//
// A goroutine that takes it must not hold it already, nor hold a lock that is
// taken while it is held:
//
//   - no caller holds it, as far as the package shows: none at a call, none
//     through an interface, a function value, or a method that a library calls; or
//     the function takes it in any case, so that a caller who held it would wait for
//     itself already;
//   - the function does not release a lock that it does not take itself, as where a callee returns with it held;
//   - no code of others runs in a section of it that could come back to this
//     function: where the whole module is known, what it leads to is followed
//     through all packages, else it can come to all that it can name;
//   - callers of other packages cannot hold it: they cannot name the lock, or not
//     the function;
//   - no goroutine is waited for in a section of the lock: it may be the one that runs the function,
//     before it takes the lock today;
//   - none is waited for, either, in a section of a lock that is taken while this one is held: who holds this one would wait there;
//   - for each lock that this function or a caller of it may hold here: that lock
//     is not taken while this one is held, directly or through a third. What a caller
//     holds is no new order where the function takes this one in any case.
func (s *scene) enterable(at []token.Pos) refusal {
	why, _ := s.entry(at)
	return why
}

// entry does the same, and says under which proviso who changes the code by hand can take the lock all the same.
func (s *scene) entry(at []token.Pos) (why refusal, but proviso) {
	t := s.m.conduct
	u := t.Under(s.lock)
	anyway := s.takesAnyway()
	if s.releasesUntaken() {
		return refusal(s.f.Name + " releases " + s.lock.Name() + ", which it does not take: it is held already"), proviso{instead: "see whether " + s.lock.Name() + " is held here already, as its release says"}
	}
	if u.Enters(s.f) && !anyway {
		if o := u.Back(s.f); o != nil {
			return refusal(fmt.Sprintf("%s is held where code of others runs (%s), which may call %s", s.lock.Name(), s.lineOf(o.Pos), s.f.Name)),
				proviso{only: fmt.Sprintf("if what runs with it held (%s) never comes here", s.lineOf(o.Pos))}
		}
		return refusal("a caller of " + s.f.Name + " may hold " + s.lock.Name() + " already" + s.alsoTaken()), s.lacked()
	}
	if wait := t.Awaits(s.lock); wait != nil && !t.TakesFirst(s.f, s.lock) {
		at := fmt.Sprintf("%s:%d", s.m.in.Pkg.File(wait.Pos), s.m.in.Line(wait.Pos))
		return refusal(fmt.Sprintf("another goroutine may be waited for with %s held (%s), and may be the one that runs %s", s.lock.Name(), at, s.f.Name)),
			proviso{only: fmt.Sprintf("if the wait with it held (%s) is not for this goroutine", at)}
	}
	if s.lock.Exported() && s.f.Is(role.Public) && !s.closed() && !s.m.ownLock(s.lock) {
		return refusal(s.lock.Name() + " and " + s.f.Name + " are exported: callers elsewhere may hold the lock"), proviso{only: "if no caller elsewhere holds it"}
	}
	if s.lock.Pkg() != s.m.pass.Pkg {
		if g := s.m.calledElsewhere(s.f); g != nil {
			return refusal(fmt.Sprintf("the package of %s may hold it where it calls %s", s.lock.Name(), g.Name)), unheld
		}
	}
	if g := s.m.leavesHeld(s.lock); g != nil {
		return refusal(g.Name + " returns with " + s.lock.Name() + " held: callers elsewhere may come to " + s.f.Name + " then"), unheld
	}
	if !anyway && s.m.givenAway(s.lock) {
		return refusal(s.lock.Name() + " can be taken by another name, and held by a caller of " + s.f.Name), unheld
	}
	if s.f.Ctx.Stored {
		return "nothing tells which locks are held when this function literal is called", unheld
	}
	leads := t.LeadsTo(s.lock)
	first := t.TakesFirst(s.f, s.lock)
	for _, other := range t.Locks() {
		if other == s.lock || !leads[other] {
			continue
		}
		if wait := t.Awaits(other); wait != nil && !first {
			return refusal(fmt.Sprintf("another goroutine may be waited for with %s held (%s), for which who holds %s may wait, and may be the one that runs %s", s.another(other), s.lineOf(wait.Pos), s.lock.Name(), s.f.Name)),
				proviso{only: fmt.Sprintf("if the wait with %s held (%s) is not for this goroutine", s.another(other), s.lineOf(wait.Pos))}
		}
		if s.heldAt(other, at) || !anyway && t.Under(other).Enters(s.f) {
			return refusal(fmt.Sprintf("%s may be held here, and is taken elsewhere while %s is held", s.another(other), s.lock.Name())),
				proviso{only: fmt.Sprintf("once all take it and %s in one order", s.another(other))}
		}
	}
	return "", proviso{}
}

// lacked is the proviso where a caller may hold the lock already: those that do not are to take it, unless the function, or what
// it calls, takes it, too.
func (s *scene) lacked() proviso {
	_, literal := s.root.(*ast.FuncLit)
	switch {
	case literal:
		return proviso{only: "if neither a caller nor who waits for this holds it"}
	case slices.Contains(s.runs().Takes, s.lock):
		return unheld
	}
	return proviso{instead: "hold " + s.lock.Name() + " where " + s.f.Name + " is called without it"}
}

// runs returns what the function and its callees do.
func (s *scene) runs() conduct.Effect {
	return s.m.conduct.Of(s.f, func(conduct.Spot) bool { return true }, nil)
}

// releasesUntaken reports whether the function releases the lock of an object of which it does not take it.
func (s *scene) releasesUntaken() bool {
	steps := s.f.Locking
	return slices.ContainsFunc(steps, func(l summary.LockStep) bool {
		taken := func(t summary.LockStep) bool { return t.Acquire && t.Lock == l.Lock }
		return !l.Acquire && l.Lock.Location().Var == s.lock && !slices.ContainsFunc(steps, taken)
	})
}

// leavesHeld returns a function that others can call and that returns with a lock held; nil if there is none.
func (m *Maker) leavesHeld(lock *types.Var) *infer.Func {
	for _, g := range m.in.Pkg.Funcs {
		if g.Is(role.Public) && slices.ContainsFunc(g.Effect.Takes(), func(h locks.Held) bool { return h.Lock.Location().Var == lock }) {
			return g
		}
	}
	return nil
}

// calledElsewhere returns a function that other packages may call and that comes to another one in the
// same goroutine, or is it: by its name, or by its value; nil if there is none.
func (m *Maker) calledElsewhere(f *infer.Func) *infer.Func {
	seen := map[*infer.Func]bool{f: true}
	for work := []*infer.Func{f}; len(work) > 0; {
		f, work = work[len(work)-1], work[:len(work)-1]
		if f.Is(role.Public) || f.Is(role.Method) && f.Obj != nil && f.Obj.Exported() {
			return f
		}
		for _, c := range m.in.Pkg.CallersOf(f) {
			switch {
			case c.Call.Kind == summary.Escaped || c.Call.Registered:
				return f
			case c.Call.Kind != summary.Goroutine && !seen[c.Caller]:
				seen[c.Caller] = true
				work = append(work, c.Caller)
			}
		}
	}
	return nil
}

// takesAnyway reports whether the function takes the lock for writing on every way from
// its beginning to its end: no caller holds it.
func (s *scene) takesAnyway() bool {
	ops, ok := s.operations()
	if !ok || s.f.SSA == nil || s.text == "" {
		return false
	}
	always := make(map[int]bool)
	post := ssautil.NewPostdom(s.f.SSA)
	for b := 0; b < len(s.f.SSA.Blocks) && !always[b]; b = post.Join(b) {
		always[b] = true
	}
	return slices.ContainsFunc(ops, func(o *operation) bool {
		instr := o.step.Point.Instr(s.f.SSA)
		plain := o.takes && !o.deferred && !o.reads() && o.text == s.text
		return plain && instr != nil && always[instr.Block().Index]
	})
}

// closed reports whether callers elsewhere cannot hold the lock: they cannot import
// the package; or the module is known as a whole and an application, no other package
// of it takes the lock, and no file that was not analysed mentions both the function and the taking of a lock.
func (s *scene) closed() bool {
	path := s.m.pass.Pkg.Path()
	module := s.m.in.Pkg.Module
	if module != nil && module.Own(path) && !module.Locked(s.lock) && s.f.Obj != nil {
		if !module.Mentioned(path, s.f.Obj.Name()) || !s.lockMentioned() {
			return true
		}
	}
	return s.m.pass.Pkg.Name() == "main" || strings.Contains(path, "/internal/") || strings.HasSuffix(path, "/internal")
}

// lockMentioned reports whether a file that was not analysed may take the lock.
func (s *scene) lockMentioned() bool {
	return slices.ContainsFunc([]string{"Lock", "RLock", "TryLock", "TryRLock"}, func(method string) bool {
		return s.m.in.Pkg.Module.Mentioned(s.m.pass.Pkg.Path(), method)
	})
}
