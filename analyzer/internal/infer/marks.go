package infer

import (
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// marks finds what is done with the marks of the package that may be locks: flags, and
// entries under a key, which are set only where they were found not to be set, and taken back. Who has set one is the only
// one who goes on until it is taken back. The fields in torn are none.
//
// Whether a mark is a lock is known when its package has been analysed, see [Package.torn].
func (p *Package) marks(torn map[*types.Var]bool, flights map[*ssa.Function]*transfer.Flight) map[ssa.Instruction]*transfer.Mark {
	m := &marks{p: p, torn: torn, of: make(map[*types.Var]*marked)}
	p.flagMarks(m)
	p.boardMarks(m, flights)
	out := make(map[ssa.Instruction]*transfer.Mark)
	p.boarded = make(map[*types.Var]bool)
	for _, v := range m.order {
		by := m.of[v]
		if by.broken {
			continue
		}
		if p.leaveFirst(by); m.pairs(by) && p.changedOnly(v, by) {
			p.boarded[v] = ssautil.IsMap(v.Type())
			for i := range by.ops {
				out[by.at[i]] = &by.ops[i]
			}
			for _, read := range by.reads {
				if m := p.asksMark(read); m != nil {
					out[read] = m
				}
			}
		}
	}
	return out
}

// IsMark reports whether a lock is a mark, or one that something of which no body is known has for a key: who has set it holds
// it, and it keeps nothing out but who asks for it.
func (p *Package) IsMark(lock accesspath.Path) bool {
	v := lock.Location().Var
	if v == nil {
		return false
	}
	keyed := lock.IsElem() && (model.HasKeyedLock(v.Type()) || p.boardedThere(v))
	return keyed || locks.IsFlag(lock) || p.boarded[v]
}

// boardedThere reports whether the entries of a package-level map of another package are marks: what is held there is the entry, which is
// no lock by its type.
func (p *Package) boardedThere(v *types.Var) bool {
	m, ok := v.Type().Underlying().(*types.Map)
	return ok && v.Pkg() != p.Types && !v.IsField() && !hasLock(ssautil.Pointee(m.Elem()))
}

// GivesBack reports whether each function of the package that takes a lock for a key gives it back itself, where only the names of
// the methods tell that they are a lock.
func (p *Package) GivesBack(lock accesspath.Path) bool {
	v := lock.Location().Var
	if v == nil || !model.HasKeyedLock(v.Type()) {
		return true
	}
	return !slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		return slices.ContainsFunc(f.Effect.Takes(), func(h locks.Held) bool { return h.Lock.Location().Var == v })
	})
}

type marks struct {
	p     *Package
	torn  map[*types.Var]bool
	of    map[*types.Var]*marked
	order []*types.Var
}

// A marked collects the operations on one field.
type marked struct {
	at     []ssa.Instruction
	ops    []transfer.Mark
	reads  []*ssa.UnOp       // which only ask whether a flag is set
	first  []ssa.Instruction // which give it what it has anyway, where nothing else has the object yet
	broken bool              // it is changed in other ways, too
}

// field returns what is known of a field, nil if it can be no mark.
func (m *marks) field(v *types.Var) *marked {
	if v == nil || m.torn[v] {
		return nil
	}
	if v.Exported() || v.Pkg() != m.p.Types {
		return nil
	}
	if m.of[v] == nil {
		m.of[v] = new(marked)
		m.order = append(m.order, v)
	}
	return m.of[v]
}

func (by *marked) add(at ssa.Instruction, op transfer.Mark) {
	by.at, by.ops = append(by.at, at), append(by.ops, op)
}

// leaveFirst leaves out the steps that take a mark back where its object is made, or the package is initialised, in functions that do not
// set it: no one has it yet.
func (p *Package) leaveFirst(by *marked) {
	sets := by.setters()
	var at []ssa.Instruction
	var ops []transfer.Mark
	for i, instr := range by.at {
		if m := &by.ops[i]; !m.Puts && !sets[callback.Outermost(instr.Parent())] && p.setAtFirst(instr) {
			by.first = append(by.first, instr)
			continue
		}
		at, ops = append(at, instr), append(ops, by.ops[i])
	}
	by.at, by.ops = at, ops
}

// setAtInit reports whether an instruction gives a variable of the package its first value.
func setAtInit(at ssa.Instruction) bool {
	st, ok := at.(*ssa.Store)
	if !ok {
		return false
	}
	g, ok := st.Addr.(*ssa.Global)
	return ok && at.Parent() == g.Pkg.Func("init")
}

