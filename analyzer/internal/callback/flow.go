package callback

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// maxItems bounds the steps of one nest: the pairs of a function value and a
// value that can be it.
const maxItems = 20_000

// A Flow tells where the function values of one nest go.
type Flow struct {
	reach map[ssa.Value][]ssa.Value
	fates map[ssa.Value]Fate
	sent  map[ssa.Value][]ssa.Instruction
	seen  map[item]bool
	work  []item
	cut   bool
	ops   []*ssa.Value
	// fields tells what becomes of what fields hold; brought are the sources that are
	// put into a carrier, spilled those kept elsewhere, and idle those in idle fields.
	fields           func(*types.Var) Field
	brought, spilled map[ssa.Value]bool
	idle             map[ssa.Value]bool
	inTurn           map[ssa.Value][]*ssa.FieldAddr
}

// A Field is what becomes of a function that is put into a field.
type Field uint8

const (
	// Spreads: it may run at any time.
	Spreads Field = iota
	// Tends: one goroutine alone calls it, time and again.
	Tends
	// Idle: the field only tells which function it is; what it holds is never called.
	Idle
	// InTurn: one goroutine alone calls it, which runs in turn what it is sent.
	InTurn
	// Crewed: goroutines alone call it that the function which fills it starts in a loop.
	Crewed
)

// An item is one fact: source src is what value at holds; in its field, if at
// is a struct or the address of one, or an element of at.
type item struct {
	src, at ssa.Value
	field   int // whole, or the field's index
}

// whole is the field of items that hold the source itself, or in any element.
const whole = -1

// Outermost returns the declared function that fn stands in, or fn.
func Outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// Of computes the flow of the nest of fn, which must be outermost. fields tells what
// becomes of what is put into a field; it may be nil.
// Complexity: linear in the nest's instructions, and in the pairs of a function
// value and a value that it reaches, up to a bound.
func Of(fn *ssa.Function, fields func(*types.Var) Field) *Flow {
	f := &Flow{
		reach: make(map[ssa.Value][]ssa.Value), fates: make(map[ssa.Value]Fate), sent: make(map[ssa.Value][]ssa.Instruction), seen: make(map[item]bool),
		fields: fields, brought: make(map[ssa.Value]bool), spilled: make(map[ssa.Value]bool), idle: make(map[ssa.Value]bool),
		inTurn: make(map[ssa.Value][]*ssa.FieldAddr),
	}
	f.seed(fn)
	for len(f.work) > 0 {
		it := f.work[len(f.work)-1]
		f.work = f.work[:len(f.work)-1]
		if len(f.seen) > maxItems {
			f.cut = true
			break
		}
		if refs := it.at.Referrers(); refs != nil {
			for _, r := range *refs {
				f.step(it, r)
			}
		}
	}
	return f
}

// Reaching returns the function values that v can be, as far as the nest shows
// them, in a fixed order: literals and method values ([ssa.MakeClosure]),
// functions, parameters, and results of calls.
func (f *Flow) Reaching(v ssa.Value) []ssa.Value {
	v = ssautil.Unwrap(v)
	if fn, ok := v.(*ssa.Function); ok {
		return []ssa.Value{fn}
	}
	return f.reach[v]
}

// Cut reports whether the bound ended the search: every fate is unknown.
func (f *Flow) Cut() bool { return f.cut }

// Fate returns what becomes of a source in its nest. What only lies idle is kept: if
// nothing runs it, there is no telling when it would.
func (f *Flow) Fate(src ssa.Value) Fate {
	if f.cut {
		return Unknown
	}
	fate := f.fates[src]
	if fate == NotRun && f.idle[src] {
		return Kept
	}
	return fate
}

// Tended reports whether a source that is kept is kept only where one goroutine calls
// it, time and again.
func (f *Flow) Tended(src ssa.Value) bool { return !f.cut && f.brought[src] && !f.spilled[src] }

// InTurn returns the fields where a source is kept that one goroutine alone calls, in turn with what it is
// sent; none if it is kept elsewhere, too.
func (f *Flow) InTurn(src ssa.Value) []*ssa.FieldAddr {
	if f.cut || f.spilled[src] || f.brought[src] {
		return nil
	}
	return f.inTurn[src]
}

// SentAt returns where a source is sent, as it is or in a field of a struct: one that has the fate [Sent],
// and is sent nowhere else.
func (f *Flow) SentAt(src ssa.Value) []ssa.Instruction { return f.sent[src] }

