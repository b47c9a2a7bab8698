package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/check"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// writeLock fixes a write under a read lock: RLock becomes Lock and RUnlock
// becomes Unlock.
//
// It is safe. A write lock keeps out all that a read lock keeps out, so no
// access loses protection. What could go wrong is a deadlock, since a write
// lock waits for readers too, and a call that is never released any more:
//
//   - The lock is taken and released in this function alone: from each
//     acquisition that changes, all paths lead to releases that change too, and
//     no other acquisition leads to those. So every Lock meets its Unlock.
//   - What runs in between is brief: it takes no lock, neither this one again
//     nor another one, waits for no goroutine, and calls nothing that is not
//     known, but what the package calls under the write lock already. So a
//     goroutine that waits for the lock gets it.
//   - Where it is taken the function holds no other lock, nor do its callers as
//     far as they are known.
//   - No goroutine comes here with the read lock held, which was allowed until now:
//     no function of the package keeps it for its caller, no section under the
//     read lock may call this function, and other packages cannot take a lock
//     whose name they cannot see.
func (m *Maker) writeLock(f check.Finding) (*analysis.SuggestedFix, refusal) {
	lock, acqs := m.readLock(f)
	if !lock.Known() {
		return nil, "the map is not written right under the read lock, or not under it alone"
	}
	fn := f.Func
	by, ops := m.calls.lockOps(fn.SSA)
	group := m.group(fn, lock, acqs, by, ops)
	if group == nil {
		return nil, "the section is not taken and released here alone, or what runs in it may wait"
	}
	if !m.free(fn, lock.Location()) {
		return nil, "a caller may hold the read lock"
	}
	edits := m.rename(fn.SSA, group)
	if edits == nil {
		return nil, "the lock is not taken by a plain call"
	}
	return &analysis.SuggestedFix{Message: "take the write lock of " + m.in.Name(lock), TextEdits: edits}, ""
}

// readLock returns the one lock that is held, for reading, at all writes of the
// finding's map that the function makes under a read lock, and where it was
// taken.
func (m *Maker) readLock(f check.Finding) (lock accesspath.Path, acqs []locks.Sections) {
	for i := range f.Func.Accesses {
		a := &f.Func.Accesses[i]
		if a.Path.Location() != f.Loc || !a.Op.Writes() || !infer.Own(a) || a.Spawned || !m.underReadLock(f.Func, a) {
			continue
		}
		held := f.Func.Effective(a)
		own := a.Held.Held()
		if len(held) != 1 || len(own) != 1 || own[0] != held[0] || lock.Known() && own[0].Lock != lock {
			return accesspath.Path{}, nil
		}
		lock = own[0].Lock
		acqs = append(acqs, own[0].Sec)
	}
	return lock, acqs
}

func (m *Maker) underReadLock(f *infer.Func, a *access.Access) bool {
	held := m.in.Guards.Plausible(f.Effective(a), a.Path)
	return len(held) > 0 && locks.OnlyRead(held)
}

// group returns the operations on the lock that must change together, nil if
// they cannot.
func (m *Maker) group(fn *infer.Func, lock accesspath.Path, acqs []locks.Sections, by map[ssa.Instruction]*lockOp, ops []*lockOp) []*lockOp {
	starts := acquisitions(fn, lock, acqs)
	in := make(map[*lockOp]bool)
	var sections []*section
	for _, op := range ops {
		if op.path != lock || op.releases() {
			continue
		}
		if op.deferred() {
			return nil // taken when the function ends
		}
		sections = append(sections, m.calls.section(op, by, ops))
		in[op] = slices.Contains(starts, op.instr.Pos())
	}
	grow(sections, in)
	for _, s := range sections {
		if in[s.acquire] && !m.changeable(fn, s, lock, by) {
			return nil
		}
	}
	var out []*lockOp
	for _, op := range ops {
		if in[op] {
			out = append(out, op)
		}
	}
	return out
}

