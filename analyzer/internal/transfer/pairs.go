package transfer

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// pairs links each check to the acts on the same map that depend on it.
func (a *analysis) pairs() {
	byPath := make(map[accesspath.Path][]int)
	for i := range a.events {
		if a.events[i].acc.Op.Writes() {
			byPath[a.events[i].acc.Path] = append(byPath[a.events[i].acc.Path], i)
		}
	}
	slices := 0
	for i := range a.events {
		c := a.events[i]
		acts := byPath[c.acc.Path]
		if !c.acc.Op.Checks() || len(c.outcomes) == 0 || len(acts) == 0 {
			continue
		}
		if slices >= maxSlices {
			a.cut("looks whose dependences are followed", maxSlices)
			break
		}
		slices++
		a.pairsOf(i, acts)
	}
	a.askedAgain()
	for _, p := range a.chainPairs {
		a.sum.Pairs = append(a.sum.Pairs, p)
		a.notePair(p, &depend.Act{})
	}
	a.ensured()
}

// askedAgain notes the pairs whose look is asked again wherever its section has
// ended on the way to the act: if full { wait(); if full { return } }.
func (a *analysis) askedAgain() {
	for i := range a.sum.Pairs {
		p := &a.sum.Pairs[i]
		c, act := a.events[p.Check], a.events[p.Act]
		if !p.Has(depend.Control) || !a.inPlace(c) || !a.inPlace(act) || locks.SameSections(c.acc.Held, act.acc.Held) {
			continue
		}
		if a.dep.Unbroken(c.look(), a.actOf(act)) {
			p.Traits |= depend.Again
			continue
		}
		for _, q := range a.sum.Pairs {
			c2 := a.events[q.Check]
			same := q.Act == p.Act && c2.acc.Op == c.acc.Op && c2.acc.Key == c.acc.Key && a.inPlace(c2)
			if same && q.Check != p.Check && q.Has(depend.Control) && a.dep.AskedAgain(c.look(), c2.look(), a.actOf(act)) {
				p.Traits |= depend.Again
				break
			}
		}
	}
	a.askedSince()
}

// askedSince notes the pairs before whose act there is always another look that
// asks the same, and which is asked again itself wherever its section has ended:
// now := m[k]; for now != old { wait(); old = now; now = m[k] }.
func (a *analysis) askedSince() {
	for i := range a.sum.Pairs {
		p := &a.sum.Pairs[i]
		c, act := a.events[p.Check], a.events[p.Act]
		if p.Has(depend.Again) || !p.Has(depend.Control) || !a.inPlace(c) || !a.inPlace(act) {
			continue
		}
		if slices.ContainsFunc(a.sum.Pairs, func(q summary.Pair) bool {
			c2 := a.events[q.Check]
			same := q.Act == p.Act && c2.acc.Op == c.acc.Op && c2.acc.Key == c.acc.Key
			return same && q.Has(depend.Again) && a.dep.AskedSince(c.look(), c2.look(), a.actOf(act))
		}) {
			p.Traits |= depend.Again
		}
	}
}

// inPlace reports whether an access lies in the sections that its instruction
// shows: it stands there, or in a callee that leaves the locks alone.
func (a *analysis) inPlace(e *event) bool {
	if !e.acc.Lifted {
		return true
	}
	s := a.stateAt(e.instr)
	return locks.SameSections(s, e.acc.Held) && locks.SameSections(e.acc.Held, s)
}

// ensured links a look that made sure of an entry, by putting it in where it
// was absent, to a later look in another section that relies on it.
func (a *analysis) ensured() {
	for _, p := range slices.Clone(a.sum.Pairs) {
		check, act := a.events[p.Check], a.events[p.Act]
		creates := act.acc.Op == access.Insert && !act.acc.Lifted && act.acc.Key == check.acc.Key
		if !creates || !p.Has(depend.Control) || p.Polarity == depend.Present || !act.acc.Key.Known() {
			continue
		}
		for i := range a.events {
			again := a.events[i]
			sameEntry := again.acc.Path == act.acc.Path && again.acc.Key == act.acc.Key
			if !sameEntry || !relies(again) || locks.SameSections(act.acc.Held, again.acc.Held) {
				continue
			}
			if ssautil.Dominates(check.instr, again.instr) && a.reach.MayPrecede(act.instr, again.instr) {
				d := depend.Dependence{Traits: depend.Ensured, Polarity: depend.Present}
				a.sum.Pairs = append(a.sum.Pairs, summary.Pair{Check: p.Check, Act: i, Dependence: d})
			}
		}
	}
}

// relies reports whether a look-up takes for granted that the entry is there:
// it does not ask, and the reference that it gives is used in a way that a nil one does
// not bear.
func relies(e *event) bool {
	l, ok := e.instr.(*ssa.Lookup)
	if !ok || l.CommaOk || e.acc.Op != access.Lookup || !ssautil.PointerLike(l.Type()) {
		return false
	}
	needs := false
	for _, r := range *l.Referrers() {
		if b, ok := r.(*ssa.BinOp); ok && (ssautil.IsNil(b.X) || ssautil.IsNil(b.Y)) {
			return false
		}
		needs = needs || !bearsNil(l, r)
	}
	return needs
}