// setAtFirst reports whether an instruction sets a flag where nothing else has its object yet.
func (p *Package) setAtFirst(at ssa.Instruction) bool {
	var object ssa.Value
	switch at := at.(type) {
	case *ssa.Store:
		if _, ok := at.Addr.(*ssa.Global); ok {
			return setAtInit(at)
		}
		object = at.Addr
	case *ssa.Call:
		if _, args := ssautil.Callee(&at.Call); len(args) > 0 {
			object = args[0]
		}
	}
	part, ok := object.(*ssa.FieldAddr)
	for ; ok; part, ok = object.(*ssa.FieldAddr) {
		object = part.X
	}
	return object != nil && p.inTheMaking(change{at, object})
}

// setters returns the functions that set a mark.
func (by *marked) setters() map[*ssa.Function]bool {
	sets := make(map[*ssa.Function]bool)
	for i := range by.ops {
		if by.ops[i].Puts {
			sets[callback.Outermost(by.at[i].Parent())] = true
		}
	}
	return sets
}

// pairs reports whether a mark is both set and taken back, and that only by functions which set it, or which
// the package shows to be called by such: others take back what they have not set.
func (m *marks) pairs(by *marked) bool {
	sets := by.setters()
	lifts := 0
	for i := range by.ops {
		if by.ops[i].Puts {
			continue
		}
		lifts++
		if !m.p.insists(by.at[i]) && !m.calledBy(callback.Outermost(by.at[i].Parent()), sets, maxReleasers) {
			return false
		}
	}
	return lifts > 0 && len(sets) > 0
}

// calledBy reports whether a function sets a mark, or others call it that do, or that call what does; others still must
// show that they have set it.
func (m *marks) calledBy(fn *ssa.Function, sets map[*ssa.Function]bool, depth int) bool {
	if sets[fn] {
		return true
	}
	f := m.p.byKey[accesspath.FuncKey(fn)]
	if f != nil && slices.ContainsFunc(m.p.callees(f), func(g *Func) bool { return sets[g.SSA] }) {
		return true
	}
	if isExported(fn) {
		return endsBegun(fn, maps.Keys(sets))
	}
	if depth == 0 {
		return false
	}
	return slices.ContainsFunc(m.p.usesOfFuncs()[fn], func(use ssa.Instruction) bool {
		return m.calledBy(callback.Outermost(use.Parent()), sets, depth-1)
	})
}

// endsBegun reports whether a method ends, by its name, what one of some others of its type begins: who calls the one has called
// the other before.
func endsBegun(fn *ssa.Function, others iter.Seq[*ssa.Function]) bool {
	recv := fn.Signature.Recv()
	for begins := range others {
		other := begins.Signature.Recv()
		if recv != nil && other != nil && types.Identical(ssautil.Pointee(recv.Type()), ssautil.Pointee(other.Type())) && role.Begins(begins.Name(), fn.Name()) {
			return true
		}
	}
	return false
}

// changedOnly reports whether the operations are all that changes a field once its object is made.
func (p *Package) changedOnly(v *types.Var, by *marked) bool {
	if ssautil.IsMap(v.Type()) {
		return p.unaliased(v) || p.OwnVariable(v)
	}
	return !slices.ContainsFunc(p.changes()[v], func(c change) bool {
		_, store := c.at.(*ssa.Store)
		return store && !slices.Contains(by.at, c.at) && !slices.Contains(by.first, c.at)
	})
}

// boardMarks notes the maps in which entries are put where there are none, and from which they are taken out.
func (p *Package) boardMarks(m *marks, flights map[*ssa.Function]*transfer.Flight) {
	boards, order := p.boards()
	for _, v := range order {
		b := boards[v]
		if b.broken || !shows(b, flights) {
			continue
		}
		by := m.field(v)
		if by == nil {
			continue
		}
		for i := range b.claims {
			c := &b.claims[i]
			by.add(c.at, transfer.Mark{Lock: p.Paths.Elem(c.m, c.key), Puts: true, Look: c.asked, To: c.to()})
		}
		for _, d := range b.ends {
			args := d.Common().Args
			lock := p.Paths.Elem(p.Paths.Of(args[0]), p.Paths.Key(args[1]))
			by.add(p.lifts(d, lock), transfer.Mark{Lock: lock})
		}
		for _, off := range b.offs {
			by.add(off, transfer.Mark{Lock: p.Paths.Elem(p.Paths.Of(off.Map), p.Paths.Key(off.Key))})
		}
	}
}

