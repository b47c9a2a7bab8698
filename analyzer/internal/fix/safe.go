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
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

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
	e := s.during(from, to, skip)
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

// during returns what runs while a stretch of the source does, but for what skip accepts, and for what is known to end by itself.
func (s *scene) during(from, to token.Pos, skip func(token.Pos) bool) conduct.Effect {
	return s.m.conduct.Of(s.f, func(at conduct.Spot) bool {
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
	}, s.ends)
}

// ends reports whether what runs at a place ends by itself, or may be held over.
func (s *scene) ends(f *infer.Func, st *summary.Stay) bool {
	ends := s.m.quick(f, st) && !s.mayTake(st) || s.slow(f, st)
	meant := s.across && st.Kind != summary.Waits && st.Kind != summary.Cut
	return ends || meant || s.m.conduct.Precedent(st, s.lock, s.mode())
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
