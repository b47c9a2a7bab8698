package infer

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// acks are the channels by which a goroutine is told to end, and gets with that a channel on which it says that it has: who
// sends one that it has made, and receives from it, has waited for the end of the goroutine.
type acks struct {
	// answers gives, of an instruction that says so, the channel from which the goroutine has got what it says it on.
	answers map[ssa.Instruction]ssa.Value
	// asked gives, of a channel for the answer, the channel on which it is sent.
	asked map[any]ssa.Value
}

// An ackChan is what the package does with a field that holds a channel of channels.
type ackChan struct {
	asks  map[*ssa.MakeChan]ssa.Value
	says  map[ssa.Instruction]ssa.Value
	from  map[*ssa.Function]ssa.Value // the functions that receive from it
	other bool
}

// acknowledged finds them: only one function receives from the field, it does nothing more with maps once it has answered, and it is
// one goroutine for each object.
func (p *Package) acknowledged() acks {
	fields := make(map[*types.Var]*ackChan)
	for _, f := range p.Funcs {
		ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			addr, ok := instr.(*ssa.FieldAddr)
			if field := p.ackField(addr); ok && field != nil {
				if fields[field] == nil {
					fields[field] = &ackChan{asks: make(map[*ssa.MakeChan]ssa.Value), says: make(map[ssa.Instruction]ssa.Value), from: make(map[*ssa.Function]ssa.Value)}
				}
				fields[field].use(addr)
			}
			return false
		})
	}
	out := acks{make(map[ssa.Instruction]ssa.Value), make(map[any]ssa.Value)}
	for _, u := range fields {
		if u.other || len(u.from) != 1 || !p.answersLast(u) {
			continue
		}
		for instr, ch := range u.says {
			out.answers[instr] = ch
		}
		for made, ch := range u.asks {
			out.asked[made] = ch
		}
	}
	return out
}

// ackField returns the field of the package at an address, if it holds a channel of channels and others cannot name it.
func (p *Package) ackField(addr *ssa.FieldAddr) *types.Var {
	if addr == nil {
		return nil
	}
	field := ssautil.FieldOf(addr)
	if field == nil || field.Exported() || field.Pkg() != p.Types {
		return nil
	}
	if ch, ok := field.Type().Underlying().(*types.Chan); !ok || !ssautil.IsChan(ch.Elem()) {
		return nil
	}
	return field
}

// use notes what is done with the channel at an address.
func (u *ackChan) use(addr *ssa.FieldAddr) {
	for _, r := range *addr.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			_, made := r.Val.(*ssa.MakeChan)
			u.other = u.other || !made || r.Addr != ssa.Value(addr)
		case *ssa.UnOp:
			u.load(r)
		default:
			u.other = true
		}
	}
}

func (u *ackChan) load(ch *ssa.UnOp) {
	for _, r := range *ch.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Send:
			u.ask(r, r.X, ch)
		case *ssa.UnOp:
			if r.Op != token.ARROW {
				u.other = true
			} else if r.CommaOk {
				u.receive(r, 0, ch)
			} else {
				u.got(r, ch)
			}
		case *ssa.Select:
			received := 2 // behind the chosen case, and whether it has received
			for _, st := range r.States {
				switch {
				case st.Dir == types.SendOnly && st.Chan == ssa.Value(ch):
					u.ask(r, st.Send, ch)
				case st.Dir == types.RecvOnly:
					if st.Chan == ssa.Value(ch) {
						u.receive(r, received, ch)
					}
					received++
				}
			}
		default:
			u.other = true
		}
	}
}

// ask notes a channel that is sent for the answer, if it is made for that alone.
func (u *ackChan) ask(by ssa.Instruction, answer, ch ssa.Value) {
	made, ok := ssautil.Unwrap(answer).(*ssa.MakeChan)
	if !ok || made.Parent() != by.Parent() {
		return
	}
	for _, r := range *made.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Send:
			ok = ok && r == by && r.Chan != ssa.Value(made)
		case *ssa.Select:
			ok = ok && !slices.ContainsFunc(r.States, func(st *ssa.SelectState) bool {
				return st.Dir == types.SendOnly && (st.Chan == ssa.Value(made) || st.Send == ssa.Value(made) && r != by)
			})
		case *ssa.ChangeType: // to send alone
			refs := *r.Referrers()
			ok = ok && len(refs) == 1 && refs[0] == by
		default:
			ok = false
		}
	}
	if ok {
		u.asks[made] = ch
	}
}

