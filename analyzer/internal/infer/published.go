package infer

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A seal is a flag beside a map that is set once and for all, and a lock. Whatever sets the flag holds the lock, and
// whatever changes the map has found the flag unset in the same section, or is done before others know the object. So
// each change comes before the first time that the flag is set, by the lock; and that before each read behind a look at the
// flag that finds it set, by the flag if it is atomic, or else by the lock under which it is looked at.
type seal struct {
	p    *Package
	flag *types.Var
	set  string     // what the flag is set to
	lock *types.Var // held at each change of the map and of the flag
	// plain: the flag is also set by a plain store, so that an atomic look at it orders nothing.
	plain bool
	// full: the flag is the map's own variable, and it is set where its size has come to this limit.
	full *limit
	// known caches what is known when a function returns, and entering what is known where it is called.
	known, entering map[sealed]sealState
}

// A sealed is a function, and the object of which it is asked what is known when the function returns.
type sealed struct {
	f      *Func
	object accesspath.Path
}

// Published reports whether an access only reads a map, where a flag beside the map has been found set, or set, after which
// nothing changes the map; or where that is so on some ways, and on the others the lock is held under which it is set.
// The size of the map can stand for the flag (see fullSeals).
// Complexity: for each flag beside the map, linear in the functions that use it.
func (p *Package) Published(f *Func, a *access.Access) bool {
	if a.Op.Writes() || a.Spawned || a.Lifted || a.Point.Deferred || a.Path.Location().Elems > 0 {
		return false
	}
	at := a.Point.Instr(f.SSA)
	object, ok := ownerOf(a.Path)
	if at == nil || !ok {
		return false
	}
	fetch := fetchOf(at)
	stays := func(s *seal) bool {
		return s.stays(f, object, fetch, at, 0) || s.stays(f, object, fetch, at, s.entered(f, object))
	}
	loc := a.Path.Location()
	return fetch != nil && (slices.ContainsFunc(p.seals(loc), stays) || slices.ContainsFunc(p.fullSeals(loc), stays))
}

// stays reports whether a map does not change while a function reads it that has got it at fetch: the flag is set by then, or
// it is set or the lock held until it has been read.
func (s *seal) stays(f *Func, object accesspath.Path, fetch, at ssa.Instruction, entry sealState) bool {
	got := s.standsAt(f, object, fetch, entry)
	return got&flagSet != 0 || got&still != 0 && s.standsAt(f, object, at, entry)&still != 0
}

// fetchOf returns where the map that an instruction reads was read from its variable, nil if that is not plain.
func fetchOf(at ssa.Instruction) ssa.Instruction {
	var from ssa.Value
	switch at := at.(type) {
	case *ssa.Lookup:
		from = at.X
	case *ssa.Next:
		if r, ok := at.Iter.(*ssa.Range); ok {
			from = r.X
		}
	case *ssa.Call:
		from, _ = ssautil.LenOf(at)
	}
	ld, _ := from.(*ssa.UnOp)
	if ld == nil {
		return nil
	}
	return ld
}

// ownerOf returns the object that has a field: what a function gets as its receiver or parameter. Of a package's variable
// it is the zero path.
func ownerOf(field accesspath.Path) (accesspath.Path, bool) {
	if !field.Known() {
		return accesspath.Path{}, false
	}
	switch r := field.Root(); {
	case r.Kind == accesspath.Global && field.Depth() == 0:
		return accesspath.Path{}, true
	case r.Kind == accesspath.Param && field.Depth() == 1 && field.LastField() != nil:
		return field.Parent(), true
	}
	return accesspath.Path{}, false
}

// seals returns what seals a map. The answer is kept for each place.
func (p *Package) seals(loc accesspath.Location) []*seal {
	return p.sealsBy(&p.sealing, loc, p.addFlag)
}

// sealsBy returns the candidates of a kind that do seal a map, and keeps them for each place.
func (p *Package) sealsBy(kept *map[accesspath.Location][]*seal, loc accesspath.Location, add addSeal) []*seal {
	if out, ok := (*kept)[loc]; ok {
		return out
	}
	if *kept == nil {
		*kept = make(map[accesspath.Location][]*seal)
	}
	var out []*seal
	for _, s := range p.sealCandidates(loc, add) {
		if s.valid() && s.stops(loc) {
			out = append(out, s)
		}
	}
	(*kept)[loc] = out
	return out
}