// seed finds the sources of fn and of the literals in it.
func (f *Flow) seed(fn *ssa.Function) {
	for _, p := range fn.Params {
		if Carries(p.Type()) {
			f.add(item{p, p, whole})
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			f.operands(instr)
			switch v := instr.(type) {
			case *ssa.MakeClosure:
				f.add(item{v, v, whole})
			case *ssa.Call:
				if _, builtin := v.Call.Value.(*ssa.Builtin); !builtin && Carries(v.Type()) {
					f.add(item{v, v, whole})
				}
			case *ssa.Extract:
				if _, call := v.Tuple.(*ssa.Call); call && Carries(v.Type()) {
					f.add(item{v, v, whole})
				}
			}
		}
	}
	for _, lit := range fn.AnonFuncs {
		f.seed(lit)
	}
}

// operands follows the functions that an instruction names.
func (f *Flow) operands(instr ssa.Instruction) {
	if _, made := instr.(*ssa.MakeClosure); made {
		return
	}
	f.ops = instr.Operands(f.ops[:0])
	for _, op := range f.ops {
		if fn, ok := (*op).(*ssa.Function); ok {
			f.step(item{fn, fn, whole}, instr)
		}
	}
}

// Carries reports whether values of type t are functions, or containers of
// nothing else.
func Carries(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Slice:
		_, ok := u.Elem().Underlying().(*types.Signature)
		return ok
	case *types.Map:
		_, ok := u.Elem().Underlying().(*types.Signature)
		return ok
	}
	return false
}

func (f *Flow) add(it item) {
	if f.seen[it] {
		return
	}
	f.seen[it] = true
	if it.field == whole {
		f.reach[it.at] = append(f.reach[it.at], it.src)
	}
	f.work = append(f.work, it)
}

// becomes notes a fate of a source.
func (f *Flow) becomes(it item, fate Fate) {
	if fate.Leaves() && f.crewed(it) {
		return // who gets the struct does not call what is in the field
	}
	f.fates[it.src] = f.fates[it.src].Join(fate)
	f.spilled[it.src] = f.spilled[it.src] || fate.Leaves()
}

// step follows one use of it.at.
func (f *Flow) step(it item, r ssa.Instruction) {
	to := func(v ssa.Value) { f.add(item{it.src, v, it.field}) }
	switch r := r.(type) {
	case ssa.CallInstruction:
		f.call(it, r)
	case *ssa.Store:
		if r.Val == it.at {
			f.store(it, r.Addr)
		}
	case *ssa.MapUpdate:
		if r.Value == it.at {
			f.hold(it, r.Map)
		}
	case *ssa.Return:
		f.returned(it, r)
	case *ssa.MakeClosure:
		if lit, ok := r.Fn.(*ssa.Function); ok {
			if lit.Parent() == nil {
				f.becomes(it, Kept) // a method value of a function
				return
			}
			for i, b := range r.Bindings {
				if b == it.at && i < len(lit.FreeVars) {
					to(lit.FreeVars[i])
				}
			}
		}
	case *ssa.UnOp:
		if r.Op == token.MUL {
			to(r)
		}
	case *ssa.FieldAddr:
		f.selects(it, r, r.Field)
	case *ssa.Field:
		f.selects(it, r, r.Field)
	case *ssa.Extract:
		f.extract(it, r)
	case *ssa.Lookup, *ssa.Next, *ssa.Range, *ssa.Slice, *ssa.IndexAddr, *ssa.Index, *ssa.Phi,
		*ssa.ChangeType, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.TypeAssert:
		to(r.(ssa.Value))
	case *ssa.Send, *ssa.Select:
		f.send(it, r)
	case *ssa.DebugRef, *ssa.BinOp, *ssa.If:
	default:
		f.becomes(it, Kept)
	}
}

// send notes that a source is sent, by itself or in a field of a struct: in a container it is kept.
func (f *Flow) send(it item, r ssa.Instruction) {
	_, inStruct := ssautil.Pointee(it.at.Type()).Underlying().(*types.Struct)
	if it.field == whole && !carriesOne(it.at) || it.field != whole && !inStruct {
		f.becomes(it, Kept)
		return
	}
	f.becomes(it, Sent)
	if !slices.Contains(f.sent[it.src], r) {
		f.sent[it.src] = append(f.sent[it.src], r)
	}
}

func (f *Flow) extract(it item, r *ssa.Extract) {
	switch t := r.Tuple.(type) {
	case *ssa.Lookup, *ssa.TypeAssert:
		if r.Index == 0 {
			f.add(item{it.src, r, it.field})
		}
	case *ssa.Next:
		if r.Index == 2 && !t.IsString {
			f.add(item{it.src, r, it.field})
		}
	}
}

