package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// A latch is a flag, or a field that has nothing at first, which is only ever set where it was found not to be set. Who has
// set it is the only one to do so in the life of the object, if one mutex is held from the look on until then, the same one at
// all places; [Package.unlatch] tells. It may be set back if what does so has waited, in the section of that mutex, for the
// goroutine that was started where the latch was set: then one goroutine at a time is started by it.
type latch struct {
	ops []*ssa.Store // what sets it, and sets it back
	// ends: something sets it back.
	ends bool
}

// latches finds the latches of a package among the fields that are no marks, and what is done to them.
func (p *Package) latches(marks map[ssa.Instruction]*transfer.Mark) map[ssa.Instruction]*transfer.Mark {
	out := make(map[ssa.Instruction]*transfer.Mark)
	p.latched = make(map[*types.Var]*latch)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				v := p.latchSet(instr)
				if v == nil || marks[instr] != nil {
					continue
				}
				l, known := p.latched[v]
				if !known {
					l = p.latch(v)
					p.latched[v] = l
				}
				if l == nil || !slices.Contains(l.ops, instr.(*ssa.Store)) {
					continue
				}
				m := p.latching(instr.(*ssa.Store))
				m.Ends = l.ends
				out[instr] = m
			}
		}
	}
	return out
}

// latchSet returns the field that an instruction sets, if it can be a latch.
func (p *Package) latchSet(instr ssa.Instruction) *types.Var {
	st, ok := instr.(*ssa.Store)
	if !ok {
		return nil
	}
	addr, ok := st.Addr.(*ssa.FieldAddr)
	if !ok {
		return nil
	}
	v := ssautil.FieldOf(addr)
	if v.Exported() || v.Pkg() != p.Types || model.IsAtomic(v.Type()) {
		return nil
	}
	if !model.IsFlag(v.Type()) && !types.IsInterface(v.Type()) && !ssautil.PointerLike(v.Type()) {
		return nil
	}
	return v.Origin()
}

// latch returns what is known of a field, if all that changes it, once its object is made, sets it where it was found unset, or
// sets it back; else nil.
func (p *Package) latch(v *types.Var) *latch {
	l, puts := new(latch), 0
	for _, c := range p.changes()[v] {
		_, call := c.at.(ssa.CallInstruction)
		if call && c.of != nil || p.inTheMaking(c) {
			continue // code that gets the object leaves its parts alone, as is assumed of marks
		}
		st, ok := c.at.(*ssa.Store)
		if !ok || p.latchSet(st) != v {
			return nil
		}
		m := p.latching(st)
		if m == nil {
			return nil
		}
		if l.ops = append(l.ops, st); m.Puts {
			puts++
		}
	}
	l.ends = puts < len(l.ops)
	if puts == 0 {
		return nil
	}
	return l
}

// latching returns how a store sets a field where it is not set, or sets it back; nil if it may be set already, or not be set
// then.
func (p *Package) latching(st *ssa.Store) *transfer.Mark {
	flag := p.Paths.Of(st.Addr)
	k, ok := st.Val.(*ssa.Const)
	if ok && ssautil.IsZeroConst(k) {
		return &transfer.Mark{Lock: flag, Latch: true}
	}
	if !ok && !p.isThere(st.Val, maxThere) {
		return nil
	}
	look, way := p.lookBefore(st, func(cond ssa.Value) (ssa.Instruction, int) { return p.unsetFlag(cond, flag) })
	if look == nil || way.released {
		return nil
	}
	return &transfer.Mark{Lock: flag, Puts: true, Latch: true, Look: look, To: way.to()}
}

// unlatch takes the claims back of latches that are none: not the same mutex is held at all that is done to them, or they
// are set back without a wait.
func (p *Package) unlatch() {
	under, seen := make(map[*types.Var][]*types.Var), make(map[*types.Var]int)
	for _, f := range p.Funcs {
		for i := range f.Marks {
			m := &f.Marks[i]
			v := m.Lock.Location().Var
			if !m.Latch || v == nil || !m.Puts && len(m.Waits) == 0 {
				continue
			}
			by := p.mutexesOf(f, m)
			if seen[v] > 0 {
				by = slices.DeleteFunc(by, func(mu *types.Var) bool { return !slices.Contains(under[v], mu) })
			}
			under[v] = by
			seen[v]++
		}
	}
	broken := func(flag accesspath.Path) bool {
		v := flag.Location().Var
		l := p.latched[v]
		return l != nil && (len(under[v]) == 0 || seen[v] < len(l.ops))
	}
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			if a := &f.Accesses[i]; broken(a.Claim) {
				a.Claim = accesspath.Path{}
			}
			if a := &f.Accesses[i]; broken(a.Singled) {
				a.Singled = accesspath.Path{}
			}
		}
		for i := range f.Calls {
			c := &f.Calls[i]
			if broken(c.Claim) {
				c.Claim, c.Claimed = accesspath.Path{}, false
			}
			if broken(c.Latch) {
				c.Latch = accesspath.Path{}
			}
		}
	}
}

// EndsFirst reports whether a latch by which a goroutine is started is only set back by what has waited for that goroutine.
func (p *Package) EndsFirst(c *summary.Call) bool {
	return !c.Signals.Any && !slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		return slices.ContainsFunc(f.Marks, func(m summary.Mark) bool {
			back := m.Latch && !m.Puts && m.Lock.Location() == c.Latch.Location()
			return back && !c.Signals.Has(m.Waits)
		})
	})
}

// maxThere bounds the functions that return what another one returns.
const maxThere = 3

// isThere reports whether a value is not nil: it is made where it stands, or a function gives it of which nothing says
// that it may fail to.
func (p *Package) isThere(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.MakeChan, *ssa.MakeClosure, *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.Function, *ssa.FieldAddr:
		return true
	case *ssa.MakeInterface:
		return true // whatever it holds
	case *ssa.ChangeType:
		return p.isThere(v.X, depth)
	case *ssa.ChangeInterface:
		return p.isThere(v.X, depth)
	}
	call, i := ssautil.CallResult(v)
	if call == nil || depth == 0 {
		return false
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	if f := p.byKey[accesspath.FuncKey(fn)]; f != nil {
		return p.returns(f.SSA, i, depth-1)
	}
	obj, ok := fn.Object().(*types.Func)
	return ok && p.Summary(obj.Origin()) == nil && obj.Signature().Recv() == nil && !fails(obj.Signature())
}

// returns reports whether a function returns no nil as its i-th result.
func (p *Package) returns(fn *ssa.Function, i, depth int) bool {
	some := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == fn.Recover {
			continue
		}
		if i >= len(ret.Results) || !p.isThere(ssautil.ResultAt(ret, i), depth) {
			return false
		}
		some = true
	}
	return some
}

// fails reports whether a function tells by its last result whether it has the others.
func fails(sig *types.Signature) bool {
	n := sig.Results().Len()
	last := sig.Results().At(n - 1).Type()
	return n > 1 && (ssautil.IsError(last) || ssautil.IsBool(last))
}
