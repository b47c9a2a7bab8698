package fix

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/infer"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// calls answers what a function may do through others.
type calls struct {
	pkg *infer.Package
	// brief are functions known to be brief; visiting are those on which the
	// question at hand has come so far: recursion alone does not spoil it.
	brief, visiting map[*ssa.Function]bool
}

func newCalls(pkg *infer.Package) *calls {
	return &calls{pkg: pkg, brief: make(map[*ssa.Function]bool)}
}

// briefInstr reports whether an instruction neither waits for anything nor
// runs code that is not known: it takes no lock, uses no channel, calls no
// function value and no interface.
func (c *calls) briefInstr(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Send, *ssa.Select:
		return false
	case *ssa.UnOp:
		return instr.Op != token.ARROW
	case *ssa.Go:
		return true // runs elsewhere
	case *ssa.MakeInterface:
		// Code that gets the value may call its methods.
		for _, m := range c.ownMethods(instr.X.Type()) {
			if !c.briefFunc(m) {
				return false
			}
		}
	case ssa.CallInstruction:
		return c.briefCall(instr.Common())
	}
	return true
}

func (c *calls) briefCall(call *ssa.CallCommon) bool {
	if _, ok := call.Value.(*ssa.Builtin); ok {
		return true
	}
	callee := call.StaticCallee()
	if callee == nil {
		return false
	}
	for _, arg := range call.Args {
		if _, isFunc := arg.Type().Underlying().(*types.Signature); !isFunc {
			continue
		}
		if fn := ssautil.Function(arg); fn == nil || !c.briefFunc(fn) {
			return false
		}
	}
	obj, _ := callee.Object().(*types.Func)
	if obj == nil || obj.Pkg() == c.pkg.Types {
		return c.briefFunc(callee)
	}
	return c.briefLibrary(obj)
}

// briefLibrary reports whether a function of another package is known not to
// wait and not to call back, but for the functions that it is given.
func (c *calls) briefLibrary(fn *types.Func) bool {
	switch k := c.pkg.Does(fn).Kind; k {
	case model.None, model.RunNow:
	case model.ConcurrentLoad, model.ConcurrentStore, model.ConcurrentDelete, model.ConcurrentRange, model.ConcurrentAtomic:
		return true
	default:
		if !k.OnMap() {
			return false
		}
	}
	return model.Brief(fn) || fn.FullName() == "(*sync.WaitGroup).Done"
}

// briefFunc reports whether a function and all that it calls is brief. An
// answer is kept only when it rests on nothing that is still open.
func (c *calls) briefFunc(fn *ssa.Function) bool {
	fn = c.body(fn)
	if c.visiting != nil {
		return c.visitBrief(fn)
	}
	c.visiting = make(map[*ssa.Function]bool)
	ok := c.visitBrief(fn)
	if ok {
		maps.Copy(c.brief, c.visiting)
	}
	c.visiting = nil
	return ok
}

func (c *calls) visitBrief(fn *ssa.Function) bool {
	if c.brief[fn] || c.visiting[fn] {
		return true
	}
	if fn.Blocks == nil {
		return false
	}
	if obj, ok := fn.Object().(*types.Func); ok && c.pkg.Does(obj).Kind != model.None {
		return false // a lock, whatever its body does
	}
	c.visiting[fn] = true
	for _, b := range fn.Blocks {
		if !c.allBrief(b.Instrs) {
			return false
		}
	}
	return true
}

func (c *calls) allBrief(instrs []ssa.Instruction) bool {
	return !slices.ContainsFunc(instrs, func(instr ssa.Instruction) bool { return !c.briefInstr(instr) })
}

// body returns the function whose code runs when fn is called: not a wrapper
// that was made for a method value, nor an instance of a generic function.
func (c *calls) body(fn *ssa.Function) *ssa.Function {
	if f := c.pkg.Lookup(accesspath.FuncKey(fn)); f != nil {
		return f.SSA
	}
	return fn
}

// ownMethods returns the methods of a type that this package declares.
func (c *calls) ownMethods(t types.Type) []*ssa.Function {
	var out []*ssa.Function
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		fn, ok := set.At(i).Obj().(*types.Func)
		if !ok || fn.Pkg() != c.pkg.Types {
			continue
		}
		if f := c.pkg.Lookup(any(fn.Origin())); f != nil {
			out = append(out, f.SSA)
		}
	}
	return out
}

// mayCall reports whether instructions may call one function of the package,
// directly or through others. Every function that is mentioned may be called,
// and a call through a value or an interface may be one of anything.
// Complexity: linear in the code that is reached.
func (c *calls) mayCall(instrs []ssa.Instruction, target *ssa.Function) bool {
	r := &reach{calls: c, seen: make(map[*ssa.Function]bool)}
	r.instrs(instrs)
	for len(r.work) > 0 && !r.anything && !r.seen[target] {
		fn := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		for _, b := range fn.Blocks {
			r.instrs(b.Instrs)
		}
	}
	return r.anything || r.seen[target]
}