func (f *Flow) selects(it item, v ssa.Value, field int) {
	if it.field == field {
		f.add(item{it.src, v, whole})
	}
}

// call follows a source into a call: as what is called, or as an argument.
func (f *Flow) call(it item, r ssa.CallInstruction) {
	c := r.Common()
	if c.Value == it.at && !c.IsInvoke() {
		switch r.(type) {
		case *ssa.Go:
			f.becomes(it, Goroutine)
		case *ssa.Defer:
			f.becomes(it, Deferred)
		default:
			f.becomes(it, Now)
		}
	}
	for _, arg := range c.Args {
		if arg != it.at {
			continue
		}
		if b, ok := c.Value.(*ssa.Builtin); ok {
			f.builtin(it, b, r)
			continue
		}
		_, iface := arg.Type().Underlying().(*types.Interface)
		if it.field == whole && (iface || Carries(arg.Type())) {
			f.becomes(it, Handed)
		} else {
			f.becomes(it, Kept)
		}
	}
	if c.IsInvoke() && c.Value == it.at {
		f.becomes(it, Kept) // a method of a function type, behind an interface
	}
}

func (f *Flow) builtin(it item, b *ssa.Builtin, r ssa.CallInstruction) {
	switch b.Name() {
	case "append":
		if v, ok := r.(ssa.Value); ok {
			f.add(item{it.src, v, it.field})
		}
	case "len", "cap", "delete", "clear", "print", "println", "min", "max":
	default:
		f.becomes(it, Kept)
	}
}

// returned: only the nest's own function returns to its callers; what a literal
// returns goes to the caller of that.
func (f *Flow) returned(it item, r *ssa.Return) {
	owner := r.Parent()
	if src, ok := it.src.(interface{ Parent() *ssa.Function }); ok && src.Parent() == owner && it.field == whole && carriesOne(it.at) {
		f.becomes(it, Returned)
		return
	}
	f.becomes(it, Kept)
}

func carriesOne(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Signature)
	return ok
}

// store follows a source into the variable, field or element at addr.
func (f *Flow) store(it item, addr ssa.Value) {
	switch a := addr.(type) {
	case *ssa.Alloc:
		f.add(item{it.src, a, it.field})
	case *ssa.FreeVar:
		if b := ssautil.Binding(a); b != nil {
			f.store(it, b)
			return
		}
		f.becomes(it, Kept)
	case *ssa.FieldAddr:
		if it.field == whole && f.fields != nil {
			switch f.fields(ssautil.FieldOf(a)) {
			case Idle:
				f.idle[it.src] = true
				return
			case Tends:
				f.fates[it.src] = f.fates[it.src].Join(Kept)
				f.brought[it.src] = true
				return
			case InTurn:
				f.fates[it.src] = f.fates[it.src].Join(Kept)
				f.inTurn[it.src] = append(f.inTurn[it.src], a)
				return
			}
		}
		if base := variable(a.X); base != nil && it.field == whole {
			f.add(item{it.src, base, a.Field})
			return
		}
		f.becomes(it, Kept)
	case *ssa.IndexAddr:
		f.hold(it, a.X)
	default:
		f.becomes(it, Kept)
	}
}

// variable returns the local variable at addr, seen from the function that
// declares it.
func variable(addr ssa.Value) ssa.Value {
	for range 8 {
		switch a := addr.(type) {
		case *ssa.Alloc:
			return a
		case *ssa.FreeVar:
			addr = ssautil.Binding(a)
		default:
			return nil
		}
	}
	return nil
}

// hold follows a source into an element of the container v.
func (f *Flow) hold(it item, v ssa.Value) {
	for range 8 {
		switch c := v.(type) {
		case *ssa.MakeMap, *ssa.MakeSlice:
			f.add(item{it.src, c, it.field})
			return
		case *ssa.Slice:
			v = c.X
		case *ssa.Alloc:
			if _, array := ssautil.Pointee(c.Type()).Underlying().(*types.Array); array {
				f.add(item{it.src, c, it.field})
				return
			}
			f.becomes(it, Kept)
			return
		case *ssa.UnOp:
			base, ok := variable(c.X).(*ssa.Alloc)
			if !ok || c.Op != token.MUL {
				f.becomes(it, Kept)
				return
			}
			if v = ssautil.SoleStore(base); v == nil {
				f.becomes(it, Kept)
				return
			}
		default:
			f.becomes(it, Kept)
			return
		}
	}
	f.becomes(it, Kept)
}
