package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// madeInside returns the types of objects that f makes under a lock to which a
// field of theirs leads, and that it gives to others as an interface. If all
// objects of the type are made so, and no longer used when the lock is gone (see
// keptInside), then their methods run under it: code that gets an object calls them
// before it returns, as is assumed of functions that are passed.
func (p *Package) madeInside(f *Func) []handover {
	if len(f.Locking) == 0 {
		return nil
	}
	var out []handover
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			if mi, ok := instr.(*ssa.MakeInterface); ok {
				out = append(out, p.leadsToLock(f, mi)...)
			}
		}
	}
	return out
}

// leadsToLock returns the handovers that the type of an object can be of, which f
// makes and gives away as an interface: one for each lock that f takes and to
// which a field of the object leads.
func (p *Package) leadsToLock(f *Func, mi *ssa.MakeInterface) []handover {
	made, ok := ssautil.Unwrap(mi).(*ssa.Alloc)
	if !ok {
		return nil
	}
	owner := namedStruct(made.Type())
	if owner == nil || owner.Obj().Pkg() != p.Types || owner.Obj().Exported() {
		return nil
	}
	var out []handover
	object := p.Paths.ParamOf(bearer{}, 0)
	for i := range owner.Underlying().(*types.Struct).NumFields() {
		h := handover{owner: owner, object: object, field: owner.Underlying().(*types.Struct).Field(i)}
		to := h.target(made)
		if _, pointer := h.field.Type().Underlying().(*types.Pointer); !pointer || to == nil {
			continue
		}
		for _, step := range f.Locking {
			lock := p.Paths.Rebase(step.Lock, p.Paths.Of(to), p.Paths.Field(object, h.field))
			if step.Acquire && lock.Known() && lock.Root() == object.Root() {
				h.lock = lock
				out = append(out, h)
			}
		}
	}
	return out
}

// keptInside returns the mode in which f holds a lock as long as it uses an object
// that it makes; 0 if it may not. The object does not leave f but as an argument.
func (p *Package) keptInside(f *Func, made *ssa.Alloc, lock accesspath.Path) locks.Mode {
	uses, ok := usesOf(made)
	if !ok || !p.takenBefore(f, made, lock) {
		return 0
	}
	var weakest locks.Mode
	for i := range f.Locking {
		s := &f.Locking[i]
		if s.Lock != lock || s.Acquire {
			continue
		}
		for _, use := range uses {
			if !s.Deferred && f.Flow.MayPrecede(s.Point, pointOf(use)) {
				return 0
			}
		}
		h, held := s.Held.Find(lock)
		if !held {
			continue
		}
		if weakest == 0 || h.Mode < weakest {
			weakest = h.Mode
		}
	}
	return weakest
}

// takenBefore reports whether f takes a lock whenever it comes to an instruction.
func (p *Package) takenBefore(f *Func, at ssa.Instruction, lock accesspath.Path) bool {
	for i := range f.Locking {
		if s := &f.Locking[i]; s.Acquire && s.Lock == lock && f.Flow.Dominates(s.Point, pointOf(at)) {
			return true
		}
	}
	return false
}

func pointOf(instr ssa.Instruction) ssautil.Point {
	p := ssautil.Point{Block: int32(instr.Block().Index)}
	for i, other := range instr.Block().Instrs {
		if other == instr {
			p.Index = int32(i)
		}
	}
	_, p.Deferred = instr.(*ssa.Defer)
	return p
}

// usesOf returns what is done with an object; false if that is more than to use
// its fields and to pass it on.
func usesOf(v ssa.Value) ([]ssa.Instruction, bool) {
	var out []ssa.Instruction
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.FieldAddr, *ssa.DebugRef:
		case *ssa.Call:
			out = append(out, r)
		case *ssa.MakeInterface:
			more, ok := usesOf(r)
			if !ok {
				return nil, false
			}
			out = append(out, more...)
		default:
			return nil, false
		}
	}
	return out, true
}
