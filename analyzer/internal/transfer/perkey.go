package transfer

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A type may have a lock for each key: a map in which it puts one under a key where it has found none. Who finds one waits for
// it, in a way of its own, and who puts one in has it first. Both have taken the lock that the map has for the key. Who gives it back
// finds it there: where there is none, no one has held it.

// asPut names the lock of an object that a function puts into a map, under a key where it has found none, as the map names it: at
// an instruction that comes after that, or that it always comes after.
func (a *Env) asPut(lock accesspath.Path, at ssa.Instruction) accesspath.Path {
	put := a.putUnder(lock.Root().Val, at)
	if put == nil {
		return lock
	}
	return a.Paths.Rebase(lock, a.Paths.Root(lock.Root()), a.Paths.Elem(a.Paths.Of(put.Map), a.Paths.Key(put.Key)))
}

// A lock of an object that is put into a map goes by two names: who made the object goes on to come to it by its own, and who finds it in
// the map by the other.

// namesOf returns the names of a lock that is taken, or given back, by a method on a value.
func (a *Env) namesOf(v ssa.Value) (names []accesspath.Path, reading bool) {
	put, reading := a.lockPath(a.Paths.Of(v), v)
	if own, _ := a.ownPath(a.Paths.Of(v), v); own != put {
		return []accesspath.Path{put, own}, reading
	}
	return []accesspath.Path{put}, reading
}

// namesAt returns the names at a call that a callee's lock has where it has several: that of each element of a list for which it stands,
// or those of an object that is put into a map.
func (a *Env) namesAt(p accesspath.Path, t target, at ssa.Instruction) []accesspath.Path {
	if each := a.eachArgument(p, t); each != nil {
		return each
	}
	own := a.ownLock(p, t, at)
	if put := a.asPut(own, at); put != own && own.Known() {
		return []accesspath.Path{put, own}
	}
	return nil
}

// putUnder returns what puts an object into a map where it has found none; nil if nothing does, or more than one instruction, or if
// control need not come to it.
func (a *Env) putUnder(object ssa.Value, at ssa.Instruction) *ssa.MapUpdate {
	switch object.(type) {
	case *ssa.Alloc, *ssa.Call, *ssa.Extract:
	default:
		return nil
	}
	puts := putsOf(object, nil)
	if len(puts) != 1 {
		return nil
	}
	put := puts[0]
	if at != nil && (at.Parent() != put.Parent() || !ssautil.Dominates(put, at) && !ssautil.Always(at, put)) {
		return nil
	}
	if !a.claims(put) {
		return nil
	}
	return put
}

// putsOf returns what puts a value into maps, itself or as one of another type.
func putsOf(v ssa.Value, puts []*ssa.MapUpdate) []*ssa.MapUpdate {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.MapUpdate:
			if r.Value == v {
				puts = append(puts, r)
			}
		case *ssa.TypeAssert, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
			puts = putsOf(r.(ssa.Value), puts)
		case *ssa.Extract:
			if _, tested := r.Tuple.(*ssa.TypeAssert); tested && r.Index == 0 {
				puts = putsOf(r, puts)
			}
		}
	}
	return puts
}

// claims reports whether an entry is put in only where none was found under its key, and no lock is given up in between.
func (a *Env) claims(put *ssa.MapUpdate) bool {
	for b := put.Block().Idom(); b != nil; b = b.Idom() {
		look, side := lookedUp(b)
		if look == nil || look.Block() != b || !ssautil.DominatesEdge(b, side, put.Block()) {
			continue
		}
		if a.Paths.Of(look.X) == a.Paths.Of(put.Map) && a.Paths.Key(look.Index) == a.Paths.Key(put.Key) {
			return !a.Releases(look, b.Succs[side], put)
		}
	}
	return false
}

// lookedUp returns the look-up of which a block's branch asks whether it has found something, and the side on which it has not.
func lookedUp(b *ssa.BasicBlock) (*ssa.Lookup, int) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, 0
	}
	look, side := ssautil.Absence(br.Cond)
	if look == nil || !ssautil.IsMap(look.X.Type()) {
		return nil, 0
	}
	return look, side
}

// Releases reports whether a lock can be given up between a look, whose outcome
// leads to a block, and an act.
func (a *Env) Releases(look ssa.Instruction, to *ssa.BasicBlock, at ssa.Instruction) bool {
	reach := ssautil.NewReach(at.Parent())
	for _, b := range at.Parent().Blocks {
		between := b == look.Block() || to.Dominates(b) && (b == at.Block() || reach.Blocks(b, at.Block()))
		if !between {
			continue
		}
		for _, instr := range b.Instrs {
			if b == look.Block() && !ssautil.Before(look, instr) || b == at.Block() && !ssautil.Before(instr, at) {
				continue
			}
			if a.LetsGo(instr) {
				return true
			}
		}
	}
	return false
}

// LetsGo reports whether an instruction gives a lock up, if only for as long as it waits.
func (a *Env) LetsGo(instr ssa.Instruction) bool {
	c, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	fn, _ := ssautil.Callee(&c.Call)
	switch a.Model.Lookup(fn).Kind {
	case model.Unlock, model.RUnlock, model.CondWait:
		return true
	}
	return false
}