// An addSeal adds what the branch at the end of a block asks for before a change of a place, with each lock that is held there.
type addSeal func(out []*seal, b *ssa.BasicBlock, loc accesspath.Location, held []locks.Held) []*seal

// sealCandidates returns what some function asks for before it changes a map, each with the locks that it
// holds there; none if the map can be changed in a way that is not seen.
func (p *Package) sealCandidates(loc accesspath.Location, add addSeal) (out []*seal) {
	if loc.Var == nil || loc.Var.Exported() || !p.changedInSight(loc.Var) {
		return nil
	}
	if loc.Var.IsField() && (!p.OwnMap(loc.Var) || p.copiedWhole(loc.Var)) {
		return nil
	}
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			at := a.Point.Instr(f.SSA)
			if a.Path.Location() != loc || !a.Op.Writes() || at == nil {
				continue
			}
			for d := at.Block().Idom(); d != nil; d = d.Idom() {
				out = add(out, d, loc, a.Held.Held())
			}
		}
	}
	return out
}

// addFlag adds the flag that a branch asks for, with each of some locks.
func (p *Package) addFlag(out []*seal, b *ssa.BasicBlock, _ accesspath.Location, held []locks.Held) []*seal {
	if flag, set := sealAsked(b); flag != nil {
		return p.addSeals(out, flag, set, held)
	}
	return out
}

// addSeals adds a flag with each of some locks to those that are known.
func (p *Package) addSeals(out []*seal, flag *types.Var, set string, held []locks.Held) []*seal {
	for _, h := range held {
		lock := h.Lock.Location().Var
		if lock == nil || slices.ContainsFunc(out, func(s *seal) bool { return s.flag == flag && s.lock == lock }) {
			continue
		}
		out = append(out, p.newSeal(flag, set, lock))
	}
	return out
}

func (p *Package) newSeal(flag *types.Var, set string, lock *types.Var) *seal {
	return &seal{p: p, flag: flag, set: set, lock: lock, known: make(map[sealed]sealState), entering: make(map[sealed]sealState)}
}

// sealAsked returns the flag for which the branch at the end of a block asks, and to what it is set when it is set.
func sealAsked(b *ssa.BasicBlock) (flag *types.Var, set string) {
	addr, _, is := flagRead(b)
	if addr == nil {
		return nil, ""
	}
	if set = "1"; strings.HasSuffix(is, "true") || strings.HasSuffix(is, "false") {
		set = "true"
	}
	return flagVar(addr), set
}

// copiedWhole reports whether the package copies an object with a field that others may have: the copy has the same map, and a flag of its own.
func (p *Package) copiedWhole(field *types.Var) bool {
	return slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				ld, ok := instr.(*ssa.UnOp)
				if ok && ld.Op == token.MUL && !ssautil.Allocates(ld.X) && hasWithin(ld.Type(), field, maxWithin) {
					return true
				}
			}
		}
		return false
	})
}

// changedInSight reports whether the package changes a map's variable by plain stores alone, once the object is made.
func (p *Package) changedInSight(v *types.Var) bool {
	return !slices.ContainsFunc(p.changes()[v.Origin()], func(c change) bool {
		st, ok := c.at.(*ssa.Store)
		plain := ok && ssautil.Variable(st.Addr) != nil && ssautil.Variable(st.Addr).Origin() == v.Origin()
		return !plain && !p.inTheMaking(c)
	})
}

func (p *Package) inTheMaking(c change) bool {
	return c.of != nil && ssautil.Allocates(c.of) && !p.shownBefore(c.of, c.at)
}

