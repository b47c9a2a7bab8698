package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// agendas are the lists of functions of a package, by variable.
type agendas map[*types.Var]*agenda

// agendas finds what becomes of what is taken out of the lists of functions. Complexity: linear in the package.
func (p *Package) agendas() agendas {
	lists, read := make(agendas), make(map[types.Type]bool)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.FieldAddr:
					for _, r := range *instr.Referrers() {
						p.useOfList(lists, instr, r)
					}
				case *ssa.Field:
					read[instr.X.Type()] = true
				}
				for _, op := range instr.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok {
						p.useOfList(lists, g, instr)
					}
				}
			}
		}
	}
	if len(lists) == 0 {
		return lists
	}
	fields := fieldsOf(read)
	for v, list := range lists {
		list.leaks = list.leaks || fields[v] || p.copiedFields()[v]
	}
	return lists
}

// useOfList notes what an instruction does with the address of a list, if it is one.
func (p *Package) useOfList(lists agendas, addr ssa.Value, by ssa.Instruction) {
	v := listAt(addr)
	if v == nil {
		return
	}
	if lists[v] == nil {
		lists[v] = new(agenda)
	}
	w := &taker{p: p, list: lists[v], of: v, seen: make(map[ssa.Value]bool)}
	switch by := by.(type) {
	case *ssa.UnOp:
		w.taken(by)
	case *ssa.Store:
		w.list.leaks = w.list.leaks || by.Addr != addr || !w.alone(by.Val, by)
	case *ssa.DebugRef:
	default:
		w.list.leaks = true
	}
}

// A taker follows what is taken out of one list.
type taker struct {
	p    *Package
	list *agenda
	of   *types.Var
	seen map[ssa.Value]bool
}

// alone reports whether nothing else has the slice that is stored in the list: it is none, is the list itself, grown or cut,
// or is made for it.
func (w *taker) alone(x ssa.Value, by *ssa.Store) bool {
	switch x := x.(type) {
	case *ssa.Const:
		return true
	case *ssa.UnOp:
		return listAt(x.X) == w.of
	case *ssa.Slice:
		made, ok := x.X.(*ssa.Alloc)
		return ok && filledOnly(made, x) && len(*x.Referrers()) == 1 || !ok && w.alone(x.X, by)
	case *ssa.MakeSlice:
		return !slices.ContainsFunc(*x.Referrers(), func(r ssa.Instruction) bool { return r != ssa.Instruction(by) })
	case *ssa.Call:
		args, appends := ssautil.BuiltinCall(x, "append")
		return appends && w.alone(args[0], by)
	}
	return false
}

// filledOnly reports whether an array is made for one slice of it, and nothing but its elements is set besides.
func filledOnly(made *ssa.Alloc, as *ssa.Slice) bool {
	return !slices.ContainsFunc(*made.Referrers(), func(r ssa.Instruction) bool {
		_, slot := r.(*ssa.IndexAddr)
		return !slot && r != ssa.Instruction(as)
	})
}

// taken follows a slice that has the functions of the list.
func (w *taker) taken(x ssa.Value) {
	if w.seen[x] {
		return
	}
	w.seen[x] = true
	for _, r := range *x.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.Slice:
			w.taken(r)
		case *ssa.Phi:
			w.taken(r)
		case *ssa.IndexAddr:
			w.element(r)
		case *ssa.Store:
			w.list.leaks = w.list.leaks || listAt(r.Addr) != w.of
		case *ssa.Call:
			w.passed(x, r)
		default:
			w.list.leaks = true
		}
	}
}

// passed follows a slice into a call: another slice gets what is in it, or a function of the package does.
func (w *taker) passed(x ssa.Value, call *ssa.Call) {
	args, name := call.Call.Args, ""
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		name = b.Name()
	}
	switch {
	case name == "len", name == "cap", name == "clear":
	case name == "append" && (args[0] == x || ssautil.IsNil(args[0])):
		w.taken(call)
	default:
		fn := w.p.calledHere(call)
		if fn == nil {
			w.list.leaks = true
			return
		}
		for i, arg := range args {
			if arg == x {
				w.taken(fn.SSA.Params[i])
			}
		}
	}
}

// element follows one function of the list: it may only be called, here and now. Another one may take its place.
func (w *taker) element(slot *ssa.IndexAddr) {
	for _, r := range *slot.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			w.called(r)
		case *ssa.Store:
			w.list.leaks = w.list.leaks || r.Addr != ssa.Value(slot)
		default:
			w.list.leaks = true
		}
	}
}

func (w *taker) called(fn *ssa.UnOp) {
	w.list.leaks = w.list.leaks || !isCalled(fn)
	for _, r := range *fn.Referrers() {
		switch r := r.(type) {
		case *ssa.Call:
			by := w.p.byKey[accesspath.FuncKey(r.Parent())]
			w.list.leaks = w.list.leaks || by == nil
			w.list.runs = append(w.list.runs, agendaRun{by, r})
		case *ssa.Defer:
			w.list.leaks = true // it runs later, when locks may be gone
		}
	}
}
