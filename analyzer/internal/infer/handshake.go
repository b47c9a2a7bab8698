package infer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// handshakes finds the channels by which one goroutine tells others that it has ended: made by
// a function for the goroutines that it starts, with one send in the package, which is the last
// thing that a goroutine does that begins once. Who receives from such a channel waits for the
// end of that goroutine, wherever he stands; who receives from any other that is sent to may have
// been sent something else.
func (p *Package) handshakes() []*ssa.MakeChan {
	sends := make(map[*ssa.MakeChan][]*ssa.Send)
	for _, f := range p.Funcs {
		for _, b := range f.SSA.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Send); ok {
					if made, ok := chanIdentity(s.Chan).(*ssa.MakeChan); ok {
						sends[made] = append(sends[made], s)
					}
				}
			}
		}
	}
	var out []*ssa.MakeChan
	for made, by := range sends {
		if len(by) == 1 && lastOf(by[0]) && begunOnce(by[0].Parent(), made) && keptFor(made, 0) {
			out = append(out, made)
		}
	}
	return out
}

// lastOf reports whether a function does nothing more after a send: it returns, and has no
// deferred calls to run.
func lastOf(s *ssa.Send) bool {
	rest := s.Block().Instrs
	for i, instr := range rest {
		if instr == s {
			rest = rest[i+1:]
			break
		}
	}
	seen := make(map[*ssa.BasicBlock]bool)
	for work := []*ssa.BasicBlock{nil}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		instrs := rest
		if b != nil {
			instrs = b.Instrs
		} else {
			b = s.Block()
		}
		for _, instr := range instrs {
			switch instr.(type) {
			case *ssa.Return, *ssa.Jump, *ssa.DebugRef, *ssa.RunDefers:
			default:
				return false
			}
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return s.Parent().Recover == nil && !defers(s.Parent())
}

func defers(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if _, ok := instr.(*ssa.Defer); ok {
				return true
			}
		}
	}
	return false
}

// begunOnce reports whether a literal begins once for each channel: the function that makes the
// channel starts it in one place, in no loop that leads there again with the same channel.
func begunOnce(fn *ssa.Function, made *ssa.MakeChan) bool {
	if fn.Parent() != made.Parent() || fn.Parent() == nil {
		return false
	}
	var begins []*ssa.Go
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			mc, ok := instr.(*ssa.MakeClosure)
			if !ok || mc.Fn != fn {
				continue
			}
			for _, use := range *mc.Referrers() {
				switch use := use.(type) {
				case *ssa.Go:
					begins = append(begins, use)
				case *ssa.DebugRef:
				default:
					return false
				}
			}
		}
	}
	return len(begins) == 1 && !ssautil.Again(begins[0].Block(), map[*ssa.BasicBlock]bool{made.Block(): true})
}

// maxCells bounds how deep literals pass a channel on.
const maxCells = 4

// keptFor reports whether a channel, or the variable that holds it, is given to nothing but the
// literals of its function, which send to it, receive from it, or ask for its length.
func keptFor(v ssa.Value, depth int) bool {
	if depth > maxCells || v.Referrers() == nil {
		return false
	}
	for _, use := range *v.Referrers() {
		kept := false
		switch use := use.(type) {
		case *ssa.Send:
			kept = use.X != v
		case *ssa.DebugRef:
			kept = true
		case *ssa.Select:
			kept = !slices.ContainsFunc(use.States, func(st *ssa.SelectState) bool { return st.Send == v || st.Chan == v && st.Dir == types.SendOnly })
		case *ssa.Store:
			cell, local := use.Addr.(*ssa.Alloc)
			kept = use.Addr == v || local && ssautil.SoleStore(cell) == v && keptFor(cell, depth+1)
		case *ssa.UnOp:
			kept = ssautil.IsChan(v.Type()) || keptFor(use, depth+1) // a receive, or what the variable holds
		case *ssa.MakeClosure:
			kept = true
			for i, bound := range use.Bindings {
				kept = kept && (bound != v || keptFor(use.Fn.(*ssa.Function).FreeVars[i], depth+1))
			}
		}
		if !kept {
			return false
		}
	}
	return true
}
