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
	t := s.m.conduct
	u := t.Under(s.lock)
	anyway := s.takesAnyway()
	if u.Enters(s.f) && !anyway {
		if o := u.Back(s.f); o != nil {
			return refusal(fmt.Sprintf("%s is held where code of others runs (%s), which may call %s", s.lock.Name(), s.lineOf(o.Pos), s.f.Name))
		}
		return refusal("a caller of " + s.f.Name + " may hold " + s.lock.Name() + " already" + s.alsoTaken())
	}
	if wait := t.Awaits(s.lock); wait != nil && !t.TakesFirst(s.f, s.lock) {
		at := fmt.Sprintf("%s:%d", s.m.in.Pkg.File(wait.Pos), s.m.in.Line(wait.Pos))
		return refusal(fmt.Sprintf("another goroutine may be waited for with %s held (%s), and may be the one that runs %s", s.lock.Name(), at, s.f.Name))
	}
	if s.lock.Exported() && s.f.Is(role.Public) && !s.closed() && !s.m.ownLock(s.lock) {
		return refusal(s.lock.Name() + " and " + s.f.Name + " are exported: callers elsewhere may hold the lock")
	}
	if s.lock.Pkg() != s.m.pass.Pkg {
		if g := s.m.calledElsewhere(s.f); g != nil {
			return refusal(fmt.Sprintf("the package of %s may hold it where it calls %s", s.lock.Name(), g.Name))
		}
	}
	if g := s.m.leavesHeld(s.lock); g != nil {
		return refusal(g.Name + " returns with " + s.lock.Name() + " held: callers elsewhere may come to " + s.f.Name + " then")
	}
	if !anyway && s.m.givenAway(s.lock) {
		return refusal(s.lock.Name() + " can be taken by another name, and held by a caller of " + s.f.Name)
	}
	if s.f.Ctx.Stored {
		return "nothing tells which locks are held when this function literal is called"
	}
	leads := t.LeadsTo(s.lock)
	first := t.TakesFirst(s.f, s.lock)
	for _, other := range t.Locks() {
		if other == s.lock || !leads[other] {
			continue
		}
		if wait := t.Awaits(other); wait != nil && !first {
			return refusal(fmt.Sprintf("another goroutine may be waited for with %s held (%s), for which who holds %s may wait, and may be the one that runs %s", s.another(other), s.lineOf(wait.Pos), s.lock.Name(), s.f.Name))
		}
		if s.heldAt(other, at) || !anyway && t.Under(other).Enters(s.f) {
			return refusal(fmt.Sprintf("%s may be held here, and is taken elsewhere while %s is held", s.another(other), s.lock.Name()))
		}
	}
	return ""
}

// lineOf names the line of a place, with its file if that is another one than the function's.
func (s *scene) lineOf(at token.Pos) string {
	if file := s.m.in.Pkg.File(at); file != s.m.in.Pkg.File(s.root.Pos()) {
		return fmt.Sprintf("%s:%d", file, s.m.in.Line(at))
	}
	return fmt.Sprintf("line %d", s.m.in.Line(at))
}

// alsoTaken says that another fix takes the lock: what speaks against this one may be that the two are not to be made at once.
func (s *scene) alsoTaken() string {
	if s.m.conduct.Makes(s.lock) {
		return " (another fix of this run takes it, too)"
	}
	return ""
}

