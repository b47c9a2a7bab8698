package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// torn returns the marks that are no locks after all. A mark is a lock if it is taken back only by who has set it, as the
// locks tell that are held there; and if one mutex of its object is held from where it was found not to be set until it is
// set, the same one at all these places, and where it is taken back. An atomic step needs no mutex.
func (p *Package) torn() map[*types.Var]bool {
	out := make(map[*types.Var]bool)
	under := make(map[*types.Var][]*types.Var) // the mutexes that do for all places so far
	for _, f := range p.Funcs {
		for i := range f.Marks {
			m := &f.Marks[i]
			v := m.Lock.Location().Var
			if m.Latch || m.Asks {
				continue // see unlatch, Asked
			}
			if !m.Puts && !p.HeldFor(f, m.Held, m.Lock) && !p.endsForHolder(f, m) {
				out[v] = true
			}
			if m.Atomic || model.IsAtomic(v.Type()) {
				continue
			}
			by := p.mutexesOf(f, m)
			if was, known := under[v]; known {
				by = slices.DeleteFunc(by, func(mu *types.Var) bool { return !slices.Contains(was, mu) })
			}
			if under[v] = by; len(by) == 0 {
				out[v] = true
			}
		}
	}
	return out
}

// endsForHolder reports whether a mark is taken back for who has it, though the locks do not tell.
func (p *Package) endsForHolder(f *Func, m *summary.Mark) bool {
	return p.givenToHolder(f, m.Lock) || p.endsMark(f, m.Lock) || p.insists(m.Point.Instr(f.SSA)) && p.cameBy(f, m.Lock, make(map[*Func]bool))
}

// endsMark reports whether a method for other packages takes back, by its name, a mark that another one of its type sets: who calls it
// has the mark. Those that the package shows must have it.
func (p *Package) endsMark(f *Func, mark accesspath.Path) bool {
	if !isExported(f.SSA) {
		return false
	}
	sets := func(yield func(*ssa.Function) bool) {
		for _, g := range p.Funcs {
			sets := func(m summary.Mark) bool { return m.Puts && m.Lock.Location() == mark.Location() }
			if slices.ContainsFunc(g.Marks, sets) && !yield(g.SSA) {
				return
			}
		}
	}
	return endsBegun(f.SSA, sets) && p.heldAtSites(f, mark)
}

// givenToHolder reports whether a literal that takes a mark back is made behind where its function sets the mark, and goes to
// who has called that: the mark is his then, as long as he calls the literal once.
func (p *Package) givenToHolder(f *Func, mark accesspath.Path) bool {
	if f.SSA.Parent() == nil {
		return false
	}
	made := 0
	sets := func(lit ssa.Instruction) bool {
		return ssautil.Some(lit.Parent(), func(instr ssa.Instruction) bool {
			m := p.env.Mark(instr)
			return m != nil && m.Puts && m.Lock == mark && ssautil.Dominates(instr, lit)
		})
	}
	return !ssautil.Some(f.SSA.Parent(), func(instr ssa.Instruction) bool {
		if m := p.env.Mark(instr); m != nil && !m.Puts && !m.Asks && m.Lock == mark {
			return true
		}
		lit, ok := instr.(*ssa.MakeClosure)
		if !ok || lit.Fn != ssa.Value(f.SSA) {
			return false
		}
		made++
		return !onlyReturned(lit) || !sets(lit)
	}) && made == 1
}

// onlyReturned reports whether a function does nothing with a value but return it, perhaps as one of another type.
func onlyReturned(v ssa.Value) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.Return, *ssa.DebugRef:
			return false
		case *ssa.ChangeType:
			return !onlyReturned(r)
		}
		return true
	})
}

// mutexesOf returns the mutexes of a mark's object, or of the package, that are held for writing where the mark was found not to
// be set and, without a break, where it is set; or where it is taken back, and of a latch from the wait before that on. That
// of an object which leads to the latch's own will do for a latch.
func (p *Package) mutexesOf(f *Func, m *summary.Mark) []*types.Var {
	owner := m.Lock.Base()
	var out []*types.Var
	seen := m.Seen.Over(f.Ctx.Entry)
	for _, h := range m.Held.Over(f.Ctx.Entry) {
		near := h.Lock.Root().Kind == accesspath.Global || h.Lock.Parent() == owner || m.Latch && owner.HasPrefix(h.Lock.Parent())
		if mu := h.Lock.Location().Var; near && mu != nil && h.Mode == locks.Write && !locks.ApartOnly(h.Lock) {
			whole := !m.Puts && !m.Latch || slices.ContainsFunc(seen, func(s locks.Held) bool { return s.Lock == h.Lock && s.Mode == locks.Write && s.Sec.Same(h.Sec) })
			if whole {
				out = append(out, mu)
			}
		}
	}
	return out
}

// HeldFor reports whether a lock is held in a state of a function: by the function itself, or by each one that calls it, of
// which there is no other than those that the package shows.
func (p *Package) HeldFor(f *Func, s locks.State, lock accesspath.Path) bool {
	if heldIn(s.Held(), lock) {
		return true
	}
	sites := p.sites()[f]
	if slices.Contains(s.Left(), lock) || f.Ctx.Open() || f.Ctx.Escaped || len(sites) == 0 {
		return false
	}
	return p.heldAtSites(f, lock)
}

// heldAtSites reports whether a lock is held at each call of a function that the package shows.
func (p *Package) heldAtSites(f *Func, lock accesspath.Path) bool {
	return !slices.ContainsFunc(p.sites()[f], func(at site) bool {
		promised := at.caller.Ctx.Entry
		if at.caller.Ctx.Escaped {
			promised = nil
		}
		passed := at.call.Kind == summary.Goroutine && slices.ContainsFunc(at.call.Given, func(h locks.Held) bool { return p.IsMark(h.Lock) })
		return !at.call.Kind.InPlace() && !passed || !heldIn(p.entryAt(f, at, promised), lock)
	})
}

func heldIn(held []locks.Held, lock accesspath.Path) bool {
	return slices.ContainsFunc(held, func(h locks.Held) bool { return h.Lock == lock && h.Mode == locks.Write })
}
