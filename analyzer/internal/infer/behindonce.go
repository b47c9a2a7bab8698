package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/access"
	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/depend"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// maxBehindOnce bounds the calls, one in the other, by which a function comes behind a once.
const maxBehindOnce = 4

// onceUses is what a package does with the onces of the module, those that are no part of a library: the calls that pass one, by what
// names it, and the functions that these run.
type onceUses struct {
	p    *Package
	pass map[ssa.Instruction]any
	in   map[*Func]any
	// through caches which functions pass a once before they return, entered which begin behind one, and leads which one they pass
	// somewhere.
	through, entered onceAnswers
	leads            map[onceAsk]any
}

// A onceAsk is a question for a function, and the calls that it may go down.
type onceAsk struct {
	f     *Func
	id    any
	depth int
}

// onceAnswers keeps what was answered.
type onceAnswers map[onceAsk]bool

// of returns the answer to a question, which is found if it has none yet.
func (m onceAnswers) of(ask onceAsk, find func() bool) bool {
	out, ok := m[ask]
	if !ok {
		out = find()
		m[ask] = out
	}
	return out
}

// onceIdentity names a once: by the field or variable that holds it, or, of the receiver of a method of the package, by its type; nil if
// it cannot be told.
func (p *Package) onceIdentity(object ssa.Value) any {
	switch id := chanIdentity(object).(type) {
	case *types.Var:
		return id
	case *ssa.Parameter:
		if named := methodOf(id.Parent()); named != nil && id == id.Parent().Params[0] && named.Pkg() == p.Types {
			return named
		}
	}
	return nil
}

// doubtfulOnces returns the onces that keep nothing from meeting what they run: what that comes to is used elsewhere, too, by who has
// not passed the once; or the once may be set back.
// Complexity: linear in the package, for each once.
func (p *Package) doubtfulOnces() map[any]bool {
	u := &onceUses{p: p, pass: make(map[ssa.Instruction]any), in: make(map[*Func]any), through: make(onceAnswers), entered: make(onceAnswers), leads: make(map[onceAsk]any)}
	out := make(map[any]bool)
	for _, f := range p.Funcs {
		for i := range f.Calls {
			call, _ := f.Calls[i].Point.Instr(f.SSA).(ssa.CallInstruction)
			if f.Calls[i].Kind != summary.OnceOnly || call == nil {
				continue
			}
			if fn, args := ssautil.Callee(call.Common()); len(args) > 0 && p.Does(fn).Kind != model.Once {
				id := p.onceIdentity(args[0])
				u.pass[call] = id
				u.enter(p.byKey[f.Calls[i].Callee], id, out)
			}
		}
	}
	if len(u.pass) == 0 {
		return nil
	}
	for _, id := range u.pass {
		out[id] = out[id] || p.setBack(id)
	}
	u.meet(out)
	for id, doubted := range out {
		if !doubted {
			delete(out, id)
		}
	}
	return out
}

// enter notes that a once runs a function, with what that calls. What two of them run, neither runs once.
func (u *onceUses) enter(f *Func, id any, doubted map[any]bool) {
	if f == nil || !f.Ctx.OnceOnly {
		return
	}
	if was, ok := u.in[f]; ok {
		if was != id {
			doubted[was], doubted[id] = true, true
		}
		return
	}
	u.in[f] = id
	for i := range f.Calls {
		if c := &f.Calls[i]; c.Kind == summary.Direct {
			u.enter(u.p.byKey[c.Callee], id, doubted)
		}
	}
}

// of returns the once that makes an access run once, nil if none of the module does.
func (u *onceUses) of(f *Func, a *access.Access) any {
	if at := a.Point.Instr(f.SSA); a.Once && at != nil {
		if id := u.ledTo(at, maxBehindOnce); id != nil {
			return id
		}
	}
	return u.in[f]
}

// ledTo returns the once that a call passes, itself or somewhere in what it calls, nil if it passes none.
func (u *onceUses) ledTo(at ssa.Instruction, depth int) any {
	if id := u.pass[at]; id != nil {
		return id
	}
	call, ok := at.(ssa.CallInstruction)
	if !ok || depth == 0 || call.Common().StaticCallee() == nil {
		return nil
	}
	f := u.p.byKey[accesspath.FuncKey(call.Common().StaticCallee())]
	if f == nil {
		return nil
	}
	ask := onceAsk{f: f, depth: depth}
	if id, ok := u.leads[ask]; ok {
		return id
	}
	var id any
	for inner := range ssautil.Calls(f.SSA) {
		if id = u.ledTo(inner, depth-1); id != nil {
			break
		}
	}
	u.leads[ask] = id
	return id
}

