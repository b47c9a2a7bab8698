package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/role"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/transfer"
)

// semaphores finds the channels that are locks: a field or variable of the package
// that holds nothing but channels with room for one element, of which the element is
// put in by what waits for the room, and taken out as a statement. Either nothing
// takes it out but what has put it in before; or it is put in where the channel is
// made, and afterwards by nothing but what has taken it out before.
//
// So the element, or its absence, stands for the one who has put it in, or taken
// it out: until that one undoes it, no other goroutine does, and who wants to do the
// same waits. A channel that carries news is none: there, one puts in what another
// one takes out.
func (p *Package) semaphores() map[*types.Var]transfer.Tokens {
	s := &semaphores{p: p, is: make(map[*types.Var]bool), made: make(map[*types.Var]map[*ssa.Function]bool), room: roomForOne}
	s.each(s.makes)
	if len(s.is) == 0 {
		return nil
	}
	s.each(s.use)
	out := make(map[*types.Var]transfer.Tokens)
	for v := range s.is {
		switch {
		case s.undoes(v, s.takes, s.puts):
			out[v] = transfer.PutIn
		case s.undoes(v, s.puts, s.takes), s.filledElsewhere(v):
			out[v] = transfer.TakenOut
		}
	}
	return out
}

// undoes reports whether all instructions of one kind come only after one of the
// other. The first element, which is put in where the channel is made, is no news.
func (s *semaphores) undoes(v *types.Var, later, first []operation) bool {
	return !slices.ContainsFunc(later, func(op operation) bool { return s.newsOf(v, op, first) })
}

// newsOf reports whether an operation on a channel comes after none of the first.
func (s *semaphores) newsOf(v *types.Var, op operation, first []operation) bool {
	initial := op.put && s.made[v][op.at.Parent()]
	return op.v == v && !initial && !s.follows(v, first, op.at, op.at.Parent(), maxReleasers)
}

// filledElsewhere reports whether the first element is put in by one statement apart from where the channel is made,
// in no loop, and all who take it out have deferred to put it back: a channel that carries news, or a share of a rate, has
// more who put something in, or keeps what is taken out on some paths.
func (s *semaphores) filledElsewhere(v *types.Var) bool {
	fills := 0
	for _, op := range s.puts {
		if !s.newsOf(v, op, s.takes) {
			continue
		}
		send, plain := op.at.(*ssa.Send)
		if !plain || does(v, s.takes, op.at.Parent()) || ssautil.NewReach(op.at.Parent()).InLoop(send) {
			return false
		}
		fills++
	}
	return fills == 1 && !slices.ContainsFunc(s.takes, func(take operation) bool { return take.v == v && !s.putsBack(v, take.at.Parent()) })
}

// putsBack reports whether a function defers to put the element back.
func (s *semaphores) putsBack(v *types.Var, fn *ssa.Function) bool {
	return ssautil.Some(fn, func(instr ssa.Instruction) bool {
		d, ok := instr.(*ssa.Defer)
		return ok && does(v, s.puts, d.Call.StaticCallee())
	})
}

// maxReleasers bounds the functions, one in the other, in which an element is
// put in, or taken out for the one who has put it in, or a semaphore's share is given back.
const maxReleasers = 2

type semaphores struct {
	p  *Package
	is map[*types.Var]bool
	// made are the functions that make the channels.
	made map[*types.Var]map[*ssa.Function]bool
	// puts and takes are the instructions that put an element in, and take it out.
	puts, takes []operation
	// room tells whether a channel has the room that it must have.
	room func(ssa.Value) bool
	// users are the instructions that mention a function, once they are asked for.
	users map[*ssa.Function][]ssa.Instruction
}

// An operation is an instruction that puts the element into a variable's channel, or
// takes it out.
type operation struct {
	v   *types.Var
	at  ssa.Instruction
	put bool
	// state is the case of a select.
	state int
}

func (s *semaphores) each(f func(ssa.Instruction)) {
	for _, fn := range s.p.Funcs {
		for _, b := range fn.SSA.Blocks {
			for _, instr := range b.Instrs {
				f(instr)
			}
		}
	}
}

