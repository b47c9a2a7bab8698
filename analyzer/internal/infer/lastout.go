package infer

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A lastOut is a branch of which one side is taken by the last user of an object alone: who has counted the users down, in one
// step with the look at what is left of them, and found that none is. All of them are done with the object by then.
type lastOut struct {
	countDown
	left   ssa.Value // the number of users that are left
	branch *ssa.BasicBlock
	side   int
	// in is the function that counts down, and of a helper that says so ends are the points where it does.
	in   *Func
	ends []ssautil.Point
}

// A countDown is where a function counts down the users of an object.
type countDown struct {
	at      ssa.Instruction
	object  accesspath.Path
	counter *types.Var
	atomic  bool
	of      types.Type // the object's
}

// LastOne reports whether an access is made by the last user of the object that has the map. No one else comes to it then: where
// functions find such objects, in a map, each that goes on with one has counted itself up under the lock of that map, and the
// last one has taken the object out, in the section in which the count came to nothing. Of an object that is in no
// map, the users are those who count down; who comes to the object's map does so before, and counts down once.
// Complexity: for each counter, linear in the package.
func (p *Package) LastOne(f *Func, a *access.Access) bool {
	loc := a.Path.Location()
	own := loc.Var != nil && loc.Var.IsField() && loc.Elems == 0 && !p.GivenTo(loc.Var)
	if !own || a.Spawned || !a.Op.Uses() {
		return false
	}
	return p.lastAt(f, a.Path.Parent(), a.Point, maxFilling, func(l *lastOut, at ssautil.Point) bool {
		return slices.ContainsFunc(p.tables(l, at), func(lock *types.Var) bool { return p.leftAlone(&leaving{l.countDown, lock, loc}) })
	})
}

// lastAt reports whether a function comes to a point, or all that call it do to the call, as the last user of an object that
// suits.
func (p *Package) lastAt(f *Func, object accesspath.Path, at ssautil.Point, depth int, suits func(*lastOut, ssautil.Point) bool) bool {
	block := f.SSA.Blocks[at.Block]
	for _, l := range p.lastOuts(f) {
		if l.object == object && ssautil.DominatesEdge(l.branch, l.side, block) && suits(l, at) {
			return true
		}
	}
	for d := block.Idom(); d != nil; d = d.Idom() {
		g, given, yes := p.asksHelper(d, object)
		if g == nil || len(d.Succs) != 2 {
			continue
		}
		for side := range d.Succs {
			if ssautil.DominatesEdge(d, side, block) && slices.ContainsFunc(p.saysLast(g, given, side == yes), func(l *lastOut) bool { return suits(l, at) }) {
				return true
			}
		}
	}
	return p.atAllCalls(f, object, depth, func(s site, given accesspath.Path) bool {
		return p.lastAt(s.caller, given, s.call.Point, depth-1, suits)
	})
}

// lastOuts returns the branches of a function that the last user of an object takes. The answer is kept.
func (p *Package) lastOuts(f *Func) []*lastOut {
	if out, ok := p.lastOut[f]; ok {
		return out
	}
	if p.lastOut == nil {
		p.lastOut = make(map[*Func][]*lastOut)
	}
	var out []*lastOut
	for _, b := range f.SSA.Blocks {
		br, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		if left, side := noneLeft(br.Cond); left != nil {
			if d, ok := p.countedTo(f, left); ok {
				out = append(out, &lastOut{countDown: d, left: left, branch: b, side: side, in: f})
			}
		}
	}
	p.lastOut[f] = out
	return out
}

// saysLast returns how a function has found that it is the last user of an object wherever it returns a truth value.
func (p *Package) saysLast(f *Func, object accesspath.Path, says bool) (out []*lastOut) {
	for _, l := range p.leftIn(f) {
		var ends []ssautil.Point
		all := returnsOnly(f.SSA, says, func(ret *ssa.Return, v ssa.Value) bool {
			end, ok := l.endAt(ret, v, says)
			ends = append(ends, end)
			return ok
		})
		if all && l.object == object {
			told := *l
			told.ends = ends
			out = append(out, &told)
		}
	}
	return out
}