// meet doubts the onces that run what comes to a place to which others come who have not passed them.
func (u *onceUses) meet(doubted map[any]bool) {
	touched := make(map[accesspath.Location]any)
	each := func(do func(*Func, *access.Access, any)) {
		for _, f := range u.p.Funcs {
			for i := range f.Accesses {
				if a := &f.Accesses[i]; a.Path.Location().Valid() && Own(a) && !a.Fresh && a.Op != access.Grow {
					do(f, a, u.of(f, a))
				}
			}
		}
	}
	each(func(f *Func, a *access.Access, id any) {
		loc := a.Path.Location()
		was, ok := touched[loc]
		switch {
		case id == nil || f.Owns(a):
		case ok && was != id:
			doubted[was], doubted[id] = true, true
		case !u.p.keepsPlace(id, loc):
			doubted[id] = true
		default:
			touched[loc] = id
		}
	})
	each(func(f *Func, a *access.Access, id any) {
		by, ok := touched[a.Path.Location()]
		if !ok || id != nil || doubted[by] || a.Once || u.p.Exempt(f, a) {
			return
		}
		at := a.Point.Instr(f.SSA)
		doubted[by] = at == nil || !u.behind(f, at, by, maxBehindOnce) || u.ofAnother(f, a, by)
	})
}

// keepsPlace reports whether there is one once for all that come to a place: it is a variable, or a part of the object that has the
// place, too. One of another object, which leads to that, does not keep others out that do.
func (p *Package) keepsPlace(id any, loc accesspath.Location) bool {
	var owner types.Type
	switch id := id.(type) {
	case *types.Var:
		if !id.IsField() {
			return true
		}
		owner = p.structOf(id)
	case *types.TypeName:
		owner = id.Type()
	}
	return owner != nil && loc.Var != nil && hasField(owner, loc.Var)
}

// structOf returns the type of the struct that has a field, nil if the package does not use the field.
func (p *Package) structOf(field *types.Var) (owner types.Type) {
	for _, f := range p.Funcs {
		if ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			addr, ok := instr.(*ssa.FieldAddr)
			if ok = ok && ssautil.FieldOf(addr) == field; ok {
				owner = ssautil.Pointee(addr.X.Type())
			}
			return ok
		}) {
			return owner
		}
	}
	return nil
}

// hasField reports whether a struct has a field, itself or in a struct that is a part of it.
func hasField(t types.Type, field *types.Var) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for v := range st.Fields() {
		if v.Origin() == field.Origin() || hasField(v.Type(), field) {
			return true
		}
	}
	return false
}

// behind reports whether control comes to an instruction only when a once has been passed: in the function, where it is made if it is
// a literal, or by all that call it.
func (u *onceUses) behind(f *Func, at ssa.Instruction, id any, depth int) bool {
	if depth == 0 {
		return false
	}
	return u.passedAt(f, at, id, depth) ||
		u.entered.of(onceAsk{f, id, depth}, func() bool { return u.begunBehind(f, id, depth-1) })
}

// begunBehind reports whether a function begins only when a once has been passed.
func (u *onceUses) begunBehind(f *Func, id any, depth int) bool {
	if made := ssautil.MakerOf(f.SSA); made != nil {
		if around := u.p.byKey[accesspath.FuncKey(made.Parent())]; around != nil && u.behind(around, made, id, depth) {
			return true
		}
	}
	sites := u.p.sites()[f]
	if len(sites) == 0 || f.Ctx.Open() || f.Ctx.Escaped {
		return false
	}
	return !slices.ContainsFunc(sites, func(s site) bool {
		call := s.call.Point.Instr(s.caller.SSA)
		return call == nil || !u.behind(s.caller, call, id, depth)
	})
}