type reach struct {
	calls *calls
	seen  map[*ssa.Function]bool
	work  []*ssa.Function
	// anything: a call that may be one of any function.
	anything bool
}

func (r *reach) add(fn *ssa.Function) {
	if fn = r.calls.body(fn); !r.seen[fn] {
		r.seen[fn] = true
		r.work = append(r.work, fn)
	}
}

func (r *reach) instrs(instrs []ssa.Instruction) {
	for _, instr := range instrs {
		switch instr := instr.(type) {
		case *ssa.Go:
			continue // another goroutine may wait for the lock
		case *ssa.MakeInterface:
			for _, m := range r.calls.ownMethods(instr.X.Type()) {
				r.add(m)
			}
		case ssa.CallInstruction:
			if r.calls.lockOp(instr) != nil {
				continue // a mutex calls nothing
			}
			r.anything = r.anything || indirect(instr.Common())
		}
		for _, op := range instr.Operands(nil) {
			if fn := ssautil.Function(*op); fn != nil {
				r.add(fn)
			}
		}
	}
}

// indirect reports whether it is unknown which function a call runs.
func indirect(call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		return call.Method.Pkg() != nil // all but error.Error
	}
	_, builtin := call.Value.(*ssa.Builtin)
	return !builtin && call.StaticCallee() == nil
}

// A lockOp is one call that takes or releases a lock.
type lockOp struct {
	instr ssa.CallInstruction
	kind  model.Kind
	path  accesspath.Path
	fn    *types.Func
}

func (op *lockOp) deferred() bool {
	_, ok := op.instr.(*ssa.Defer)
	return ok
}

func (op *lockOp) releases() bool { return op.kind == model.Unlock || op.kind == model.RUnlock }

// lockOps returns the lock operations of a function by their instruction, and
// in order.
func (c *calls) lockOps(fn *ssa.Function) (map[ssa.Instruction]*lockOp, []*lockOp) {
	by := make(map[ssa.Instruction]*lockOp)
	var list []*lockOp
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if op := c.lockOp(call); op != nil {
				by[instr] = op
				list = append(list, op)
			}
		}
	}
	return by, list
}

func (c *calls) lockOp(instr ssa.CallInstruction) *lockOp {
	call := instr.Common()
	obj, recv := call.Method, call.Value
	if !call.IsInvoke() {
		callee := call.StaticCallee()
		if callee == nil || len(call.Args) == 0 {
			return nil
		}
		obj, _ = callee.Object().(*types.Func)
		recv = call.Args[0]
	}
	if k := c.pkg.Does(obj).Kind; k.Locks() {
		return &lockOp{instr: instr, kind: k, path: c.pkg.LockPath(recv), fn: obj}
	}
	return nil
}

// A section is what may run after an acquisition, up to the releases.
type section struct {
	acquire  *lockOp
	instrs   []ssa.Instruction
	releases []*lockOp
	// open: a path leaves the function with the lock held.
	open bool
}

// section follows all paths from an acquisition to the releases of the same
// lock. A deferred release ends the section where deferred calls run.
func (c *calls) section(acquire *lockOp, by map[ssa.Instruction]*lockOp, ops []*lockOp) *section {
	s := &section{acquire: acquire}
	var deferred []*lockOp
	for _, op := range ops {
		if op.deferred() && op.releases() && op.path == acquire.path {
			deferred = append(deferred, op)
		}
	}
	hit := make(map[*lockOp]bool)
	release := func(ops ...*lockOp) {
		for _, op := range ops {
			if !hit[op] {
				hit[op] = true
				s.releases = append(s.releases, op)
			}
		}
	}
	through := func(instrs []ssa.Instruction) bool {
		for _, instr := range instrs {
			if op := by[instr]; op != nil && op.path == acquire.path && op.releases() && !op.deferred() {
				release(op)
				return false
			}
			s.instrs = append(s.instrs, instr)
			switch instr.(type) {
			case *ssa.RunDefers:
				if len(deferred) > 0 {
					release(deferred...)
					return false
				}
			case *ssa.Return:
				s.open = true
			}
		}
		return true
	}
	s.walk(acquire.instr, through)
	return s
}

// walk visits what follows an instruction, a block at a time, as long as
// through says to go on.
func (s *section) walk(from ssa.Instruction, through func([]ssa.Instruction) bool) {
	b := from.Block()
	at := 0
	for i, instr := range b.Instrs {
		if instr == from {
			at = i + 1
		}
	}
	seen := make(map[*ssa.BasicBlock]bool)
	var work []*ssa.BasicBlock
	if through(b.Instrs[at:]) {
		work = append(work, b.Succs...)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if through(b.Instrs) {
			work = append(work, b.Succs...)
		}
	}
}