// bearsNil reports whether the use of a reference does as well with a nil one: it compares it,
// or reads from a map, or deletes there.
func bearsNil(ref ssa.Value, use ssa.Instruction) bool {
	switch use := use.(type) {
	case *ssa.BinOp, *ssa.Range, *ssa.DebugRef:
		return true
	case *ssa.Lookup:
		return use.X == ref
	case *ssa.Call:
		b, ok := use.Call.Value.(*ssa.Builtin)
		return ok && (b.Name() == "len" || b.Name() == "clear" || b.Name() == "delete" && use.Call.Args[0] == ref)
	}
	return false
}

func (a *analysis) pairsOf(ci int, acts []int) {
	l := a.events[ci].look()
	for _, ai := range acts {
		act := a.actOf(a.events[ai])
		d, ok := a.dep.Between(l, act)
		if !ok {
			continue
		}
		p := summary.Pair{Check: ci, Act: ai, Dependence: d}
		a.sum.Pairs = append(a.sum.Pairs, p)
		a.notePair(p, act)
	}
}

// look is a recorded event as the theory of dependence sees it.
func (e *event) look() *depend.Look {
	if e.asLook == nil {
		e.asLook = &depend.Look{Instr: e.instr, Op: e.acc.Op, Outcomes: e.outcomes, Presence: e.presence, Senses: e.senses, Misses: e.misses, Lifted: e.acc.Lifted}
	}
	return e.asLook
}

func (a *analysis) actOf(e *event) *depend.Act {
	return &depend.Act{
		Instr: e.instr, Op: e.acc.Op, Path: e.acc.Path, Value: e.value, Key: e.key, Inputs: e.inputs, From: e.from,
		Empty: e.acc.Empty, Lifted: e.acc.Lifted, Results: a.resultValues(e.instr),
	}
}

// maxLooked bounds the looks that are noted of one access.
const maxLooked = 4

// noteLook adds a look to those on which an access depends.
func noteLook(looks []token.Pos, at token.Pos) []token.Pos {
	if len(looks) >= maxLooked || slices.Contains(looks, at) {
		return looks
	}
	return append(slices.Clip(looks), at)
}

// notePair notes at the accesses of a pair what callers need to know of it.
func (a *analysis) notePair(p summary.Pair, act *depend.Act) {
	c, x := &a.sum.Accesses[p.Check], &a.sum.Accesses[p.Act]
	same := locks.SameSections(c.Held, x.Held)
	if p.Has(depend.Data) && c.Op != access.Len && same {
		x.Stored = access.StoredDerived
	}
	x.Merged = x.Merged || same && a.dep.Merges(a.events[p.Check].look(), act)
	if p.Has(depend.Returned) {
		a.uses(p.Act, ssautil.Unwrap(act.Value))
	}
	x.Rechecked = x.Rechecked || p.Has(depend.Control)
	x.Validated = x.Validated || p.Has(depend.Control) && same
	x.Filled = x.Filled || fills(p, c, x)
	if p.Has(depend.Control) {
		x.Looked = noteLook(x.Looked, c.Stands())
	}
	c.ContentUsed = c.ContentUsed || p.Has(depend.Content)
}

// fills reports whether a pair puts an entry in only where its look found that
// very entry missing.
func fills(p summary.Pair, c, x *access.Access) bool {
	puts := x.Op == access.Insert || x.Op == access.Store
	looks := c.Op == access.Lookup || c.Op == access.Load
	own := !c.Lifted && !x.Lifted && c.Key.Known() && c.Key == x.Key
	return puts && looks && own && p.Has(depend.Control) && p.Polarity == depend.Absent
}

// uses notes where the function returns what an act stores, once it has.
func (a *analysis) uses(act int, v ssa.Value) {
	if r := a.dep.ReturnedAfter(v, a.events[act].instr); r != nil {
		if a.sum.Uses == nil {
			a.sum.Uses = make(map[int]token.Pos)
		}
		a.sum.Uses[act] = r.Pos()
	}
}

// liftPairs copies the callee's pairs on maps that only the caller can name:
// the callee changes a map that it got as a parameter.
func (a *analysis) liftPairs(t *target) {
	base := len(a.events) - 1
	for _, p := range t.sum.Pairs {
		c, act := &t.sum.Accesses[p.Check], &t.sum.Accesses[p.Act]
		if c.Path.Location().Valid() || !summary.Exported(c) || !summary.Exported(act) {
			continue
		}
		ci, ai := -1, -1
		for i := base; i >= 0; i-- {
			ev := &a.events[i].acc
			if ev.At() == c.At() && ev.Op == c.Op && ci < 0 {
				ci = i
			}
			if ev.At() == act.At() && ev.Op == act.Op && ai < 0 {
				ai = i
			}
		}
		if ci >= 0 && ai >= 0 {
			p.Check, p.Act = ci, ai
			a.sum.Pairs = append(a.sum.Pairs, p)
		}
	}
}