// valid reports whether the flag is only ever set, to one value, and under the lock.
func (s *seal) valid() bool {
	if s.flag.Exported() {
		return false
	}
	return !slices.ContainsFunc(s.p.changes()[s.flag], func(c change) bool {
		if call, ok := c.at.(*ssa.Call); ok {
			if fn, args := ssautil.Callee(&call.Call); model.ReadsFlag(fn) && flagVar(args[0]) == s.flag {
				return false
			}
		}
		if s.p.inTheMaking(c) || s.full != nil && setAtInit(c.at) {
			return false
		}
		_, plain := c.at.(*ssa.Store)
		s.plain = s.plain || plain
		object, ok := s.sets(c.at)
		return !ok || !s.setsLocked(c.at, object)
	})
}

// sets returns the object whose flag an instruction sets, at once or when the function returns.
func (s *seal) sets(instr ssa.Instruction) (accesspath.Path, bool) {
	addr := s.setsTo(instr)
	if addr == nil {
		return accesspath.Path{}, false
	}
	return ownerOf(s.p.Paths.Of(addr))
}

// setsTo returns the address of the flag that an instruction sets, nil if it sets none, or to another value.
func (s *seal) setsTo(instr ssa.Instruction) ssa.Value {
	var addr, to ssa.Value
	switch instr := instr.(type) {
	case *ssa.Store:
		addr, to = instr.Addr, instr.Val
	case *ssa.Call, *ssa.Defer:
		fn, args := ssautil.Callee(instr.(ssa.CallInstruction).Common())
		switch op := model.Flag(fn); {
		case op == model.FlagSwap, op == model.FlagSet && strings.HasPrefix(fn.Name(), "Store"):
		case op == model.FlagClaim && isUnset(args[1]):
		default:
			return nil
		}
		addr, to = args[0], args[len(args)-1]
	}
	if k, ok := to.(*ssa.Const); !ok || k.Value == nil || k.Value.ExactString() != s.set || flagVar(addr) != s.flag {
		return nil
	}
	return addr
}

func isUnset(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value != nil && unset(k)
}

// setsLocked reports whether the lock is held for writing where a flag is set. What is deferred runs before the lock is
// let go if that is deferred, too, and before.
func (s *seal) setsLocked(at ssa.Instruction, object accesspath.Path) bool {
	f := s.p.byKey[accesspath.FuncKey(at.Parent())]
	if f == nil || !s.heldAt(f, object, at, false) {
		return false
	}
	d, deferred := at.(*ssa.Defer)
	return !deferred || !slices.ContainsFunc(f.Locking, func(l summary.LockStep) bool {
		undo := l.Point.Instr(f.SSA)
		return !l.Acquire && s.is(l.Lock, object) && (!l.Deferred || undo == nil || !ssautil.Dominates(undo, d))
	})
}

// is reports whether a path is that of the seal's lock, of an object.
func (s *seal) is(lock, object accesspath.Path) bool {
	of, ok := ownerOf(lock)
	return ok && of == object && lock.Location().Var == s.lock
}

// heldAt reports whether a function itself has taken an object's lock wherever it comes to an instruction, and not let it
// go since: for writing, unless it is enough to have it for reading.
func (s *seal) heldAt(f *Func, object accesspath.Path, at ssa.Instruction, reading bool) bool {
	return s.takenFor(f, object, at, reading) != nil
}

// takenFor returns where the function has taken it. An attempt to take it, and a helper, may fail.
func (s *seal) takenFor(f *Func, object accesspath.Path, at ssa.Instruction, reading bool) *summary.LockStep {
	to := pointOf(at)
	to.Deferred = false
	for i := range f.Locking {
		take := &f.Locking[i]
		if take.Acquire && s.is(take.Lock, object) && f.Flow.Dominates(take.Point, to) && takes(f, take, reading) && !lost(f, take, to) {
			return take
		}
	}
	return nil
}

// takes reports whether a step is a plain call that takes a lock.
func takes(f *Func, step *summary.LockStep, reading bool) bool {
	call, ok := step.Point.Instr(f.SSA).(*ssa.Call)
	if !ok {
		return false
	}
	fn, _ := ssautil.Callee(&call.Call)
	kind := model.Lookup(fn).Kind
	return kind == model.Lock || reading && kind == model.RLock
}

