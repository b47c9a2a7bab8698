package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// KeepsRoom reports whether a counter stands for those alone who have counted it up: once its object is made, it only
// goes up, and down by one where the same call of a function has counted it up and not down again.
func (p *Package) KeepsRoom(counter accesspath.Path) bool {
	all, known := p.allChanges(counter)
	return known && !slices.ContainsFunc(all, func(c change) bool { return !p.counts(c) && !p.inTheMaking(c) && !p.givesBack(c, all) })
}

// givesBack reports whether a change of a counter takes back, once, what its function has counted up, or what that has
// which defers the literal where it stands.
func (p *Package) givesBack(down change, all []change) bool {
	addr := depend.CountsDown(p.Paths, down.at)
	if addr == nil {
		return false
	}
	at, counter := down.at, p.Paths.Of(addr)
	if d := deferredBy(down.at.Parent()); d != nil {
		if slices.ContainsFunc(all, func(d change) bool { return d.at != down.at && d.at.Parent() == down.at.Parent() && p.lowers(d) }) {
			return false
		}
		at = d
	}
	for _, b := range at.Parent().Blocks {
		for _, up := range b.Instrs {
			if b.Dominates(at.Block()) && p.raises(up, counter) && ssautil.Dominates(up, at) && p.downOnce(up, at, all) {
				return true
			}
		}
	}
	return false
}

// deferredBy returns the defer statement that alone uses a literal, nil if there is none.
func deferredBy(fn *ssa.Function) *ssa.Defer {
	mc := ssautil.MakerOf(fn)
	if mc == nil {
		return nil
	}
	var only *ssa.Defer
	for _, r := range *mc.Referrers() {
		if _, debug := r.(*ssa.DebugRef); debug {
			continue
		}
		d, ok := r.(*ssa.Defer)
		if !ok || only != nil || d.Call.Value != ssa.Value(mc) {
			return nil
		}
		only = d
	}
	return only
}

// lowers reports whether a change counts a counter down.
func (p *Package) lowers(c change) bool { return depend.CountsDown(p.Paths, c.at) != nil }

// downOnce reports whether nothing else counts a counter down on the way from where it is counted up to where it is
// counted down; or to the end, if that is deferred.
func (p *Package) downOnce(up, down ssa.Instruction, all []change) bool {
	flow, end := ssautil.NewFlow(up.Parent(), nil), pointOf(down)
	return !slices.ContainsFunc(all, func(d change) bool {
		if d.at.Parent() != up.Parent() || !p.lowers(d) {
			return false
		}
		_, late := down.(*ssa.Defer)
		return late || flow.ReachesPast(up.Block(), pointOf(d.at), end)
	})
}

// raises reports whether an instruction counts a counter up, by itself or in a callee whatever that does.
func (p *Package) raises(instr ssa.Instruction, counter accesspath.Path) bool {
	if addr := depend.CountsUp(p.Paths, instr); addr != nil {
		return p.Paths.Of(addr) == counter
	}
	call, ok := instr.(*ssa.Call)
	if !ok || counter.Depth() == 0 {
		return false
	}
	fn, args := ssautil.Callee(&call.Call)
	if fn == nil || p.byKey[fn.Origin()] == nil {
		return false
	}
	return slices.ContainsFunc(p.byKey[fn.Origin()].Counts, func(c accesspath.Path) bool {
		r := c.Root()
		field := c.Depth() == 1 && r.Kind == accesspath.Param && r.Index < len(args) && c.LastField() == counter.LastField()
		return field && p.Paths.Of(args[r.Index]) == counter.Parent()
	})
}