// leftIn returns the branches of lastOuts, and what a function returns that says the same.
func (p *Package) leftIn(f *Func) []*lastOut {
	out := slices.Clone(p.lastOuts(f))
	for _, b := range f.SSA.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == f.SSA.Recover || len(ret.Results) != 1 {
			continue
		}
		if left, side := noneLeft(ssautil.ResultAt(ret, 0)); left != nil {
			if d, ok := p.countedTo(f, left); ok {
				out = append(out, &lastOut{countDown: d, left: left, side: side, in: f})
			}
		}
	}
	return out
}

// endAt returns the point where a function is known to be the last user, if it returns a truth value: where it returns that only
// then, or behind the branch that asks the same.
func (l *lastOut) endAt(ret *ssa.Return, v ssa.Value, says bool) (ssautil.Point, bool) {
	if l.branch != nil && ssautil.DominatesEdge(l.branch, l.side, ret.Block()) {
		return pointOf(ret), true
	}
	left, side := noneLeft(v)
	switch {
	case left != l.left || says != (side == 0):
		return ssautil.Point{}, false
	case l.branch == nil || !l.branch.Dominates(ret.Block()):
		return pointOf(ret), true
	}
	then := l.branch.Succs[l.side]
	return pointOf(then.Instrs[len(then.Instrs)-1]), true
}

// noneLeft returns the number of which a condition asks whether it has come to zero, and the side of the branch on which it has.
func noneLeft(cond ssa.Value) (left ssa.Value, side int) {
	cond, not := ssautil.Unnegated(cond)
	cmp, ok := cond.(*ssa.BinOp)
	if !ok {
		return nil, 0
	}
	k, ok := ssautil.IntOf(cmp.Y)
	if !ok || k > 1 {
		return nil, 0
	}
	switch {
	case k == 0 && (cmp.Op == token.EQL || cmp.Op == token.LEQ), k == 1 && cmp.Op == token.LSS:
	case k == 0 && (cmp.Op == token.NEQ || cmp.Op == token.GTR), k == 1 && cmp.Op == token.GEQ:
		side = 1
	default:
		return nil, 0
	}
	if not {
		side = 1 - side
	}
	return cmp.X, side
}

// countedTo returns where a function has counted down what comes to a number: that is the result, or what is read behind that.
func (p *Package) countedTo(f *Func, left ssa.Value) (countDown, bool) {
	for _, d := range p.countDowns(f) {
		if call, ok := d.at.(*ssa.Call); ok && ssa.Value(call) == left {
			return d, true
		}
		st, ok := d.at.(*ssa.Store)
		if !ok {
			continue
		}
		ld, ok := left.(*ssa.UnOp)
		again := ok && ld.Op == token.MUL && p.Paths.Of(ld.X) == p.Paths.Of(st.Addr) && ssautil.Dominates(st, ld)
		if (st.Val == left || again) && len(p.takesAround(f, st, left)) > 0 {
			return d, true
		}
	}
	return countDown{}, false
}

// takesAround returns where a function has taken the locks that it holds for writing from one instruction to another one.
func (p *Package) takesAround(f *Func, from ssa.Instruction, to ssa.Value) (out []*summary.LockStep) {
	end := from
	if instr, ok := to.(ssa.Instruction); ok && ssautil.Dominates(from, instr) {
		end = instr
	}
	for i := range f.Locking {
		take := &f.Locking[i]
		if take.Acquire && f.Flow.Dominates(take.Point, pointOf(from)) && takes(f, take, false) && !lost(f, take, pointOf(end)) {
			out = append(out, take)
		}
	}
	return out
}

// countDowns returns where a function itself counts down the users of an object. The answer is kept.
func (p *Package) countDowns(f *Func) []countDown {
	if out, ok := p.countingDown[f]; ok {
		return out
	}
	if p.countingDown == nil {
		p.countingDown = make(map[*Func][]countDown)
	}
	var out []countDown
	for _, b := range f.SSA.Blocks {
		for _, instr := range b.Instrs {
			addr, atomic := p.countsDown(instr)
			if field, ok := addr.(*ssa.FieldAddr); ok {
				out = append(out, countDown{instr, p.Paths.Of(addr).Parent(), ssautil.FieldOf(field).Origin(), atomic, ssautil.Pointee(field.X.Type())})
			}
		}
	}
	p.countingDown[f] = out
	return out
}