// givesNone reports whether a function returns without a lock only since a call had none to give: its error is all that leads
// there, and has no one to be told to. The call is one that gives the object with the lock elsewhere.
func (a *analysis) givesNone(ret *ssa.Return) bool {
	if len(ret.Results) > 0 {
		return false
	}
	for b := ret.Block().Idom(); b != nil; b = b.Idom() {
		call, side := failed(b)
		if call == nil || !ssautil.DominatesEdge(b, side, ret.Block()) {
			continue
		}
		for _, x := range ssautil.Extracts(call) {
			if !ssautil.IsError(x.Type()) && a.putUnder(x, nil) != nil {
				return true
			}
		}
	}
	return false
}

// failed returns the call of which a block's branch asks whether it gave an error, and the side on which it did.
func failed(b *ssa.BasicBlock) (*ssa.Call, int) {
	br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return nil, 0
	}
	cond, not := ssautil.Unnegated(br.Cond)
	op, ok := cond.(*ssa.BinOp)
	if !ok || !ssautil.IsNil(op.Y) || !ssautil.IsError(op.X.Type()) || op.Op != token.EQL && op.Op != token.NEQ {
		return nil, 0
	}
	x, ok := op.X.(*ssa.Extract)
	if !ok {
		return nil, 0
	}
	call, _ := x.Tuple.(*ssa.Call)
	if (op.Op == token.NEQ) != not {
		return call, 0
	}
	return call, 1
}

// findLifted notes the locks in entries of maps that the function gives back, and does not take.
func (a *analysis) findLifted() {
	taken := make(map[accesspath.Path]bool)
	for _, e := range a.effects {
		for _, d := range e.does {
			for _, h := range d.Takes() {
				taken[h.Lock] = true
			}
		}
	}
	for instr := range a.marks {
		taken[a.Mark(instr).Lock] = true
	}
	for _, e := range a.effects {
		for _, d := range e.does {
			for _, lock := range d.Releases() {
				if inEntry(lock) && !taken[lock] && !slices.Contains(a.lifted, lock) {
					a.lifted = append(a.lifted, lock)
				}
			}
		}
	}
	slices.SortFunc(a.lifted, func(p, q accesspath.Path) int { return cmp.Compare(p.ID(), q.ID()) })
}

// inEntry reports whether a path leads through the element of something.
func inEntry(p accesspath.Path) bool {
	for ; p.Depth() > 0; p = p.Parent() {
		if p.IsElem() {
			return true
		}
	}
	return false
}

// onAbsent returns the state on the side of a branch on which a map was found to have no entry for a key: a lock that is in the entry,
// and that the function gives back where there is one, is held by no one.
func (a *analysis) onAbsent(s locks.State, from, to *ssa.BasicBlock) locks.State {
	if len(a.lifted) == 0 {
		return s
	}
	look, side := lookedUp(from)
	if look == nil || from.Succs[side] != to {
		return s
	}
	entry := a.Paths.Elem(a.Paths.Of(look.X), a.Paths.Key(look.Index))
	for _, lock := range a.lifted {
		if lock.HasPrefix(entry) {
			s = s.Release(lock)
		}
	}
	return s
}

// alsoByOwn adds to the effect of a call that gives back the lock in a map's entry that it gives back that of an object which the function
// has put into the map, by the object's own name: which entry it is cannot be told.
func (a *analysis) alsoByOwn(e *effect) {
	also := locks.Reached()
	for _, d := range e.does {
		back := d.Releases()
		for _, lock := range back {
			for _, own := range a.ownNames(lock) {
				if !slices.Contains(back, own) {
					also = also.Release(own)
				}
			}
		}
	}
	e.do(also)
}

// ownNames returns the own names that a lock in an entry of a map can have: those by the objects that the function puts into the map.
func (a *analysis) ownNames(lock accesspath.Path) (own []accesspath.Path) {
	if !inEntry(lock) {
		return nil
	}
	for _, put := range a.placedNew() {
		object := ssautil.Unwrap(put.Value)
		for e := lock; e.Depth() > 0; e = e.Parent() {
			if !e.IsElem() || e.Parent() != a.Paths.Of(put.Map) || otherEntry(e, a.Paths.Key(put.Key)) {
				continue
			}
			if q := a.Paths.Rebase(lock, e, a.Paths.Of(object)); q.Known() && q.Root().Val == object {
				own = append(own, q)
			}
		}
	}
	return own
}

// otherEntry reports whether an element of a map is not the one under a key: both keys are constants.
func otherEntry(elem, key accesspath.Path) bool {
	k := elem.Key()
	return !elem.IsEach() && k.InConst() && key.InConst() && k != key
}

// placedNew returns what the function puts into maps where it has found none.
func (a *analysis) placedNew() []*ssa.MapUpdate {
	if a.placed == nil {
		a.placed = []*ssa.MapUpdate{}
		for _, b := range a.fn.Blocks {
			for _, instr := range b.Instrs {
				if put, ok := instr.(*ssa.MapUpdate); ok && a.putUnder(ssautil.Unwrap(put.Value), nil) == put {
					a.placed = append(a.placed, put)
				}
			}
		}
	}
	return a.placed
}