// another names a lock beside the one at hand, which may have the same name.
func (s *scene) another(lock *types.Var) string {
	if lock.Name() == s.lock.Name() {
		return "another " + lock.Name()
	}
	return lock.Name()
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

// heldAt reports whether the function itself may hold another lock at one of
// some places.
func (s *scene) heldAt(lock *types.Var, at []token.Pos) bool {
	has := func(st locks.State) bool {
		for _, l := range st.Locks() {
			if l.Can&locks.Taken != 0 && l.Path.Location().Var == lock {
				return true
			}
		}
		return false
	}
	for i := range s.f.Accesses {
		a := &s.f.Accesses[i]
		for _, p := range at {
			if a.Pos == p && has(a.Held) {
				return true
			}
		}
	}
	return false
}

// holdable reports what speaks against holding the lock while a stretch of the
// source runs, but for what skip accepts.
//
// What waits for the lock meanwhile must get it, so the stretch ends by itself:
// it uses no channel, waits for no goroutine, runs nothing unknown; and it takes
// no lock under which this one is taken, nor this one again. Where the lock's
// documentation says that it is held over more than the accesses, as from the
// look-up until the insertion, calls of unknown functions are what it means.
func (s *scene) holdable(from, to token.Pos, skip func(token.Pos) bool) refusal {
	if slices.ContainsFunc(s.barred, func(p token.Pos) bool { return from <= p && p < to }) {
		return refusal(s.lock.Name() + " would be taken twice")
	}
	e := s.m.conduct.Of(s.f, func(at conduct.Spot) bool {
		if at.Made != nil && at.Made == s.lock {
			return false // in the same function: see Meets
		}
		if !at.Pos.IsValid() {
			return true
		}
		if s.widens && s.covered(at.Pos) {
			return false
		}
		return from <= at.Pos && at.Pos < to && (skip == nil || !skip(at.Pos))
	}, func(f *infer.Func, st *summary.Stay) bool {
		ends := s.m.quick(f, st) && !s.mayTake(st) || s.slow(f, st)
		meant := s.across && st.Kind != summary.Waits && st.Kind != summary.Cut
		return ends || meant || s.m.conduct.Precedent(st, s.lock, s.mode())
	})
	if e.Stay != nil {
		return s.m.staying(e.In, e.Stay)
	}
	if e.Runs[s.f] {
		return refusal(s.f.Name + " would call itself under the lock, which it takes")
	}
	for g := range e.Runs {
		if s.takers[g] {
			return refusal(g.Name + ", which takes the lock itself, would be called under it")
		}
		if v := s.otherBare(g, func(token.Pos) bool { return true }); v != nil {
			return refusal(g.Name + ", which uses " + v.Name() + " without a lock, would be called under it")
		}
	}
	if v := s.otherBare(s.f, func(p token.Pos) bool { return from <= p && p < to }); v != nil {
		return refusal(v.Name() + ", which may get a lock of its own, is used in between")
	}
	if e.Odd {
		return "a lock that has no name of its own would be taken under this one"
	}
	for _, l := range e.Takes {
		if l == s.lock {
			return refusal(s.lock.Name() + " would be taken twice" + s.alsoTaken())
		}
		if s.m.conduct.Leads(l, s.lock) {
			return refusal(fmt.Sprintf("%s would be taken under the lock, and is elsewhere taken before %s", s.another(l), s.lock.Name()))
		}
		if g := s.takerUnder(l); g != nil {
			return refusal(fmt.Sprintf("%s would be taken under the lock, and %s, which takes the lock, may hold it", s.another(l), g.Name))
		}
	}
	return ""
}

// mayTake reports whether an unknown call may be one of a function that is to take a new
// lock: it has the same parameters and results.
func (s *scene) mayTake(st *summary.Stay) bool {
	sig := st.Sig
	if st.Func != nil {
		sig = st.Func.Signature()
	}
	for g := range s.takers {
		own := g.SSA.Signature
		if sig == nil || types.Identical(sig.Params(), own.Params()) && types.Identical(sig.Results(), own.Results()) {
			return true
		}
	}
	return false
}

// takerUnder returns a function that is to take a new lock where it may hold one that
// is taken in a section of the new lock, or one that is taken under that: each would
// wait for the other.
func (s *scene) takerUnder(l *types.Var) *infer.Func {
	t := s.m.conduct
	for _, g := range s.m.in.Pkg.Funcs {
		for _, x := range t.Locks() {
			if !s.takers[g] {
				break
			}
			if x != l && !t.Leads(l, x) {
				continue
			}
			if slices.Contains(t.Takes(g), x) || t.Under(x).Enters(g) {
				return g
			}
		}
	}
	return nil
}

// otherBare returns a map without a lock that a function uses at some places, where
// the lock at hand is a new one for other maps. It may get a mutex in the same run:
// a section that covered both would bring in an order that nothing has checked.
func (s *scene) otherBare(f *infer.Func, at func(token.Pos) bool) *types.Var {
	if s.takers == nil {
		return nil
	}
	for i := range f.Accesses {
		a := &f.Accesses[i]
		v := a.Path.Location().Var
		if v == nil || a.Fresh || !at(a.Pos) || slices.Contains(s.vars, v) || !isMap(v.Type()) {
			continue
		}
		if s.m.shared(v) {
			return v
		}
	}
	return nil
}

// mode is that of the section that is to be made.
func (s *scene) mode() locks.Mode {
	if s.reads {
		return locks.Read
	}
	return locks.Write
}

// staying words why a lock is not held over a place.
func (m *Maker) staying(f *infer.Func, s *summary.Stay) refusal {
	at := fmt.Sprintf(" (line %d)", m.in.Line(s.Pos))
	switch s.Kind {
	case summary.Waits:
		return refusal(f.Name + " would wait for another goroutine under the lock" + at)
	case summary.Value:
		if s.Field != nil {
			return refusal("the function in " + s.Field.Name() + " would run under the lock" + at + ", and may wait or call back")
		}
		return refusal("a function that is passed in runs in between" + at + ", which may wait or call back")
	case summary.Invokes, summary.Calls:
		return refusal(plainName(s.Func) + " would run under the lock" + at + ", and may wait")
	}
	return "too much would run under the lock"
}

func plainName(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok {
			return n.Obj().Name() + "." + fn.Name()
		}
		return fn.Name()
	}
	if fn.Pkg() != nil {
		return fn.Pkg().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// operations returns the places in the function where it takes or releases the
// lock itself, with their statements. Not ok: one of them is no plain statement
// of its own, or the lock is taken conditionally by Try.
func (s *scene) operations() (ops []*operation, ok bool) {
	at := make(map[token.Pos]bool)
	for i := range s.f.Locking {
		l := &s.f.Locking[i]
		if l.Lock.Location().Var != s.lock || at[l.Pos] {
			continue
		}
		at[l.Pos] = true
		op := &operation{step: l}
		ls := s.levels(l.Pos)
		if len(ls) == 0 {
			return nil, false
		}
		op.level = ls[len(ls)-1]
		var call *ast.CallExpr
		switch st := op.level.stmt().(type) {
		case *ast.ExprStmt:
			call, _ = st.X.(*ast.CallExpr)
		case *ast.DeferStmt:
			call, op.deferred = st.Call, true
		}
		if call == nil || len(call.Args) > 0 {
			return nil, false
		}
		sel, isSel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !isSel {
			return nil, false
		}
		switch sel.Sel.Name {
		case "Lock", "RLock":
			op.takes = true
		case "Unlock", "RUnlock":
		default:
			return nil, false
		}
		op.name = sel.Sel
		op.text = s.src.of(sel.X)
		ops = append(ops, op)
	}
	s.asTaken(ops)
	return ops, true
}

// asTaken names an embedded lock as the function does, which may write its field out.
func (s *scene) asTaken(ops []*operation) {
	full := s.text + "." + s.lock.Name()
	if s.lock.Embedded() && len(ops) > 0 && !slices.ContainsFunc(ops, func(o *operation) bool { return o.text != full }) {
		s.text = full
	}
}

// An operation is a statement that takes or releases the lock.
type operation struct {
	step     *summary.LockStep
	level    level
	name     *ast.Ident
	text     string
	takes    bool
	deferred bool
}

func (o *operation) reads() bool { return strings.HasPrefix(o.name.Name, "R") }
