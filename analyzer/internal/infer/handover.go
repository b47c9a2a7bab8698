package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A handover is a lock that objects of a type bring with them: a field leads to
// it, every object is made by a function that takes the lock and returns with it
// held, and a function that gets the object lets the lock go.
//
// So from the making on, the lock is held for the object: until the
// function that lets it go has come so far. What a function does that gets the
// object, and that the package does not show the callers of, comes before: to
// use an object of which the lock is gone, and to close it then, would unlock
// what is not locked. Another thread can hold the lock for nothing else
// meanwhile, and there is no second object of the kind, unless the lock is held
// for reading. The object itself is one thread's, as what protects its owner
// says nothing of it; one that the package stores or gives to goroutines brings
// nothing. What is made around such an object, as a second transaction that
// embeds the first, is one thread's in the same way.
type handover struct {
	owner *types.Named
	// lock is rooted at object, a place-holder, and field its first step.
	lock   accesspath.Path
	object accesspath.Path
	field  *types.Var
	mode   locks.Mode
	// when is the flag of the objects that bring the lock in this mode, nil if all do.
	when *flagValue
	// around are the enclosures of the package: an object that leads to one leads to its lock.
	around []enclosure
}

// bearer is the function whose only parameter is the object of a handover.
type bearer struct{}

// handOver finds the locks with which functions are entered since an object that
// they get brings them.
func (p *Package) handOver(sites map[*Func][]site) {
	p.handed = make(map[*Func][]locks.Held)
	for _, f := range p.Funcs {
		f.flagged = nil
	}
	var found []handover
	spread, around := p.putAboutTypes()
	add := func(h handover) {
		h.around = around
		if !spread[h.owner] && !slices.ContainsFunc(found, func(o handover) bool { return o.owner == h.owner && o.lock == h.lock }) {
			found = append(found, h)
		}
	}
	for _, f := range p.Funcs {
		p.handed[f] = p.letGo(f)
		for _, lock := range f.Effect.Releases() {
			if h, ok := p.broughtTo(f, lock); ok {
				add(h)
			}
		}
		for _, h := range p.madeInside(f) {
			add(h)
		}
	}
	for i := range found {
		if h := &found[i]; p.madeLocked(h, sites) {
			p.enterWith(h)
		}
		p.handOverByFlag(&found[i], sites)
	}
}

// letGo returns the locks that f lets go in any case without having taken them: to unlock
// what is not locked ends the program, so f is entered with them. It is the second half of
// a section that another function begins, as the one is that gives f to its caller.
func (p *Package) letGo(f *Func) (out []locks.Held) {
	for _, l := range f.Effect.Exit().Locks() {
		if l.Can != 0 && l.Can&^locks.Left == 0 && !locks.Token(l.Path) && !p.begins(f, l.Path) {
			out = append(out, locks.Held{Lock: l.Path, Mode: p.modeOfRelease(f), Sec: locks.Entry.Of()})
		}
	}
	return out
}

// begins reports whether f itself begins the section of a lock that it lets go: by a method of what has the lock of which the name
// alone tells that, since what it takes has another name, or it need not take it.
func (p *Package) begins(f *Func, lock accesspath.Path) bool {
	var calls []ssa.CallInstruction
	for call := range ssautil.Calls(f.SSA) {
		if m, args := ssautil.Callee(call.Common()); m != nil && m.Signature().Recv() != nil && len(args) > 0 {
			if recv := p.Paths.Of(args[0]); recv != lock && lock.HasPrefix(recv) {
				calls = append(calls, call)
			}
		}
	}
	return slices.ContainsFunc(calls, func(ends ssa.CallInstruction) bool {
		return slices.ContainsFunc(calls, func(begins ssa.CallInstruction) bool { return halves(begins, ends) })
	})
}

// halves reports whether one method of an object begins, by its name, what another one ends that is called behind it.
func halves(begins, ends ssa.CallInstruction) bool {
	first, by := ssautil.Callee(begins.Common())
	last, of := ssautil.Callee(ends.Common())
	return role.Begins(first.Name(), last.Name()) && types.Identical(by[0].Type(), of[0].Type()) && ssautil.Dominates(begins, ends)
}

// modeOfRelease returns the weakest mode in which f lets locks go.
func (p *Package) modeOfRelease(f *Func) locks.Mode {
	for call := range ssautil.Calls(f.SSA) {
		if m, _ := ssautil.Callee(call.Common()); m != nil && p.env.Model.Lookup(m).Kind == model.RUnlock {
			return locks.Read
		}
	}
	return locks.Write
}

// broughtTo returns the handover that f would be the end of: it lets a lock go
// that a field of what it gets leads to.
func (p *Package) broughtTo(f *Func, lock accesspath.Path) (handover, bool) {
	r := lock.Root()
	if r.Kind != accesspath.Param || r.Fn != f.Key || r.Index >= len(f.SSA.Params) {
		return handover{}, false
	}
	owner := namedStruct(f.SSA.Params[r.Index].Type())
	first := lock
	for first.Depth() > 1 {
		first = first.Parent()
	}
	field := first.LastField()
	if owner == nil || owner.Obj().Pkg() != p.Types || field == nil || field.Exported() && owner.Obj().Exported() {
		return handover{}, false // others can make one
	}
	if _, pointer := field.Type().Underlying().(*types.Pointer); !pointer {
		return handover{}, false // a lock of its own
	}
	object := p.Paths.ParamOf(bearer{}, 0)
	return handover{owner: owner, object: object, field: field, lock: p.Paths.Rebase(lock, p.Paths.Root(r), object)}, true
}

// namedStruct returns the struct type that t, or what it points to, is.
func namedStruct(t types.Type) *types.Named {
	n, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named)
	if !ok {
		return nil
	}
	if _, ok := n.Underlying().(*types.Struct); !ok {
		return nil
	}
	return n.Origin()
}

