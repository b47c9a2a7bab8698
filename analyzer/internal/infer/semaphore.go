package infer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// semaphores finds the channels that are locks: a field or variable of the package
// that holds nothing but channels with room for one element, where the one that puts
// the element in waits for the room, and nothing takes it out but, as a statement,
// what has put it in before.
//
// So the element stands for the one who has put it in: until that one takes it
// out, no other goroutine does, and who wants to put another in waits. A channel that
// carries news is none: there, one puts in what another one takes out.
func (p *Package) semaphores() map[*types.Var]bool {
	s := &semaphores{p: p, is: make(map[*types.Var]bool), puts: make(map[*types.Var]map[*ssa.Function][]ssa.Instruction)}
	s.each(s.made)
	if len(s.is) == 0 {
		return nil
	}
	s.each(s.use)
	s.dropNews()
	return s.is
}

// dropNews drops what one puts in and another takes out.
func (s *semaphores) dropNews() {
	for _, take := range s.takes {
		if s.is[take.v] && !s.follows(take.v, take.at, take.at.Parent(), maxReleasers) {
			delete(s.is, take.v)
		}
	}
}

// maxReleasers bounds the functions, one in the other, in which an element is
// taken out for the one who has put it in, or a semaphore's share is given back.
const maxReleasers = 2

type semaphores struct {
	p  *Package
	is map[*types.Var]bool
	// puts are, by function, the instructions that put an element in.
	puts  map[*types.Var]map[*ssa.Function][]ssa.Instruction
	takes []taking
}

// A taking is an instruction that takes the element out of a variable's channel.
type taking struct {
	v  *types.Var
	at ssa.Instruction
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

// made notes the variables that get channels with room for one element.
func (s *semaphores) made(instr ssa.Instruction) {
	if ch, ok := instr.(*ssa.MakeChan); ok && roomForOne(ch) {
		for _, r := range *ch.Referrers() {
			if st, ok := r.(*ssa.Store); ok {
				if v := chanVar(st.Addr); v != nil && v.Pkg() == s.p.Types && !v.Exported() {
					s.is[v] = true
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
		s.put(chanVar(instr.Chan), instr)
	case *ssa.Select:
		for _, st := range instr.States {
			if st.Dir == types.SendOnly && instr.Blocking {
				s.put(chanVar(st.Chan), instr)
			} else {
				delete(s.is, chanVar(st.Chan))
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
			s.takes = append(s.takes, taking{v, instr})
		}
	case *ssa.Store:
		if v := chanVar(instr.Addr); s.is[v] && ssautil.IsChan(instr.Val.Type()) && !roomForOne(ssautil.Unwrap(instr.Val)) && !ssautil.IsNil(instr.Val) {
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

func (s *semaphores) put(v *types.Var, instr ssa.Instruction) {
	if !s.is[v] {
		return
	}
	if s.puts[v] == nil {
		s.puts[v] = make(map[*ssa.Function][]ssa.Instruction)
	}
	s.puts[v][instr.Parent()] = append(s.puts[v][instr.Parent()], instr)
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

// follows reports whether an instruction of fn comes only after fn has put an
// element in, by itself or by a function that it calls; or all do so that call fn,
// which is theirs alone.
func (s *semaphores) follows(v *types.Var, at ssa.Instruction, fn *ssa.Function, depth int) bool {
	for _, put := range s.puts[v][fn] {
		if ssautil.Dominates(put, at) {
			return true
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if ok && len(s.puts[v][c.Call.StaticCallee()]) > 0 && ssautil.Dominates(instr, at) {
				return true
			}
		}
	}
	return depth > 0 && s.calledAfter(v, fn, depth-1)
}

// calledAfter reports whether all calls of fn follow a put.
func (s *semaphores) calledAfter(v *types.Var, fn *ssa.Function, depth int) bool {
	if fn.Object() != nil && fn.Object().Exported() {
		return false
	}
	calls, all := 0, true
	s.each(func(instr ssa.Instruction) {
		if !all || !mentions(instr, fn) {
			return
		}
		_, starts := instr.(*ssa.Go)
		calls++
		all = !starts && !startsClosure(instr) && s.follows(v, instr, instr.Parent(), depth)
	})
	return all && calls > 0
}

// mentions reports whether an instruction calls fn, or makes a value of it.
func mentions(instr ssa.Instruction, fn *ssa.Function) bool {
	for _, op := range instr.Operands(nil) {
		if *op == ssa.Value(fn) {
			return true
		}
	}
	return false
}

// startsClosure reports whether a closure is run in a goroutine, or kept.
func startsClosure(instr ssa.Instruction) bool {
	c, ok := instr.(*ssa.MakeClosure)
	if !ok {
		return false
	}
	for _, r := range *c.Referrers() {
		switch r := r.(type) {
		case *ssa.Defer, *ssa.DebugRef:
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