// grow adds the sections that share a release with those that change.
func grow(sections []*section, in map[*lockOp]bool) {
	for changed := true; changed; {
		changed = false
		for _, s := range sections {
			if !in[s.acquire] && !slices.ContainsFunc(s.releases, func(r *lockOp) bool { return in[r] }) {
				continue
			}
			for _, op := range append(s.releases, s.acquire) {
				changed = changed || !in[op]
				in[op] = true
			}
		}
	}
}

// acquisitions returns where the lock is taken that is held at the writes.
func acquisitions(fn *infer.Func, lock accesspath.Path, acqs []locks.Sections) []token.Pos {
	var out []token.Pos
	for _, step := range fn.Locking {
		if step.Acquire && step.Lock == lock && slices.ContainsFunc(acqs, func(a locks.Sections) bool { return a.Union(step.Sec) == a }) {
			out = append(out, step.Pos)
		}
	}
	return out
}

// changeable reports whether a section may take the write lock instead.
func (m *Maker) changeable(fn *infer.Func, s *section, lock accesspath.Path, by map[ssa.Instruction]*lockOp) bool {
	if s.acquire.kind != model.RLock || s.open || len(s.releases) == 0 {
		return false
	}
	for _, r := range s.releases {
		if r.kind != model.RUnlock {
			return false
		}
	}
	for _, instr := range s.instrs {
		if op := by[instr]; op != nil && op.deferred() && op.path == lock && op.kind == model.RUnlock {
			continue // this is how the section ends
		}
		if !m.calls.briefInstr(instr) && !m.underWriteLock(fn, instr, lock) {
			return false
		}
	}
	return true
}

// underWriteLock reports whether an instruction calls what the package calls under the write
// lock elsewhere, and does no more: a function of another package, or one that a field beside the
// lock has held since it was made.
func (m *Maker) underWriteLock(f *infer.Func, instr ssa.Instruction, lock accesspath.Path) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || !lock.Location().Valid() {
		return false
	}
	if field := m.heldBeside(call, lock); field != nil {
		return m.setWhileMade(field) && slices.ContainsFunc(m.in.Pkg.Funcs, func(g *infer.Func) bool { return m.callsUnder(g, field, lock.Location()) })
	}
	known := false
	for i := range f.Stays {
		s := &f.Stays[i]
		if s.Pos != call.Pos() {
			continue
		}
		if !m.conduct.Precedent(s, lock.Location().Var, locks.Write) {
			return false
		}
		known = true
	}
	return known
}

// heldBeside returns the field out of which a call takes the function that it calls, if that
// lies in the object of a lock, and gets nothing; nil if it does not.
func (m *Maker) heldBeside(call *ssa.Call, lock accesspath.Path) *types.Var {
	load, ok := call.Call.Value.(*ssa.UnOp)
	if !ok || len(call.Call.Args) > 0 || call.Call.IsInvoke() {
		return nil
	}
	addr, ok := load.X.(*ssa.FieldAddr)
	if !ok || m.in.Pkg.Paths.Field(m.in.Pkg.Paths.Of(addr.X), lock.Location().Var) != lock {
		return nil
	}
	return ssautil.FieldOf(addr)
}

// callsUnder reports whether a section of the lock in which it is held for writing calls what a
// field beside it holds.
func (m *Maker) callsUnder(g *infer.Func, field *types.Var, lock accesspath.Location) bool {
	by, ops := m.calls.lockOps(g.SSA)
	return slices.ContainsFunc(ops, func(op *lockOp) bool {
		if op.kind != model.Lock || op.deferred() || op.path.Location() != lock {
			return false
		}
		return slices.ContainsFunc(m.calls.section(op, by, ops).instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(*ssa.Call)
			return ok && m.heldBeside(call, op.path) == field
		})
	})
}

