package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A number that is drawn from a counter which only ever goes up is given out once in the life of the object that has
// the counter. So a goroutine which begins with such a number has it to itself, as far as that object's entries go.

// numbered reports whether a value is drawn anew from a counter each time before a go statement runs. It returns the
// object that has the counter; the unknown path if there is but one counter in the program, or the value is no number
// but an identifier that nothing else has.
func (p *Package) numbered(v ssa.Value, start *ssa.Go) (object accesspath.Path, ok bool) {
	v = ssautil.Unwrap(v)
	at, ok := v.(ssa.Instruction)
	if !ok || at.Parent() != start.Parent() || ssautil.Again(start.Block(), map[*ssa.BasicBlock]bool{at.Block(): true}) {
		return accesspath.Path{}, false
	}
	counter, ok := p.drawn(v, 0)
	if !ok || counter.Root().Kind == accesspath.Global || !counter.Known() {
		return accesspath.Path{}, ok
	}
	for object = counter.Parent(); object.Depth() > 0; object = object.Parent() {
		field := object.LastField()
		if field == nil {
			return accesspath.Path{}, false
		}
		if _, part := field.Type().Underlying().(*types.Struct); !part {
			return accesspath.Path{}, false // the object may get another counter
		}
	}
	return object, object.Known()
}

// maxDrawn bounds the functions, one in the other, that give a number.
const maxDrawn = 3

// drawn returns the counter from which a value is drawn: unknown, but ok, if it is an identifier that nothing else has.
func (p *Package) drawn(v ssa.Value, depth int) (counter accesspath.Path, ok bool) {
	if ld, load := v.(*ssa.UnOp); load && ld.Op == token.MUL {
		return p.Paths.Of(ld.X), p.countedBeside(ld)
	}
	if add, sum := v.(*ssa.BinOp); sum {
		i := slices.IndexFunc(*add.Referrers(), func(r ssa.Instruction) bool { return p.countsUp(r) })
		if i < 0 {
			return accesspath.Path{}, false
		}
		st := (*add.Referrers())[i].(*ssa.Store)
		return p.Paths.Of(st.Addr), st.Val == add && p.isCounter(st.Addr)
	}
	call, result := ssautil.CallResult(v)
	if call == nil || result != 0 || depth > maxDrawn {
		return accesspath.Path{}, false
	}
	fn, args := ssautil.Callee(&call.Call)
	switch {
	case model.Identifies(fn):
		return accesspath.Path{}, true
	case model.Flag(fn) == model.FlagCount && len(args) > 0:
		return p.Paths.Of(args[0]), p.isCounter(args[0])
	}
	return p.drawnBy(call, depth)
}

// drawnBy returns the counter from which a function of the package draws what it gives, each time.
func (p *Package) drawnBy(call *ssa.Call, depth int) (counter accesspath.Path, ok bool) {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return accesspath.Path{}, false
	}
	f := p.byKey[accesspath.FuncKey(fn)]
	if f == nil || f.IsLiteral() {
		return accesspath.Path{}, false
	}
	rets := depend.Returns(f.SSA)
	if len(rets) != 1 || len(rets[0].Results) == 0 {
		return accesspath.Path{}, false
	}
	inner, ok := p.drawn(ssautil.ResultAt(rets[0], 0), depth+1)
	r := inner.Root()
	if !ok || !inner.Known() || r.Kind == accesspath.Global {
		return inner, ok
	}
	if r.Kind != accesspath.Param || r.Fn != f.Key || r.Index >= len(call.Call.Args) {
		return accesspath.Path{}, false
	}
	object := p.Paths.Of(call.Call.Args[r.Index])
	counter = p.Paths.Rebase(inner, p.Paths.Root(r), object)
	return counter, counter.Known()
}

// countedBeside reports whether a counter is read in the section in which it is counted up, each time.
func (p *Package) countedBeside(ld *ssa.UnOp) bool {
	if !p.isCounter(ld.X) {
		return false
	}
	instrs, at := ld.Block().Instrs, p.Paths.Of(ld.X)
	own := slices.Index(instrs, ssa.Instruction(ld))
	for i, instr := range instrs {
		if !p.countsUp(instr) || p.Paths.Of(instr.(*ssa.Store).Addr) != at {
			continue
		}
		between := instrs[min(i, own):max(i, own)]
		return !slices.ContainsFunc(between, func(x ssa.Instruction) bool { _, calls := x.(*ssa.Call); return calls })
	}
	return false
}