// lifts returns where a deletion takes a mark back: at the look in its section that asks whether there is one and then always
// deletes it. Who has set the mark finds it.
func (p *Package) lifts(d ssa.CallInstruction, lock accesspath.Path) ssa.Instruction {
	if _, plain := d.(*ssa.Call); !plain {
		return d
	}
	look, way := p.lookBefore(d, func(cond ssa.Value) (ssa.Instruction, int) {
		look, side := ssautil.Absence(cond)
		if look == nil || p.Paths.Elem(p.Paths.Of(look.X), p.Paths.Key(look.Index)) != lock {
			return nil, 0
		}
		return look, 1 - side
	})
	if look == nil || way.released {
		return d
	}
	if first := way.to().Instrs[0]; first != ssa.Instruction(d) && !ssautil.Always(first, d) {
		return d
	}
	return look
}

// shows reports whether those who look at a board find what is put in, and nothing where it is taken back; and that it is
// not that of a flight.
func shows(b *board, flights map[*ssa.Function]*transfer.Flight) bool {
	return !slices.ContainsFunc(b.claims, func(c claim) bool {
		value, constant := c.at.Value.(*ssa.Const)
		unseen := !c.look.CommaOk && constant && ssautil.IsZeroConst(value)
		return flights[c.at.Parent()] != nil || unseen || c.look.CommaOk && len(b.offs) > 0
	})
}

// flagMarks notes what is done with fields and variables that are flags: numbers, bools, and their atomic forms.
func (p *Package) flagMarks(m *marks) {
	var ops []*ssa.Value
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				ops = instr.Operands(ops[:0])
				for _, op := range ops {
					v := ssautil.Variable(*op)
					if v == nil || !model.IsFlag(v.Type()) {
						continue
					}
					if by := m.field(v); by != nil {
						p.flagUsed(by, *op, instr)
					}
				}
			}
		}
	}
}

// flagUsed notes a use of a flag's address.
func (p *Package) flagUsed(by *marked, addr ssa.Value, use ssa.Instruction) {
	lock := p.Paths.Of(addr)
	switch use := use.(type) {
	case *ssa.DebugRef:
	case *ssa.UnOp:
		by.reads = append(by.reads, use)
	case *ssa.Store:
		to, ok := use.Val.(*ssa.Const)
		if by.broken = by.broken || !ok || use.Addr != addr; by.broken {
			return
		}
		if ssautil.IsZeroConst(to) {
			by.add(use, transfer.Mark{Lock: lock})
			return
		}
		look, way := p.lookBefore(use, func(cond ssa.Value) (ssa.Instruction, int) { return p.unsetFlag(cond, lock) })
		by.broken = look == nil || way.released
		by.add(use, transfer.Mark{Lock: lock, Puts: true, Look: look, To: way.to()})
	case ssa.CallInstruction:
		fn, args := ssautil.Callee(use.Common())
		switch puts, known := atomicMark(fn, args); {
		case known && len(args) > 1 && args[0] == addr:
			by.add(use, transfer.Mark{Lock: lock, Puts: puts, Atomic: true, Before: model.Flag(fn) == model.FlagSwap})
		default:
			by.broken = by.broken || !model.ReadsFlag(fn)
		}
	default:
		by.broken = true
	}
}

// atomicMark reports whether an atomic operation sets a flag that is not set, or takes one back; not known if it does
// anything else.
func atomicMark(fn *types.Func, args []ssa.Value) (puts, known bool) {
	set := make([]bool, 0, len(args))
	for _, arg := range args[min(1, len(args)):] {
		k, ok := arg.(*ssa.Const)
		if !ok {
			return false, false
		}
		set = append(set, !ssautil.IsZeroConst(k))
	}
	switch op := model.Flag(fn); {
	case op == model.FlagClaim && len(set) == 2:
		return set[1], set[0] != set[1]
	case op == model.FlagSet && len(set) == 1:
		return false, !set[0]
	case op == model.FlagSwap && len(set) == 1:
		return set[0], !set[0] || ssautil.IsBool(fn.Signature().Results().At(0).Type())
	}
	return false, false
}

// unsetFlag returns the read of a flag that a condition asks whether it is set, and the side of the branch on which it
// is not; nil if it asks for something else.
func (p *Package) unsetFlag(cond ssa.Value, flag accesspath.Path) (ssa.Instruction, int) {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			look, side := p.unsetFlag(c.X, flag)
			return look, 1 - side
		}
		if c.Op == token.MUL && p.Paths.Of(c.X) == flag {
			return c, 1
		}
	case *ssa.BinOp:
		load, ok := c.X.(*ssa.UnOp)
		zero, isConst := c.Y.(*ssa.Const)
		if !ok || !isConst || !ssautil.IsZeroConst(zero) || load.Op != token.MUL || p.Paths.Of(load.X) != flag {
			return nil, 0
		}
		switch c.Op {
		case token.EQL:
			return load, 0
		case token.NEQ:
			return load, 1
		}
	}
	return nil, 0
}