// lost reports whether a function may let a lock go between the place where it takes it and another one.
func lost(f *Func, take *summary.LockStep, to ssautil.Point) bool {
	from := f.SSA.Blocks[take.Point.Block]
	return slices.ContainsFunc(f.Locking, func(l summary.LockStep) bool {
		undo := !l.Acquire && !l.Deferred && l.Lock == take.Lock
		return undo && f.Flow.MayPrecede(take.Point, l.Point) && f.Flow.ReachesPast(from, l.Point, to)
	})
}

// stops reports whether nothing changes the map once the flag is set, nor gets at it in other ways.
func (s *seal) stops(loc accesspath.Location) bool { return s.p.changesSuit(loc, s.before) }

// changesSuit reports whether a place is changed only by accesses that suit, apart from what one thread does with an
// object that it has alone, and whether nothing gets at the map in other ways.
func (p *Package) changesSuit(loc accesspath.Location, suits func(*Func, *access.Access) bool) bool {
	return p.usesSuit(loc, func(f *Func, a *access.Access) bool { return !a.Op.Writes() || suits(f, a) })
}

// usesSuit is changesSuit for all uses, reads among them.
func (p *Package) usesSuit(loc accesspath.Location, suits func(*Func, *access.Access) bool) bool {
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			a := &f.Accesses[i]
			late := f.Ctx.OnceOnly && !f.Owns(a) // it runs once, and that when it pleases
			if a.Path.Location() != loc || !Own(a) || a.Fresh || p.Exempt(f, a) && !late {
				continue
			}
			if !a.Op.Uses() || !suits(f, a) {
				return false
			}
		}
	}
	return true
}

// before reports whether an access to the map is made only where the flag was found unset in the same section, by the
// function or by all that call it.
func (s *seal) before(f *Func, a *access.Access) bool {
	at := a.Point.Instr(f.SSA)
	object, ok := ownerOf(a.Path)
	if !ok || at == nil || a.Lifted || a.Spawned || a.Point.Deferred {
		return false
	}
	if st, ok := at.(*ssa.Store); ok && changedBehind(f, st) {
		return false
	}
	return s.foundUnset(f, object, at, &use{a.Held.Held(), !a.Op.Writes()}, maxFilling)
}

// changedBehind reports whether the map that a variable is given may be changed behind that by another name.
func changedBehind(f *Func, st *ssa.Store) bool {
	switch st.Val.(type) {
	case *ssa.Const:
		return false
	case *ssa.MakeMap, *ssa.Call, *ssa.Extract, *ssa.Parameter:
	default:
		return true
	}
	return slices.ContainsFunc(*st.Val.Referrers(), func(r ssa.Instruction) bool {
		switch r.(type) {
		case *ssa.Lookup, *ssa.Range, *ssa.DebugRef:
			return false
		}
		return f.Flow.MayPrecede(pointOf(st), pointOf(r))
	})
}

// sameSection reports whether the lock was taken before a look at the flag for the section of a use: waits for a
// condition begin another one. Who only reads needs it for reading alone.
func (s *seal) sameSection(f *Func, object accesspath.Path, read ssa.Instruction, u *use) bool {
	take := s.takenFor(f, object, read, u.reading)
	return take != nil && slices.ContainsFunc(u.held, func(h locks.Held) bool {
		return h.Lock == take.Lock && (u.reading || h.Mode == locks.Write) && h.Sec.Same(take.Sec)
	})
}

// quiet reports whether a function neither takes nor lets go the lock, nor sets the flag, between a look at the flag and a
// change of the map. No function that it calls sets the flag there: that takes the lock.
func (s *seal) quiet(f *Func, object accesspath.Path, read, at ssa.Instruction) bool {
	from, to := pointOf(read), pointOf(at)
	for i := range f.Locking {
		if l := &f.Locking[i]; s.is(l.Lock, object) && f.Flow.Between(from, l.Point, to) {
			return false
		}
	}
	if s.p.waitsBetween(f, from, to) {
		return false
	}
	return !slices.ContainsFunc(s.p.changes()[s.flag], func(c change) bool {
		_, sets := s.sets(c.at)
		return sets && c.at.Parent() == f.SSA && f.Flow.Between(from, pointOf(c.at), to)
	})
}
