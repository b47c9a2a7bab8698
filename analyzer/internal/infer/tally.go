package infer

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// tallies finds the channels by which workers tell one by one that they have ended: a field that is given a channel where its
// object is made; one statement sends to it, as the last thing that a worker does; one statement starts the workers, each with
// an element of its own that is appended to a list of the object, which is never changed otherwise; and all that receive from
// the channel do so once for each element of the list. Who has done that has waited for all workers: if another one does
// it, too, both wait for ever.
func (p *Package) tallies() (out []any) {
	for field, u := range p.tokenChans() {
		if !u.other && u.made == 1 && len(u.sends) == 1 && len(u.receives) > 0 && p.counted(u) {
			out = append(out, field)
		}
	}
	return out
}

// A tokenChan is what the package does with a field that holds a channel.
type tokenChan struct {
	made     int // how often a new object is given one
	sends    []*ssa.Send
	receives []*ssa.UnOp
	other    bool
}

// tokenChans returns what the package does with its own fields of channels that others cannot name.
func (p *Package) tokenChans() map[*types.Var]*tokenChan {
	out := make(map[*types.Var]*tokenChan)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				addr, ok := instr.(*ssa.FieldAddr)
				if !ok {
					continue
				}
				field := ssautil.FieldOf(addr)
				if field == nil || field.Exported() || field.Pkg() != p.Types || !ssautil.IsChan(field.Type()) {
					continue
				}
				if out[field] == nil {
					out[field] = new(tokenChan)
				}
				out[field].use(addr)
			}
		}
	}
	return out
}

func (u *tokenChan) use(addr *ssa.FieldAddr) {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			_, made := r.Val.(*ssa.MakeChan)
			_, fresh := addr.X.(*ssa.Alloc)
			u.made++
			u.other = u.other || !made || !fresh
		case *ssa.UnOp:
			u.load(r)
		default:
			u.other = true
		}
	}
}

func (u *tokenChan) load(ch *ssa.UnOp) {
	for _, r := range *ch.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Send:
			u.sends = append(u.sends, r)
			u.other = u.other || r.X == ssa.Value(ch)
		case *ssa.UnOp:
			u.receives = append(u.receives, r)
			u.other = u.other || r.CommaOk
		default:
			u.other = true
		}
	}
}

// counted reports whether each worker that sends to a channel has an element in a list by which all receives are counted.
func (p *Package) counted(u *tokenChan) bool {
	send := u.sends[0]
	worker := endsBy(send)
	if worker == nil {
		return false
	}
	start := p.onlyStart(worker)
	if start == nil {
		return false
	}
	object := p.Paths.Of(send.Chan).Base()
	if r := object.Root(); r.Kind == accesspath.Param && r.Fn == accesspath.FuncKey(worker) {
		if r.Index >= len(start.Call.Args) {
			return false
		}
		object = p.Paths.Rebase(object, p.Paths.Root(r), p.Paths.Of(start.Call.Args[r.Index]))
	}
	list := p.appendedBeside(start, object)
	return list != nil && p.onlyAppended(list) && !slices.ContainsFunc(u.receives, func(r *ssa.UnOp) bool { return !p.onePerElement(r, list) })
}

// endsBy returns the function of which a send is the last thing that it does: its own, or in a literal that it defers before
// all others. Nil if it is not.
func endsBy(send *ssa.Send) *ssa.Function {
	fn := send.Parent()
	if !lastOf(send) {
		return nil
	}
	outer := fn.Parent()
	if outer == nil || len(fn.Blocks) != 1 || len(outer.Blocks) == 0 {
		return fn
	}
	for _, instr := range outer.Blocks[0].Instrs {
		if d, ok := instr.(*ssa.Defer); ok {
			if ssautil.Literal(d.Call.Value) == fn {
				return outer
			}
			break
		}
	}
	return fn // it may be a worker itself
}

// onlyStart returns the only statement that mentions a function, if it starts it in a goroutine.
func (p *Package) onlyStart(worker *ssa.Function) *ssa.Go {
	if worker.Object() != nil && worker.Object().Exported() {
		return nil
	}
	var only *ssa.Go
	n := 0
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				var ops []*ssa.Value
				for _, op := range instr.Operands(ops) {
					if *op == ssa.Value(worker) {
						n++
						only = goOf(instr)
					}
				}
			}
		}
	}
	if n != 1 {
		return nil
	}
	return only
}

// goOf returns the go statement that an instruction is, or that alone starts the closure which it makes.
func goOf(instr ssa.Instruction) *ssa.Go {
	switch instr := instr.(type) {
	case *ssa.Go:
		return instr
	case *ssa.MakeClosure:
		var only *ssa.Go
		for _, r := range *instr.Referrers() {
			if _, debug := r.(*ssa.DebugRef); debug {
				continue
			}
			g, ok := r.(*ssa.Go)
			if !ok || only != nil {
				return nil
			}
			only = g
		}
		return only
	}
	return nil
}

// appendedBeside returns the list of an object to which something is appended each time that a go statement is come to.
func (p *Package) appendedBeside(start *ssa.Go, object accesspath.Path) *types.Var {
	for _, instr := range start.Block().Instrs {
		st, ok := instr.(*ssa.Store)
		if !ok || !p.appends(st) {
			continue
		}
		if place := p.Paths.Of(st.Addr); place.Base() == object && place.Depth() == object.Depth()+1 {
			if field := place.LastField(); field != nil && !field.Exported() && field.Pkg() == p.Types {
				return field.Origin()
			}
		}
	}
	return nil
}