// free reports whether the function is called with no lock held, as far as can
// be seen, and above all not with the read lock itself.
func (m *Maker) free(fn *infer.Func, lock accesspath.Location) bool {
	if !lock.Valid() || len(fn.Ctx.Maybe) > 0 || lock.Var.Exported() && m.public(fn) {
		return false
	}
	for _, g := range m.in.Pkg.Funcs {
		if slices.ContainsFunc(g.Effect.Takes(), func(h locks.Held) bool { return h.Lock.Location().Var == lock.Var }) {
			return false // it keeps the lock for its caller
		}
		if m.holdsAround(g, fn) || m.readsAround(g, fn, lock) {
			return false
		}
	}
	return true
}

// public reports whether other packages, which may hold a lock that they can
// name, can come to the function.
func (m *Maker) public(fn *infer.Func) bool {
	return fn.Ctx.Escaped || slices.ContainsFunc(m.in.Pkg.Funcs, func(g *infer.Func) bool {
		if !g.Is(role.Public) && !g.Is(role.Method) {
			return false
		}
		return g == fn || slices.ContainsFunc(g.SSA.Blocks, func(b *ssa.BasicBlock) bool { return m.calls.mayCall(b.Instrs, fn.SSA) })
	})
}

// holdsAround reports whether g holds a lock where it calls fn.
func (m *Maker) holdsAround(g, fn *infer.Func) bool {
	key := accesspath.FuncKey(fn.SSA)
	return slices.ContainsFunc(g.Calls, func(c summary.Call) bool {
		return c.Callee == key && c.Kind != summary.Goroutine && (len(g.EffectiveState(c.Held)) > 0 || len(c.Held.Perhaps()) > 0 || len(g.Ctx.Maybe) > 0)
	})
}

// readsAround reports whether g may call fn, directly or through others, in a
// section under the read lock, or under one that may be it.
func (m *Maker) readsAround(g, fn *infer.Func, lock accesspath.Location) bool {
	by, ops := m.calls.lockOps(g.SSA)
	return slices.ContainsFunc(ops, func(op *lockOp) bool {
		loc := op.path.Location()
		if op.releases() || loc.Valid() && loc.Var != lock.Var {
			return false
		}
		if loc == lock && op.kind != model.RLock && op.kind != model.TryRLock {
			return false // under the write lock it could not go on even now
		}
		// What runs under the write lock, too, does not come back for it.
		instrs := slices.DeleteFunc(m.calls.section(op, by, ops).instrs, func(instr ssa.Instruction) bool { return m.underWriteLock(g, instr, op.path) })
		return m.calls.mayCall(instrs, fn.SSA)
	})
}

var writing = map[string]string{"RLock": "Lock", "RUnlock": "Unlock"}

// rename edits the calls in the function's source; nil if one of them is not
// written as a call of the method.
func (m *Maker) rename(fn *ssa.Function, ops []*lockOp) []analysis.TextEdit {
	at := make(map[token.Pos]*ast.CallExpr)
	if fn.Syntax() == nil {
		return nil
	}
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			at[call.Lparen] = call
		}
		return true
	})
	var edits []analysis.TextEdit
	for _, op := range ops {
		call := at[op.instr.Common().Pos()]
		if call == nil {
			return nil
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || writing[sel.Sel.Name] == "" || !m.twin(sel, writing[sel.Sel.Name]) {
			return nil
		}
		edits = append(edits, replace(sel.Sel, writing[sel.Sel.Name]))
	}
	return edits
}

// twin reports whether x.name is a method of the same mutex as the selected
// one.
func (m *Maker) twin(sel *ast.SelectorExpr, name string) bool {
	s := m.pass.TypesInfo.Selections[sel]
	if s == nil || s.Kind() != types.MethodVal {
		return false
	}
	obj, index, _ := types.LookupFieldOrMethod(s.Recv(), true, m.pass.Pkg, name)
	fn, ok := obj.(*types.Func)
	if !ok || fn.Pkg() != s.Obj().Pkg() {
		return false
	}
	last := len(index) - 1
	return last == len(s.Index())-1 && slices.Equal(index[:last], s.Index()[:last]) && model.Lookup(fn).Kind != model.None
}