// countsUp reports whether an instruction stores in a variable a number that is greater than the one that it finds there.
func (p *Package) countsUp(instr ssa.Instruction) bool {
	_, store := instr.(*ssa.Store)
	return store && depend.CountsUp(p.Paths, instr) != nil
}

// isCounter reports whether an address is that of a counter which the package only ever counts up, atomically or under
// one lock, and which no other can name. One narrower than an int could come round to where it was.
func (p *Package) isCounter(addr ssa.Value) bool {
	v := ssautil.Variable(addr)
	if v == nil || v.Exported() || v.Pkg() != p.Types {
		return false
	}
	if p.counters == nil {
		p.counters = p.findCounters()
	}
	return p.counters[v]
}

// findCounters looks at all that the package does with variables that may be counters. Complexity: linear in the package.
func (p *Package) findCounters() map[*types.Var]bool {
	out, under := make(map[*types.Var]bool), make(map[*types.Var][]*types.Var)
	spoil := func(v *types.Var) { out[v] = false }
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if st, ok := instr.(*ssa.Store); ok {
					eachField(st, spoil)
				}
				for _, op := range instr.Operands(nil) {
					v := ssautil.Variable(*op)
					if v == nil || !ssautil.Wide(v.Type()) && !model.IsAtomic(v.Type()) {
						continue
					}
					fine, known := out[v]
					held, ok := p.countedAt(f, instr, v)
					if held != nil {
						if had, more := under[v]; more {
							held = slices.DeleteFunc(held, func(l *types.Var) bool { return !slices.Contains(had, l) })
						}
						under[v], ok = held, ok && len(held) > 0
					}
					out[v] = ok && (fine || !known)
				}
			}
		}
	}
	return out
}

// eachField visits the fields of a struct that gets a new value as a whole, where it is not just made.
func eachField(st *ssa.Store, visit func(*types.Var)) {
	whole, ok := st.Val.Type().Underlying().(*types.Struct)
	if _, made := st.Addr.(*ssa.Alloc); !ok || made {
		return
	}
	for v := range whole.Fields() {
		visit(v.Origin())
	}
}

// countedAt reports whether an instruction only counts a variable up, or reads it; held are the locks under which it
// does so, not nil if it needs one.
func (p *Package) countedAt(f *Func, instr ssa.Instruction, v *types.Var) (held []*types.Var, ok bool) {
	switch instr := instr.(type) {
	case *ssa.UnOp, *ssa.DebugRef:
		return nil, true
	case *ssa.Store:
		return p.countedUnder(f, instr), p.countsUp(instr)
	case *ssa.Call:
		if fn, _ := ssautil.Callee(&instr.Call); model.ReadsFlag(fn) {
			return nil, true
		}
		counted := depend.CountsUp(p.Paths, instr)
		return nil, counted != nil && ssautil.Variable(counted) == v
	}
	return nil, false
}

// countedUnder returns the locks that a function holds for writing where it stores: beside the field, or of the package.
func (p *Package) countedUnder(f *Func, st *ssa.Store) []*types.Var {
	out := make([]*types.Var, 0, 1)
	object, at := p.Paths.Of(st.Addr).Parent(), pointOf(st)
	suits := func(lock accesspath.Path) bool {
		return lock.Root().Kind == accesspath.Global || object.Known() && lock.HasPrefix(object)
	}
	for i := range f.Locking {
		take := &f.Locking[i]
		if take.Acquire && suits(take.Lock) && f.Flow.Dominates(take.Point, at) && takes(f, take, false) && !lost(f, take, at) {
			out = append(out, take.Lock.Location().Var)
		}
	}
	for _, h := range f.Ctx.Entry {
		if h.Mode == locks.Write && suits(h.Lock) {
			out = append(out, h.Lock.Location().Var)
		}
	}
	return out
}