// madeLocked reports whether a maker of an object of the type returns with its
// lock held, and nothing lets others know the object or leads it to another lock
// later. It notes the mode.
func (p *Package) madeLocked(h *handover, sites map[*Func][]site) bool {
	made := false
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if st, stores := instr.(*ssa.Store); stores && h.redirects(st) {
					return false
				}
				alloc, ok := instr.(*ssa.Alloc)
				if !ok || !h.makes(alloc) {
					continue
				}
				if made = p.bornLocked(h, f, alloc, sites); !made {
					return false
				}
			}
		}
	}
	return made
}

// makes reports whether an allocation is an object of the type.
func (h *handover) makes(alloc *ssa.Alloc) bool {
	t := ssautil.Pointee(alloc.Type())
	return !isPointer(t) && namedStruct(t) == h.owner
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// redirects reports whether a store gives the field of an object that is not made
// here another value than nil.
func (h *handover) redirects(st *ssa.Store) bool {
	fa, ok := st.Addr.(*ssa.FieldAddr)
	if !ok || ssautil.IsNil(st.Val) {
		return false
	}
	if _, made := fa.X.(*ssa.Alloc); made || namedStruct(fa.X.Type()) != h.owner {
		return false
	}
	s := h.owner.Underlying().(*types.Struct)
	return s.Field(fa.Field) == h.field
}

// bornLocked reports whether f, which makes an object, leaves the lock held to
// which it leads, or holds it as long as there is the object.
func (p *Package) bornLocked(h *handover, f *Func, made *ssa.Alloc, sites map[*Func][]site) bool {
	to := h.target(made)
	if to == nil {
		return false
	}
	when, born := p.bornWhen(h.when, made)
	switch {
	case born == never:
		return true // it is none of those
	case born == perhaps:
		return false
	}
	lock := p.Paths.Rebase(h.lock, p.Paths.Field(h.object, h.field), p.Paths.Of(to))
	mode := p.leavesLocked(f, lock, when, sites, 1)
	if mode == 0 {
		mode = p.keptInside(f, made, lock)
	}
	if mode == 0 {
		return false
	}
	if h.mode == 0 || mode < h.mode {
		h.mode = mode
	}
	return true
}

// target returns what the field of a new object points to, nil if that is not one
// value.
func (h *handover) target(made *ssa.Alloc) ssa.Value {
	var to ssa.Value
	for _, r := range *made.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || h.owner.Underlying().(*types.Struct).Field(fa.Field) != h.field {
			continue
		}
		for _, r := range *fa.Referrers() {
			if st, ok := r.(*ssa.Store); ok && st.Addr == ssa.Value(fa) && !ssautil.IsNil(st.Val) {
				if to != nil {
					return nil
				}
				to = st.Val
			}
		}
	}
	return to
}

// leavesLocked returns the mode in which f leaves a lock held when it returns, or
// in which all do that call f to make the object for them; 0 if one does not. It asks for the
// calls of f alone for which a condition holds, if that is known.
func (p *Package) leavesLocked(f *Func, lock accesspath.Path, when locks.Cond, sites map[*Func][]site, depth int) locks.Mode {
	if !lock.Known() {
		return 0
	}
	if mode := takenAtExit(f.Effect, lock, when); mode != 0 || depth == 0 || f.Ctx.Open() {
		return mode
	}
	r := lock.Root()
	var weakest locks.Mode
	for _, s := range sites[f] {
		if r.Kind != accesspath.Param || r.Index >= len(s.call.Args) || r.Fn != f.Key {
			return 0
		}
		given, born := p.givenWhen(f, s, when)
		if born == never {
			continue
		}
		mode := p.leavesLocked(s.caller, p.Paths.Rebase(lock, p.Paths.Root(r), s.call.Args[r.Index]), given, sites, depth-1)
		if mode == 0 || born == perhaps {
			return 0
		}
		if weakest == 0 || mode < weakest {
			weakest = mode
		}
	}
	return weakest
}

// takenAtExit returns the mode in which a call for which a condition holds leaves a lock held, apart from
// returns whose results tell that it does not; 0 if there are others.
func takenAtExit(e locks.Effect, lock accesspath.Path, when locks.Cond) locks.Mode {
	var weakest locks.Mode
	for _, c := range e.Exit().Cases() {
		if when.Known() && c.Excludes(when) {
			continue
		}
		i := slices.IndexFunc(c.Locks, func(l locks.Lock) bool { return l.Path == lock && l.Must() })
		if i < 0 {
			if !slices.ContainsFunc(c.When, func(w locks.Cond) bool { return w.Result != 0 }) {
				return 0
			}
			continue
		}
		if weakest == 0 || c.Locks[i].Mode < weakest {
			weakest = c.Locks[i].Mode
		}
	}
	return weakest
}

// enterWith notes the lock for the functions that get an object, or one that is made around it.
func (p *Package) enterWith(h *handover) {
	for _, f := range p.Funcs {
		for i, param := range f.SSA.Params {
			for _, object := range p.ledTo(h, p.Paths.ParamOf(f.Key, i), param.Type()) {
				lock := p.Paths.Rebase(h.lock, h.object, object)
				p.handed[f] = append(p.handed[f], locks.Held{Lock: lock, Mode: h.mode, Sec: locks.Entry.Of()})
			}
		}
	}
}

// Gives reports whether f gives the field or variable of a lock a new one: what it prepares
// is not in use yet by others that hold that lock.
func (p *Package) Gives(f *Func, lock *types.Var) bool {
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			if st, ok := instr.(*ssa.Store); ok && p.Paths.Of(st.Addr).Location().Var == lock {
				return true
			}
		}
	}
	return false
}
