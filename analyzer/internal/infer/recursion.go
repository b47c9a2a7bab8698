package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// maxRounds bounds the rounds in which the lock effects of a recursive
// component settle. Where the bound cuts, nothing is known of them. It bounds
// those of ownership, too, where what a recursive call gives is shared then.
const maxRounds = 12

// recursive computes the summaries of a component. The accesses of a function
// grow only by what callees add, so two rounds see what each does to the
// others; in between, what they do to locks and to ownership is computed alone
// until it no longer changes.
func (p *Package) recursive(scc []*Func) {
	fns := make([]*ssa.Function, len(scc))
	for i, f := range scc {
		fns[i], f.Recursive = f.SSA, true
	}
	p.env.Component = transfer.NewComponent(fns)
	changed := make(map[*Func]bool)
	for _, f := range scc {
		f.Func = transfer.Analyze(f.SSA, p.env)
		changed[f] = !f.Effect.None()
	}
	if !p.effectsFromBelow(scc) {
		p.settleEffects(scc, changed)
	}
	p.settleOwnership(scc)
	for _, f := range scc {
		effect, cuts := f.Effect, f.Cuts
		f.Func = transfer.Analyze(f.SSA, p.env)
		f.Effect = effect
		for _, cut := range cuts {
			if !slices.Contains(f.Cuts, cut) {
				f.Cuts = append(f.Cuts, cut)
			}
		}
	}
	p.env.Component = nil
}

// effectsFromBelow computes the lock effects of a component by the ways that end the recursion: until a return of a function
// is known, no call of it comes back. It reports whether they settle, and whether each function returns; if not, the effects
// are as they were. A component that itself does nothing to locks is left as it is.
func (p *Package) effectsFromBelow(scc []*Func) bool {
	if !slices.ContainsFunc(scc, func(f *Func) bool { return len(f.Locking) > 0 || !f.Effect.None() }) {
		return false
	}
	before, changed := make(map[*Func]locks.Effect), make(map[*Func]bool)
	for _, f := range scc {
		before[f], changed[f] = f.Effect, true
		f.Effect = locks.Effect{}
		p.env.Component.SetPending(f.SSA, true)
	}
	pending := func(f *Func) bool { return p.env.Component.Pending(f.SSA) }
	settled := p.settles(scc, changed, func(f *Func) bool {
		effect, returns := transfer.Effect(f.SSA, p.env)
		same := pending(f) != returns && effect.Equal(f.Effect)
		f.Effect = effect
		p.env.Component.SetPending(f.SSA, !returns)
		return !same
	}) && !slices.ContainsFunc(scc, pending)
	for _, f := range scc {
		if p.env.Component.SetPending(f.SSA, false); !settled {
			f.Effect = before[f]
		}
	}
	return settled
}

func (p *Package) settleEffects(scc []*Func, changed map[*Func]bool) {
	if p.settles(scc, changed, func(f *Func) bool {
		effect, _ := transfer.Effect(f.SSA, p.env)
		same := effect.Equal(f.Effect)
		if !same {
			f.Effect = effect
		}
		return !same
	}) {
		return
	}
	for _, f := range scc {
		if f.Effect = f.Effect.Unknown(); !f.Effect.None() {
			f.Cuts = append(f.Cuts, "a recursion whose effect on locks does not settle")
		}
	}
}

// settles has step work out again what it says of each function of a component of which a callee
// has changed, round by round; step reports whether it did change. It reports whether nothing
// changes any more within maxRounds.
func (p *Package) settles(scc []*Func, changed map[*Func]bool, step func(*Func) bool) bool {
	for range maxRounds {
		next := make(map[*Func]bool)
		for _, f := range scc {
			called := slices.ContainsFunc(p.callees(f), func(g *Func) bool { return changed[g] || next[g] })
			if called && step(f) {
				next[f] = true
			}
		}
		if changed = next; len(changed) == 0 {
			return true
		}
	}
	return false
}

// settleOwnership computes who owns what in a component, from below: what a
// recursive call gives comes from the ways that end the recursion, so that an
// object which a function stores in there stays with the one who has both.
func (p *Package) settleOwnership(scc []*Func) {
	before, changed := make(map[*Func]*ownership.Func), make(map[*Func]bool)
	for _, f := range scc {
		if f.Own != nil {
			before[f], changed[f] = f.Own, true
			f.Own = f.Own.Bottom()
		}
	}
	if p.settles(scc, changed, func(f *Func) bool {
		if before[f] == nil {
			return false
		}
		own := transfer.Ownership(f.SSA, p.env)
		same := own.Equal(f.Own)
		if !same {
			f.Own = own
		}
		return !same
	}) {
		return
	}
	for f, own := range before {
		f.Own = own
		f.Cuts = append(f.Cuts, "a recursion whose effect on ownership does not settle")
	}
}