// countsDown returns the address of the counter that an instruction counts down by one, and whether it does so atomically.
func (p *Package) countsDown(instr ssa.Instruction) (addr ssa.Value, atomic bool) {
	switch instr := instr.(type) {
	case *ssa.Store:
		sub, ok := instr.Val.(*ssa.BinOp)
		if !ok || sub.Op != token.SUB {
			return nil, false
		}
		ld, load := sub.X.(*ssa.UnOp)
		if k, one := ssautil.IntOf(sub.Y); load && one && k == 1 && ld.Op == token.MUL && p.Paths.Of(ld.X) == p.Paths.Of(instr.Addr) {
			return instr.Addr, false
		}
	case ssa.CallInstruction:
		fn, args := ssautil.Callee(instr.Common())
		if model.Flag(fn) != model.FlagCount || len(args) != 2 {
			return nil, false
		}
		if k, ok := args[1].(*ssa.Const); ok && k.Value != nil && constant.Compare(k.Value, token.EQL, constant.MakeInt64(-1)) {
			return args[0], true
		}
	}
	return nil, false
}

// tables returns the locks under which the last user has taken its object out of all maps in which functions find such
// objects, in the section in which the count came to nothing, wherever it comes to a point; a nil lock if there is no such map.
func (p *Package) tables(l *lastOut, at ssautil.Point) (out []*types.Var) {
	in, ends := p.tablesOf(l.of), l.ends
	if len(in) == 0 {
		return []*types.Var{nil}
	}
	if ends == nil {
		ends = []ssautil.Point{at}
	}
	for _, take := range p.takesAround(l.in, l.at, l.left) {
		gone := func(table accesspath.Location) bool {
			return !slices.ContainsFunc(ends, func(end ssautil.Point) bool { return !l.takenOut(table, take, end) })
		}
		if !slices.ContainsFunc(in, func(table accesspath.Location) bool { return !gone(table) }) {
			out = append(out, take.Lock.Location().Var)
		}
	}
	return out
}

// takenOut reports whether the object is taken out of a map before a point, in the section that a step opens.
func (l *lastOut) takenOut(table accesspath.Location, take *summary.LockStep, end ssautil.Point) bool {
	return slices.ContainsFunc(l.in.Accesses, func(d access.Access) bool {
		return takesOut(&d, table, take, l.object) && (l.in.Flow.Before(d.Point, end) || d.Point.Block == end.Block && d.Point.Index < end.Index)
	})
}

// takesOut reports whether an access takes an object out of a map of such objects, in the section that a step opens.
func takesOut(d *access.Access, table accesspath.Location, take *summary.LockStep, object accesspath.Path) bool {
	if d.Op != access.Delete || d.Path.Location() != table || d.Spawned || !d.Key.Known() {
		return false
	}
	its := d.Key.HasPrefix(object) || object.IsElem() && object.Key() == d.Key && object.Parent() == d.Path
	return its && slices.ContainsFunc(d.Held.Held(), func(h locks.Held) bool {
		return h.Lock == take.Lock && h.Mode == locks.Write && h.Sec.Same(take.Sec)
	})
}

// tablesOf returns the places of the maps in which the package has pointers to objects of a type.
func (p *Package) tablesOf(object types.Type) (out []accesspath.Location) {
	for _, f := range p.Funcs {
		for i := range f.Accesses {
			loc := f.Accesses[i].Path.Location()
			if loc.Var != nil && !slices.Contains(out, loc) && holdsPointers(loc, object) {
				out = append(out, loc)
			}
		}
	}
	return out
}

// holdsPointers reports whether the values of a map are pointers to objects of a type.
func holdsPointers(loc accesspath.Location, object types.Type) bool {
	t, known := accesspath.Location{Var: loc.Var, Elems: loc.Elems + 1}.Type()
	ptr, ok := t.Underlying().(*types.Pointer)
	return known && ok && types.Identical(ptr.Elem(), object)
}