// ofAnother reports whether a function passes a once before an access, but that of another object than the one with the map.
func (u *onceUses) ofAnother(f *Func, a *access.Access, id any) bool {
	if v, ok := id.(*types.Var); ok && !v.IsField() {
		return false
	}
	at, passed := a.Point.Instr(f.SSA), false
	for call := range ssautil.Calls(f.SSA) {
		if !ssautil.Dominates(call, at) || !u.passes(call, id, maxBehindOnce) {
			continue
		}
		passed = true
		_, args := ssautil.Callee(call.Common())
		if slices.ContainsFunc(args, func(arg ssa.Value) bool {
			given := u.p.Paths.Of(arg)
			return given.Known() && (a.Path.HasPrefix(given) || given.Parent().Known() && a.Path.HasPrefix(given.Parent()))
		}) {
			return false
		}
	}
	return passed
}

// passes reports whether a call passes a once: by itself, or in what it calls, before that returns.
func (u *onceUses) passes(call ssa.CallInstruction, id any, depth int) bool {
	if u.pass[call] == id {
		return true
	}
	if depth == 0 || call.Common().StaticCallee() == nil {
		return false
	}
	f := u.p.byKey[accesspath.FuncKey(call.Common().StaticCallee())]
	return f != nil && u.through.of(onceAsk{f, id, depth}, func() bool { return u.passedBy(f, id, depth-1) })
}

// passedBy reports whether a function does not return but when it has passed a once.
func (u *onceUses) passedBy(f *Func, id any, depth int) bool {
	returns := depend.Returns(f.SSA)
	return len(returns) > 0 && !slices.ContainsFunc(returns, func(ret *ssa.Return) bool { return !u.passedAt(f, ret, id, depth) })
}

// passedAt reports whether a call of the function, which has returned wherever control comes to an instruction, has passed a once.
func (u *onceUses) passedAt(f *Func, at ssa.Instruction, id any, depth int) bool {
	for call := range ssautil.Calls(f.SSA) {
		if _, plain := call.(*ssa.Call); plain && call != at && ssautil.Dominates(call, at) && u.passes(call, id, depth) {
			return true
		}
	}
	return false
}

// setBack reports whether a once may run anew what it gets, as far as the package shows: another one takes its place, or a method has
// it run that again. What tests do does not count; nor what other packages do to a variable of this one.
func (p *Package) setBack(id any) bool {
	v, ok := id.(*types.Var)
	if !ok {
		named, ok := id.(*types.TypeName)
		return !ok || p.rearmable(named.Type())
	}
	rearmable := p.rearmable(v.Type())
	if rearmable && v.IsField() && v.Exported() {
		return true // those that have the object have its methods
	}
	if slices.ContainsFunc(p.changes()[v], func(c change) bool {
		_, stored := c.at.(*ssa.Store)
		by := c.at.Parent()
		return stored && !p.inTheMaking(c) && !isInit(by) && !p.forTests(callback.Outermost(by))
	}) {
		return true
	}
	return rearmable && slices.ContainsFunc(p.Funcs, func(f *Func) bool {
		return !p.forTests(callback.Outermost(f.SSA)) && ssautil.Some(f.SSA, func(instr ssa.Instruction) bool { return p.maySetBack(instr, v) })
	})
}

// maySetBack reports whether an instruction sets back the once that a variable holds, or gives it to what may: all does that but a call of
// another method.
func (p *Package) maySetBack(instr ssa.Instruction, v *types.Var) bool {
	holds := func(x ssa.Value) bool {
		if load, ok := x.(*ssa.UnOp); ok && isPointer(v.Type()) {
			return ssautil.Variable(load.X) == v
		}
		return !isPointer(v.Type()) && ssautil.Variable(x) == v
	}
	for _, op := range instr.Operands(nil) {
		if *op == nil || !holds(*op) {
			continue
		}
		switch instr := instr.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr, *ssa.UnOp:
			continue
		case *ssa.Store:
			if instr.Addr == *op {
				continue // see setBack
			}
		case ssa.CallInstruction:
			fn, args := ssautil.Callee(instr.Common())
			if fn == nil || fn.Signature().Recv() == nil || args[0] != *op || slices.Contains(args[1:], *op) {
				return true
			}
			if sum := p.Summary(fn.Origin()); sum == nil || sum.Work != summary.Rearms {
				continue
			}
		}
		return true
	}
	return false
}

// rearmable reports whether a method of a type has a once run anew what it gets.
func (p *Package) rearmable(t types.Type) bool {
	named, ok := types.Unalias(ssautil.Pointee(t)).(*types.Named)
	if !ok {
		return true
	}
	for fn := range named.Origin().Methods() {
		if sum := p.Summary(fn); sum != nil && sum.Work == summary.Rearms {
			return true
		}
	}
	return false
}