// receive notes the part of a tuple that is received.
func (u *ackChan) receive(from ssa.Value, index int, ch ssa.Value) {
	for _, x := range ssautil.Extracts(from) {
		if e, ok := x.(*ssa.Extract); ok && e.Index == index {
			u.got(e, ch)
		}
	}
	u.from[from.Parent()] = ch
}

// got notes the answers to what was received.
func (u *ackChan) got(answer, ch ssa.Value) {
	u.from[answer.Parent()] = ch
	for _, r := range *answer.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
		case *ssa.Send:
			u.says[r] = ch
			u.other = u.other || r.X == answer
		case *ssa.Call:
			u.says[r] = ch
			u.other = u.other || ssautil.Closed(r) == nil
		default:
			u.other = true
		}
	}
}

// answersLast reports whether the function that answers does nothing more then, nor does what has called it, and is one
// goroutine for each object.
func (p *Package) answersLast(u *ackChan) bool {
	for instr := range u.says {
		if !ssautil.EndsAfter(instr) {
			return false
		}
	}
	for fn, ch := range u.from {
		if !p.onePerObject(fn, p.Paths.Of(ch).Root(), false, 0) {
			return false
		}
	}
	return len(u.says) > 0
}

// maxAckers bounds the calls between the start of a goroutine and what answers in it.
const maxAckers = 3

// onePerObject reports whether all that uses a function of the package starts it in a goroutine, or ends with its call in one,
// at most once for the object that it comes to by a root. What is called to start it is only asked for loops: begun.
func (p *Package) onePerObject(fn *ssa.Function, object accesspath.Root, begun bool, depth int) bool {
	uses := p.usesOf(fn)
	if depth > maxAckers || len(uses) == 0 {
		return begun
	}
	for _, use := range uses {
		call, ok := use.(ssa.CallInstruction)
		if !ok || call.Common().IsInvoke() {
			return false
		}
		from := p.objectAt(object, fn, call.Common())
		anew := make(map[*ssa.BasicBlock]bool)
		if chosen, ok := from.Val.(ssa.Instruction); ok && chosen.Parent() == use.Parent() {
			anew[chosen.Block()] = true
		}
		if ssautil.Again(use.Block(), anew) {
			return false // several for one object
		}
		_, starts := use.(*ssa.Go)
		switch {
		case !starts && !begun && !ssautil.EndsAfter(use):
			return false
		case (starts || begun) && from.Kind != accesspath.Param: // chosen here
		case !p.onePerObject(use.Parent(), from, starts || begun, depth+1):
			return false
		}
	}
	return true
}

// objectAt returns what a root of a function is where that is called.
func (p *Package) objectAt(r accesspath.Root, fn *ssa.Function, call *ssa.CallCommon) accesspath.Root {
	if r.Kind != accesspath.Param || r.Fn != accesspath.FuncKey(fn) || r.Index >= len(call.Args) {
		return r
	}
	arg := call.Args[r.Index]
	if _, chosen := arg.(ssa.Instruction); chosen {
		return accesspath.Root{Kind: accesspath.Value, Val: arg}
	}
	return p.Paths.Of(arg).Root()
}

// usesOf returns the instructions that call or start a function of the package, of a literal by the closure that is made of
// it; one that is no call, where it is used otherwise.
func (p *Package) usesOf(fn *ssa.Function) (uses []ssa.Instruction) {
	for _, f := range p.Funcs {
		ssautil.Some(f.SSA, func(instr ssa.Instruction) bool {
			if v, ok := instr.(ssa.Value); ok && fn.Object() != nil {
				if _, m := ssautil.BoundMethod(v); m != nil && m == fn.Object() {
					uses = append(uses, instr)
				}
			}
			for _, op := range instr.Operands(nil) {
				if used, ok := (*op).(*ssa.Function); !ok || used != fn && used.Origin() != fn {
					continue
				}
				if made, ok := instr.(*ssa.MakeClosure); ok {
					uses = append(uses, *made.Referrers()...)
				} else {
					uses = append(uses, instr)
				}
			}
			return false
		})
	}
	return slices.DeleteFunc(uses, func(use ssa.Instruction) bool { _, debug := use.(*ssa.DebugRef); return debug })
}