// chanVar returns the field or package-level variable that holds a channel, nil if
// that is another one or cannot be told.
func chanVar(v ssa.Value) *types.Var {
	id, _ := chanIdentity(v).(*types.Var)
	return id
}

// makes notes the variables that get channels with room for one element.
func (s *semaphores) makes(instr ssa.Instruction) {
	if ch, ok := instr.(*ssa.MakeChan); ok && roomForOne(ch) {
		for _, r := range *ch.Referrers() {
			if st, ok := r.(*ssa.Store); ok {
				if v := chanVar(st.Addr); v != nil && v.Pkg() == s.p.Types && !v.Exported() {
					s.is[v] = true
					if s.made[v] == nil {
						s.made[v] = make(map[*ssa.Function]bool)
					}
					s.made[v][instr.Parent()] = true
				}
			}
		}
	}
}

func roomForOne(v ssa.Value) bool {
	ch, ok := v.(*ssa.MakeChan)
	if !ok {
		return false
	}
	k, ok := ch.Size.(*ssa.Const)
	return ok && k.Value != nil && k.Value.ExactString() == "1"
}

// use notes what an instruction does with the channels, and drops those that it
// uses otherwise than as a lock.
func (s *semaphores) use(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Send:
		s.puts = append(s.puts, operation{v: chanVar(instr.Chan), at: instr, put: true})
	case *ssa.Select:
		for i, st := range instr.States {
			switch v := chanVar(st.Chan); {
			case st.Dir == types.RecvOnly && receives(instr, i):
				delete(s.is, v)
			case st.Dir == types.SendOnly:
				s.puts = append(s.puts, operation{v, instr, true, i})
			default:
				s.takes = append(s.takes, operation{v, instr, false, i})
			}
		}
	case *ssa.UnOp:
		switch v := chanVar(instr.X); {
		case !s.is[v]:
		case ssautil.IsChan(instr.Type()):
			s.read(v, instr)
		case len(*instr.Referrers()) > 0:
			delete(s.is, v) // what comes is looked at
		default:
			s.takes = append(s.takes, operation{v: v, at: instr})
		}
	case *ssa.Store:
		if v := chanVar(instr.Addr); s.is[v] && ssautil.IsChan(instr.Val.Type()) && !s.room(ssautil.Unwrap(instr.Val)) && !ssautil.IsNil(instr.Val) {
			delete(s.is, v)
		}
	case *ssa.FieldAddr:
		if v := chanVar(instr); s.is[v] {
			for _, r := range *instr.Referrers() {
				switch r.(type) {
				case *ssa.Store, *ssa.UnOp, *ssa.DebugRef:
				default:
					delete(s.is, v)
				}
			}
		}
	}
}

// receives reports whether what the n-th state of a select takes out of its channel is
// looked at.
func receives(sel *ssa.Select, n int) bool {
	index := 2 // of the received values, after the state's number and whether one came
	for _, st := range sel.States[:n] {
		if st.Dir == types.RecvOnly {
			index++
		}
	}
	for _, r := range *sel.Referrers() {
		if x, ok := r.(*ssa.Extract); ok && x.Index == index && len(*x.Referrers()) > 0 {
			return true
		}
	}
	return false
}

// read drops a channel that goes elsewhere from its variable.
func (s *semaphores) read(v *types.Var, ch *ssa.UnOp) {
	for _, r := range *ch.Referrers() {
		switch r := r.(type) {
		case *ssa.Send:
			if r.X == ssa.Value(ch) {
				delete(s.is, v)
			}
		case *ssa.Select, *ssa.UnOp, *ssa.DebugRef:
		default:
			delete(s.is, v)
		}
	}
}

// follows reports whether an instruction of fn comes only after one of the first, in fn
// or in a function that it calls; or all do so that call fn, which is theirs alone.
func (s *semaphores) follows(v *types.Var, first []operation, at ssa.Instruction, fn *ssa.Function, depth int) bool {
	for _, op := range first {
		if op.v == v && op.at.Parent() == fn && ssautil.Dominates(op.at, at) && op.done(at) {
			return true
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if ok && ssautil.Dominates(instr, at) && comesTo(v, first, c.Call.StaticCallee(), maxReleasers) {
				return true
			}
		}
	}
	return depth > 0 && s.calledAfter(v, first, fn, depth-1)
}

