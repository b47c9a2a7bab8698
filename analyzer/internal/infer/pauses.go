package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/locks"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// A pause is a lock that one goroutine has from its start on, and gives to who asks for it: it receives from
// a channel without room, so that the sender goes on when the goroutine has let go, and has the lock until he
// sends on a second channel, on which the goroutine waits. What it does without that wait, or before it, has no lock.
//
// That is so when one function alone receives from both channels, one go statement alone starts it, the second
// channel is received from where the goroutine has let go, and sent to by who has paused it; and nothing else
// gets hold of the channels.
type pause struct {
	fn             *ssa.Function
	first, resumes *types.Var
	lock           accesspath.Path // as the function knows it
}

// pauses finds them, by function and by both channels.
func (p *Package) pauses() (byFunc map[*ssa.Function]*pause, byChan map[*types.Var]*pause) {
	s := &semaphores{p: p, is: make(map[*types.Var]bool), made: make(map[*types.Var]map[*ssa.Function]bool)}
	roomless := make(map[*types.Var]bool)
	s.each(func(instr ssa.Instruction) { s.makesNews(instr, roomless) })
	if len(roomless) == 0 || len(s.is) < 2 {
		return nil, nil
	}
	s.room = func(v ssa.Value) bool { _, made := v.(*ssa.MakeChan); return made }
	s.each(s.use)
	s.each(s.closes)
	byFunc, byChan = make(map[*ssa.Function]*pause), make(map[*types.Var]*pause)
	for _, put := range s.puts {
		first := put.v
		if !s.is[first] || !roomless[first] || byChan[first] != nil {
			continue
		}
		fn, ch := s.receiver(first)
		if fn == nil || byFunc[fn] != nil || !p.startedOnce(fn, p.usesOfFuncs(), 0) {
			continue
		}
		for _, take := range s.takes {
			resumes := take.v
			if take.at.Parent() != fn || resumes == first || !s.is[resumes] || byChan[resumes] != nil || !s.pausedFor(first, resumes, fn) {
				continue
			}
			if lock := p.Paths.Of(ch); lock.Known() && lock.LastField() == first {
				byFunc[fn] = &pause{fn: fn, first: first, resumes: resumes, lock: lock}
				byChan[first], byChan[resumes] = byFunc[fn], byFunc[fn]
				break
			}
		}
	}
	return byFunc, byChan
}

// makesNews notes the unexported fields that get channels without news, and those whose channels have no room.
func (s *semaphores) makesNews(instr ssa.Instruction, roomless map[*types.Var]bool) {
	ch, ok := instr.(*ssa.MakeChan)
	if !ok {
		return
	}
	for _, r := range *ch.Referrers() {
		st, ok := r.(*ssa.Store)
		if !ok {
			continue
		}
		v := chanVar(st.Addr)
		if v == nil || !v.IsField() || v.Exported() || v.Pkg() != s.p.Types {
			continue
		}
		k, isConst := ch.Size.(*ssa.Const)
		none := isConst && k.Value != nil && k.Value.ExactString() == "0"
		before, seen := roomless[v]
		s.is[v], roomless[v] = true, none && (before || !seen)
	}
}

// closes drops a channel that is closed: that is received time and again.
func (s *semaphores) closes(instr ssa.Instruction) {
	if ch := ssautil.Closed(instr); ch != nil {
		delete(s.is, chanVar(ch))
	}
}

// receiver returns the one function that receives from the channels of a variable, and one of these.
func (s *semaphores) receiver(v *types.Var) (fn *ssa.Function, ch ssa.Value) {
	for _, op := range s.takes {
		if op.v != v {
			continue
		}
		if fn != nil && op.at.Parent() != fn {
			return nil, nil
		}
		fn = op.at.Parent()
		switch at := op.at.(type) {
		case *ssa.UnOp:
			ch = at.X
		case *ssa.Select:
			ch = at.States[op.state].Chan
		}
	}
	return fn, ch
}

// pausedFor reports whether a function receives from the second channel where it has received from the first
// one, and alone does, and who sends on the second has sent on the first before.
func (s *semaphores) pausedFor(first, resumes *types.Var, fn *ssa.Function) bool {
	of := func(all []operation, v *types.Var) (out []operation) {
		for _, op := range all {
			if op.v == v {
				op.v = first
				out = append(out, op)
			}
		}
		return out
	}
	sends := of(s.puts, resumes)
	return len(sends) > 0 && !slices.ContainsFunc(s.takes, func(op operation) bool {
		return op.v == resumes && (op.at.Parent() != fn || !s.chosenBefore(first, op.at))
	}) && !slices.ContainsFunc(sends, func(op operation) bool {
		return op.at.Parent() == fn || !s.follows(first, s.puts, op.at, op.at.Parent(), maxReleasers)
	})
}

// chosenBefore reports whether what the function receives first from the channel of v comes before an
// instruction, in the case of a select that is chosen there.
func (s *semaphores) chosenBefore(v *types.Var, at ssa.Instruction) bool {
	return slices.ContainsFunc(s.takes, func(op operation) bool {
		return op.v == v && op.at != at && op.at.Parent() == at.Parent() && ssautil.Dominates(op.at, at) && op.chosenAt(at)
	})
}

// pauseOf returns the lock that operations on a channel take or give, in the terms of the function that has
// the channel, and whether that is the one by which the goroutine is paused.
func (p *Package) pauseOf(ch ssa.Value) (lock accesspath.Path, first, ok bool) {
	field := chanVar(ch)
	by := p.pausedBy[field]
	if by == nil {
		return lock, false, false
	}
	path := p.Paths.Of(ch)
	if !path.Known() || path.LastField() != field {
		return lock, false, false
	}
	return p.Paths.Field(path.Parent(), by.first), field == by.first, true
}

// Lasts reports whether a lock is one that a goroutine has from its start on, whether others come or not.
func (p *Package) Lasts(lock accesspath.Path) bool {
	return locks.Turn(lock) || p.pausedBy[lock.Location().Var] != nil
}

// owns returns the lock that a goroutine has from its start on.
func owns(own *owner, paused *pause) (lock accesspath.Path, ok bool) {
	switch {
	case own != nil:
		return own.turn, true
	case paused != nil:
		return paused.lock, true
	}
	return lock, false
}
