package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// Asked reports whether an access is made where a mark of its map's object, a flag, was found not to be set, or was taken back, in
// one section of the mutex under which the mark is set: no one has the mark there, and no one gets it before that section ends. That
// is so by the function, or by all that call it. Complexity: linear in the operations on marks of the function and its callers.
func (p *Package) Asked(f *Func, a *access.Access, mark *types.Var) bool {
	if f == nil || mark == nil || ssautil.IsMap(mark.Type()) || a.Path.Location().Elems > 0 {
		return false
	}
	if a.Lifted || a.Spawned || a.Point.Deferred {
		return false // it is made elsewhere, or later
	}
	at := a.Point.Instr(f.SSA)
	object, ok := ownerOf(a.Path)
	if !ok || at == nil {
		return false
	}
	q := &asking{p: p, mark: mark, under: p.mutexesFor(mark)}
	return len(q.under) > 0 && q.unsetAt(f, object, at, &use{f.Effective(a), !a.Op.Writes()}, maxFilling)
}

// An asking is a flag that is a mark, and the mutexes that are held where it is found unset and set, and where it is taken back.
type asking struct {
	p     *Package
	mark  *types.Var
	under []*types.Var
}

// asksMark returns the question of a branch whether a flag is set that is read in the branch's block; nil if nothing else is made
// of what is read.
func (p *Package) asksMark(read *ssa.UnOp) *transfer.Mark {
	b := read.Block()
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return nil
	}
	lock := p.Paths.Of(read.X)
	look, side := p.unsetFlag(br.Cond, lock)
	if look != ssa.Instruction(read) {
		return nil
	}
	return &transfer.Mark{Lock: lock, Asks: true, Look: look, To: b.Succs[side]}
}

// mutexesFor returns the mutexes that each operation on a mark is made under. What sets the mark takes them itself: so no one who
// has such a mutex calls it. There are none for a mark that is set by an atomic step.
func (p *Package) mutexesFor(mark *types.Var) []*types.Var {
	if out, ok := p.askedUnder[mark]; ok {
		return out
	}
	var out []*types.Var
	first := true
	for _, f := range p.Funcs {
		for i := range f.Marks {
			m := &f.Marks[i]
			if m.Asks || m.Lock.Location().Var != mark {
				continue
			}
			var by []*types.Var
			if !m.Atomic && !m.Latch {
				by = p.mutexesOf(f, m)
			}
			if m.Puts {
				by = slices.DeleteFunc(by, func(mu *types.Var) bool {
					return !slices.ContainsFunc(m.Held.Held(), func(h locks.Held) bool { return h.Lock.Location().Var == mu })
				})
			}
			if !first {
				by = slices.DeleteFunc(by, func(mu *types.Var) bool { return !slices.Contains(out, mu) })
			}
			out, first = by, false
		}
	}
	if p.askedUnder == nil {
		p.askedUnder = make(map[*types.Var][]*types.Var)
	}
	p.askedUnder[mark] = out
	return out
}

// unsetAt reports whether a function comes to a use of the map only where an object's mark is not set, and stays so until the
// section ends. A helper that does nothing to the mutexes is in the section of its callers.
func (q *asking) unsetAt(f *Func, object accesspath.Path, at ssa.Instruction, u *use, depth int) bool {
	if slices.ContainsFunc(f.Marks, func(m summary.Mark) bool { return q.tellsAt(f, &m, object, at, u) }) {
		return true
	}
	locked := func(l summary.LockStep) bool { return slices.Contains(q.under, l.Lock.Location().Var) }
	if slices.ContainsFunc(f.Locking, locked) {
		return false
	}
	return q.p.atAllCalls(f, object, depth, func(x site, given accesspath.Path) bool {
		call := x.call.Point.Instr(x.caller.SSA)
		held := x.call.Held.Over(x.caller.Ctx.Entry)
		return call != nil && !x.call.Point.Deferred && q.unsetAt(x.caller, given, call, &use{held, u.reading}, depth-1)
	})
}

// tellsAt reports whether an operation on a mark tells of a use of the map that the mark is not set there.
func (q *asking) tellsAt(f *Func, m *summary.Mark, object accesspath.Path, at ssa.Instruction, u *use) bool {
	if m.Puts || m.Deferred || m.Lock.Location().Var != q.mark {
		return false
	}
	of, ok := ownerOf(m.Lock)
	op := m.Point.Instr(f.SSA)
	if !ok || of != object || op == nil || !q.inSection(f, m, u) {
		return false
	}
	if !m.Asks && !ssautil.Dominates(op, at) || m.Asks && !ssautil.DominatesEdgeBut(op.Block(), m.Side, at.Block(), endsProgram) {
		return false
	}
	return !slices.ContainsFunc(q.p.changes()[q.mark], func(c change) bool {
		return c.at.Parent() == f.SSA && c.at != op && f.Flow.Between(pointOf(op), pointOf(c.at), pointOf(at))
	})
}

// inSection reports whether one section of such a mutex has both an operation on the mark and a use of the map. Who only reads needs
// the mutex for reading alone.
func (q *asking) inSection(f *Func, m *summary.Mark, u *use) bool {
	then := m.Held.Over(f.Ctx.Entry)
	if m.Asks {
		then = m.Seen.Over(f.Ctx.Entry)
	}
	return slices.ContainsFunc(u.held, func(h locks.Held) bool {
		if !slices.Contains(q.under, h.Lock.Location().Var) || h.Mode != locks.Write && !u.reading {
			return false
		}
		return slices.ContainsFunc(then, func(s locks.Held) bool { return s.Lock == h.Lock && s.Mode == h.Mode && s.Sec.Same(h.Sec) })
	})
}