// done reports whether an operation of a select that may find nothing to do was done where control comes to an
// instruction: on the branch of its case.
func (op operation) done(at ssa.Instruction) bool {
	sel, ok := op.at.(*ssa.Select)
	return !ok || sel.Blocking || op.chosenAt(at)
}

// chosenAt reports whether an operation was done where control comes to an instruction: of a select, the branch of
// its case leads there.
func (op operation) chosenAt(at ssa.Instruction) bool {
	sel, ok := op.at.(*ssa.Select)
	if !ok || sel.Blocking && len(sel.States) == 1 {
		return true
	}
	for b := at.Block(); b.Idom() != nil; b = b.Idom() {
		if len(b.Preds) != 1 || b != b.Preds[0].Succs[0] {
			continue
		}
		br, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		if chosen, state, ok := ssautil.SelectCase(br.Cond); ok && chosen == sel && state == op.state {
			return true
		}
	}
	return false
}

func does(v *types.Var, ops []operation, fn *ssa.Function) bool {
	return fn != nil && slices.ContainsFunc(ops, func(op operation) bool { return op.v == v && op.at.Parent() == fn })
}

// comesTo reports whether a function, or one that it calls, has one of some operations.
func comesTo(v *types.Var, ops []operation, fn *ssa.Function, depth int) bool {
	if does(v, ops, fn) {
		return true
	}
	return fn != nil && depth > 1 && ssautil.Some(fn, func(instr ssa.Instruction) bool {
		c, ok := instr.(*ssa.Call)
		return ok && comesTo(v, ops, c.Call.StaticCallee(), depth-1)
	})
}

// calledAfter reports whether all calls of fn follow one of the first: those of the package, after which others
// who can call it go. What a literal gives back that is returned goes to who has run the function around it.
func (s *semaphores) calledAfter(v *types.Var, first []operation, fn *ssa.Function, depth int) bool {
	uses := s.usersOf(fn)
	if len(uses) == 0 {
		return s.namedAfter(v, first, fn)
	}
	return !slices.ContainsFunc(uses, func(instr ssa.Instruction) bool {
		_, starts := instr.(*ssa.Go)
		return starts || startsClosure(instr) || !s.follows(v, first, instr, instr.Parent(), depth)
	})
}

// namedAfter reports whether fn is a method for other packages that ends, by its name, what one of the first begins,
// which is a method of its type.
func (s *semaphores) namedAfter(v *types.Var, first []operation, fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	return recv != nil && fn.Object() != nil && fn.Object().Exported() && slices.ContainsFunc(first, func(op operation) bool {
		begins := op.at.Parent()
		other := begins.Signature.Recv()
		return op.v == v && other != nil && types.Identical(ssautil.Pointee(recv.Type()), ssautil.Pointee(other.Type())) && role.Begins(begins.Name(), fn.Name())
	})
}

// usersOf returns the instructions that call a function, or make a value of it.
func (s *semaphores) usersOf(fn *ssa.Function) []ssa.Instruction {
	if s.users == nil {
		s.users = make(map[*ssa.Function][]ssa.Instruction)
		var ops []*ssa.Value
		s.each(func(instr ssa.Instruction) {
			ops = instr.Operands(ops[:0])
			for _, op := range ops {
				if used, ok := (*op).(*ssa.Function); ok {
					s.users[used] = append(s.users[used], instr)
				}
			}
		})
	}
	return s.users[fn]
}

// startsClosure reports whether a closure is run in a goroutine, or kept other than by who has called its function.
func startsClosure(instr ssa.Instruction) bool {
	c, ok := instr.(*ssa.MakeClosure)
	if !ok {
		return false
	}
	for _, r := range *c.Referrers() {
		switch r := r.(type) {
		case *ssa.Defer, *ssa.DebugRef, *ssa.Return:
		case *ssa.Call:
			if r.Call.Value != ssa.Value(c) {
				return true
			}
		default:
			return true
		}
	}
	return false
}
