package infer

import (
	"slices"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// takesAs returns the locks that a call passes to the callee, by the names that they have there besides: get(d, &d.m) passes the
// lock that get knows as d.m, too. The callee takes it by the one name, and has it by the other, as if its caller held it, if it
// takes it once and for all that it does: then a call that holds the lock, and passes nil, comes to the same.
func (p *Package) takesAs(f *Func, s site) []locks.Held {
	if !s.call.Kind.InPlace() || f.SSA.Parent() != nil {
		return nil
	}
	var out []locks.Held
	for i, param := range f.SSA.Params {
		if i >= len(s.call.Args) || !transfer.PointsToLock(param.Type()) || s.call.Args[i].InConst() {
			continue
		}
		lock, reading := s.call.Args[i], false
		if k := lock.Key(); k.InConst() && k.Root().Const == model.RLockerKey {
			lock, reading = lock.Parent(), true
		}
		mode := p.holdsThroughout(f, s, p.Paths.ParamOf(f.Key, i))
		other := p.otherName(f, s, lock, i)
		if mode == 0 || !other.Known() {
			continue
		}
		if reading {
			mode = locks.Read
		}
		out = append(out, locks.Held{Lock: other, Mode: mode, Sec: locks.Entry.Of()})
	}
	return out
}

// otherName names a lock of the caller in the callee's terms, but not by the argument that is the lock itself.
func (p *Package) otherName(f *Func, s site, lock accesspath.Path, itself int) accesspath.Path {
	if lock.Root().Kind == accesspath.Global {
		return lock
	}
	args := slices.Clone(s.call.Args)
	args[itself] = accesspath.Path{}
	return p.Paths.Express(lock, args, func(i int) accesspath.Path { return p.Paths.ParamOf(f.Key, i) })
}

// holdsThroughout returns the mode in which f holds a lock that it gets as an argument, and that is not nil, in one critical
// section around all that it does to maps with the arguments of a call; 0 if something may come before that section, or behind it.
func (p *Package) holdsThroughout(f *Func, s site, param accesspath.Path) locks.Mode {
	var states []locks.State
	for i := range f.Accesses {
		if a := &f.Accesses[i]; a.Op.Uses() && !a.Fresh && !a.Spawned {
			states = append(states, a.Held)
		}
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		if g := p.byKey[c.Callee]; g == nil || len(g.Accesses) == 0 || c.Kind == summary.Escaped {
			continue
		}
		if c.Kind == summary.Goroutine {
			return 0 // it may come behind
		}
		states = append(states, c.Held)
	}
	var in locks.Lock
	for _, st := range states {
		for _, c := range st.Cases() {
			_, possible := asked(f, s, c.When)
			if !possible || c.Excludes(locks.Cond{Val: param, Test: locks.Nil}) {
				continue
			}
			i := slices.IndexFunc(c.Locks, func(l locks.Lock) bool { return l.Path == param && l.Must() })
			if i < 0 || in.Sec != (locks.Sections{}) && !in.Sec.Same(c.Locks[i].Sec) {
				return 0
			}
			if in.Mode == 0 || c.Locks[i].Mode < in.Mode {
				in = c.Locks[i]
			}
		}
	}
	return in.Mode
}
