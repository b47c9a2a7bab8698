package transfer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// rooms notes the looks that add a counter, or the size of another map, to that of their map, read in one section with
// it; and the pairs with such a look whose act is made in its section, or while the counter stands for it: it was counted
// up in the look's section, on each way to the act, and is counted down in the act's section at the earliest.
func (a *analysis) rooms() {
	for i, e := range a.events {
		if size, ok := e.instr.(ssa.Value); ok && e.acc.Op == access.Len && !e.acc.Lifted {
			if n, at := a.dep.Beside(size); at != nil && a.inOneSection(at, e.instr) {
				e.acc.Beside, a.sum.Accesses[i].Beside = n, n
			}
		}
	}
	var ups []counting
	for _, p := range a.sum.Pairs {
		c, act := a.events[p.Check], a.events[p.Act]
		n := c.acc.Beside
		if !n.Known() || act.acc.Spawned || act.acc.Point.Deferred || !a.inPlace(c) || !a.inPlace(act) {
			continue
		}
		if ups == nil {
			ups = a.countings()
		}
		if a.inOneSection(c.instr, act.instr) || a.standsUntil(ups, n, c.instr, act.instr) {
			a.sum.Rooms = append(a.sum.Rooms, summary.Version{Check: p.Check, Act: p.Act, Counter: n})
		}
	}
}

// standsUntil reports whether a counter is counted up in the section of a look, and stays so until the section of an act.
func (a *analysis) standsUntil(ups []counting, n accesspath.Path, look, act ssa.Instruction) bool {
	up := slices.IndexFunc(ups, func(u counting) bool {
		return u.counter == n && ssautil.Dominates(u.at, act) && a.inOneSection(u.at, look)
	})
	return up >= 0 && !a.countedDown(n, ups[up].at, act)
}

// countedDown reports whether a function may count a counter down between two points, in another section than the
// second one's.
func (a *analysis) countedDown(n accesspath.Path, from, to ssa.Instruction) bool {
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			addr := depend.CountsDown(a.Paths, instr)
			if addr == nil || a.Paths.Of(addr) != n || a.inOneSection(instr, to) {
				continue
			}
			if a.reach.MayPrecede(from, instr) && a.reach.MayPrecede(instr, to) {
				return true
			}
		}
	}
	return false
}
