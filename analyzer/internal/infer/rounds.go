package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A loop that walks over a map, or counts, has each key in one round alone. So has the goroutine that the round starts,
// as far as the entries of an object go for which the loop is walked once: no other one comes to its entry.

// RoundOf returns the statement that starts the literal which makes an access, one goroutine in each round of a walk, where
// the entry goes by the key of the round and the map is of an object that the walking function makes before.
// Complexity: the loops around the statement.
func (p *Package) RoundOf(f *Func, a *access.Access) (start any, ok bool) {
	lit := ssautil.MakerOf(f.SSA)
	if lit == nil || a.Key.Depth() > 0 {
		return nil, false
	}
	at := p.soleStart(f, lit)
	if at == nil {
		return nil, false
	}
	key := keyOfRound(f, lit, at, a.Key.Root())
	made, isMade := a.Path.Root().Val.(ssa.Instruction)
	if key == nil || !isMade || made.Parent() != lit.Parent() || !p.Makes(a.Path.Root().Val) || !p.OwnParts(a.Path.Base()) {
		return nil, false
	}
	for h := at.Block(); h != nil; h = h.Idom() {
		if w, walks := ssautil.WalkAt(h); walks && w.Key == key && w.In[at.Block()] {
			return at, p.walkedOnce(&w, h, made.Block())
		}
	}
	return nil, false
}

// soleStart returns the statement that starts a literal in one goroutine each time, if nothing else runs the literal.
func (p *Package) soleStart(f *Func, lit *ssa.MakeClosure) ssa.CallInstruction {
	sites := p.sites()[f]
	if len(sites) != 1 || sites[0].call.Kind != summary.Goroutine || f.Ctx.Open() || f.Ctx.Escaped {
		return nil
	}
	at, ok := sites[0].call.Point.Instr(sites[0].caller.SSA).(ssa.CallInstruction)
	if !ok || at.Parent() != lit.Parent() || at.Block() != lit.Block() {
		return nil
	}
	if start, ok := at.(*ssa.Go); ok && start.Call.Value == ssa.Value(lit) {
		return at
	}
	fn, args := ssautil.Callee(at.Common())
	passed := slices.ContainsFunc(args, func(arg ssa.Value) bool { return ssautil.Unwrap(arg) == ssa.Value(lit) })
	if fn == nil || !passed || model.Lookup(fn).Kind != model.Spawn || model.Repeats(fn) {
		return nil
	}
	return at
}

// keyOfRound returns the value, in the function that makes a literal, of a variable that the literal captures or gets,
// if it is another variable for each time that the literal is made; nil if not.
func keyOfRound(f *Func, lit *ssa.MakeClosure, at ssa.CallInstruction, r accesspath.Root) ssa.Value {
	if r.Kind == accesspath.Param {
		if args := at.Common().Args; r.Fn == f.Key && r.Index < len(args) && at.Common().Value == ssa.Value(lit) {
			return ssautil.Settled(args[r.Index])
		}
		return nil
	}
	v := r.Val
	if r.Kind != accesspath.Value || v == nil {
		return nil
	}
	key := captive(v)
	for _, b := range lit.Bindings {
		cell, variable := b.(*ssa.Alloc)
		if captive(b) == key && variable && !ssautil.Again(lit.Block(), map[*ssa.BasicBlock]bool{cell.Block(): true}) {
			return key
		}
	}
	return nil
}

// walkedOnce reports whether a walk that begins at h is made once for what is made in a block, and what it walks over
// gets no further elements meanwhile.
func (p *Package) walkedOnce(w *ssautil.Walk, h, made *ssa.BasicBlock) bool {
	if w.In[made] || slices.ContainsFunc(h.Preds, func(b *ssa.BasicBlock) bool {
		return !w.In[b] && ssautil.Again(b, map[*ssa.BasicBlock]bool{made: true})
	}) {
		return false
	}
	for b := range w.In {
		for _, instr := range b.Instrs {
			if up, ok := instr.(*ssa.MapUpdate); ok && w.Map != nil && p.Paths.Of(up.Map) == p.Paths.Of(w.Map) {
				return false
			}
		}
	}
	return true
}