// appends reports whether a store puts a list back with a further element.
func (p *Package) appends(st *ssa.Store) bool {
	args, ok := ssautil.BuiltinCall(st.Val, "append")
	if !ok || len(args) != 2 {
		return false
	}
	from, ok := args[0].(*ssa.UnOp)
	more, some := args[1].(*ssa.Slice)
	if !ok || !some || from.Op != token.MUL {
		return false
	}
	_, array := more.X.(*ssa.Alloc) // the elements that the statement names
	_, field := st.Addr.(*ssa.FieldAddr)
	return array && field && p.Paths.Of(from.X) == p.Paths.Of(st.Addr)
}

// onlyAppended reports whether the package does nothing to a list but append to it in one place, read it, and set it where its object is
// made.
func (p *Package) onlyAppended(list *types.Var) bool {
	appended := 0
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				addr, ok := instr.(*ssa.FieldAddr)
				if !ok || ssautil.FieldOf(addr) != list {
					continue
				}
				for _, r := range *addr.Referrers() {
					switch r := r.(type) {
					case *ssa.DebugRef, *ssa.UnOp:
					case *ssa.Store:
						if r.Addr != ssa.Value(addr) {
							return false
						}
						if p.appends(r) {
							appended++
						} else if _, fresh := addr.X.(*ssa.Alloc); !fresh || !empty(r.Val) {
							return false
						}
					default:
						return false
					}
				}
			}
		}
	}
	return appended == 1
}

// empty reports whether a value is a list without elements.
func empty(v ssa.Value) bool {
	made, ok := v.(*ssa.MakeSlice)
	return ssautil.IsNil(v) || ok && ssautil.IsZero(made.Len)
}

// onePerElement reports whether a receive stands in a loop that does nothing else, and that has one round for each element
// of a list of the channel's object.
func (p *Package) onePerElement(recv *ssa.UnOp, list *types.Var) bool {
	reach := ssautil.NewReach(recv.Parent())
	if !reach.InLoop(recv) {
		return false
	}
	var loop, exits []*ssa.BasicBlock
	for _, b := range recv.Parent().Blocks {
		if !reach.Blocks(b, recv.Block()) || !reach.Blocks(recv.Block(), b) {
			continue
		}
		loop = append(loop, b)
		if slices.ContainsFunc(b.Succs, func(s *ssa.BasicBlock) bool { return !reach.Blocks(s, recv.Block()) }) {
			exits = append(exits, b)
		}
	}
	if len(exits) != 1 || !onlyReceives(loop, recv) {
		return false
	}
	br, ok := exits[0].Instrs[len(exits[0].Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cmp, ok := br.Cond.(*ssa.BinOp)
	if !ok || cmp.Op != token.LSS || !slices.Contains(loop, exits[0].Succs[0]) {
		return false
	}
	return countsAll(cmp.X, recv, exits[0]) && p.lengthOf(cmp.Y, list, p.Paths.Of(recv.X).Base())
}

// onlyReceives reports whether a loop does nothing but receive, and count its rounds.
func onlyReceives(loop []*ssa.BasicBlock, recv *ssa.UnOp) bool {
	for _, b := range loop {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Phi, *ssa.BinOp, *ssa.FieldAddr, *ssa.If, *ssa.Jump, *ssa.DebugRef:
			case *ssa.UnOp:
				if instr.Op == token.ARROW && instr != recv {
					return false
				}
			case *ssa.Call:
				if _, ok := ssautil.LenOf(instr); !ok {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// countsAll reports whether a value that a loop compares with a bound makes it receive once for each number below it: it counts from
// 0 by 1, or from -1 if it is counted before it is compared.
func countsAll(v ssa.Value, recv *ssa.UnOp, exit *ssa.BasicBlock) bool {
	from := int64(0)
	next, counted := v.(*ssa.BinOp)
	phi, ok := v.(*ssa.Phi)
	if counted {
		if phi, ok = next.X.(*ssa.Phi); !recv.Block().Dominates(exit) {
			from = -1 // the round comes behind the comparison
		}
	}
	if !ok || !phi.Block().Dominates(recv.Block()) {
		return false
	}
	for i, e := range phi.Edges {
		if !phi.Block().Dominates(phi.Block().Preds[i]) {
			if k, ok := e.(*ssa.Const); !ok || !isNumber(k, from) {
				return false
			}
			continue
		}
		if counted && e != ssa.Value(next) || !plusOne(e, phi) || !recv.Block().Dominates(phi.Block().Preds[i]) {
			return false
		}
	}
	return true
}

// plusOne reports whether a value is one more than another one.
func plusOne(v, than ssa.Value) bool {
	sum, ok := v.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD || sum.X != than {
		return false
	}
	k, ok := sum.Y.(*ssa.Const)
	return ok && isNumber(k, 1)
}

func isNumber(k *ssa.Const, n int64) bool {
	return k.Value != nil && k.Value.Kind() == constant.Int && k.Int64() == n
}

// lengthOf reports whether a value is the length of a list of an object.
func (p *Package) lengthOf(v ssa.Value, list *types.Var, object accesspath.Path) bool {
	of, ok := ssautil.LenOf(v)
	if !ok {
		return false
	}
	at := p.Paths.Of(of)
	field := at.LastField()
	return field != nil && field.Origin() == list && at.Base() == object && at.Depth() == object.Depth()+1
}
