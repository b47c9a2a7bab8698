package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/lockset"
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// goEvents records a go statement: who runs, on what, and how often.
func (a *analysis) goEvents(s lockset.State, instr *ssa.Go) {
	fn, args := ssautil.Callee(&instr.Call)
	targets := a.targets(&instr.Call, fn, args)
	for _, arg := range args {
		if t, ok := a.functionValue(arg); ok {
			targets = append(targets, t) // go run(f): f runs there too
		}
	}
	a.sum.Spawns = true
	for i := range targets {
		a.startEvents(s, instr, &instr.Call, &targets[i], false)
	}
}

// startEvents records the start of one goroutine, or of many that a
// registered function will run in.
func (a *analysis) startEvents(s lockset.State, instr ssa.CallInstruction, call *ssa.CallCommon, t *target, registered bool) {
	a.sum.Spawns = true
	a.addCall(lockset.Reached(), instr, t, summary.Goroutine)
	c := &a.sum.Calls[len(a.sum.Calls)-1]
	c.Registered = registered
	c.Many = registered || a.manyAtOnce(instr, call)
	c.Around = a.around(s, instr, c.Many)
	c.Kept = a.kept(call)
	a.starts = append(a.starts, start{instr, len(a.sum.Calls) - 1})
	a.importedInGoroutine(instr, call, t)
}

// around returns the locks held without a break from the start of a goroutine
// until a wait that every path goes through. For several goroutines at a time
// they are as good as a read lock: they do not exclude each other.
func (a *analysis) around(s lockset.State, instr ssa.Instruction, many bool) []lockset.Held {
	var out []lockset.Held
	if len(s.Held()) == 0 {
		return nil
	}
	for _, b := range a.fn.Blocks {
		for _, j := range b.Instrs {
			if !a.joins(j) || !a.reach.MayPrecede(instr, j) {
				continue
			}
			at := a.stateAt(j)
			for _, h := range s.Held() {
				if o, ok := at.Find(h.Lock); ok && o.Acq == h.Acq {
					if many {
						h.Mode = lockset.Read
					}
					out = append(out, h)
				}
			}
			return out
		}
	}
	return nil
}

// kept returns the objects among what a goroutine gets that this function also
// returns or stores, or of which it hands out a method value: others can come
// to know them.
func (a *analysis) kept(call *ssa.CallCommon) []accesspath.Path {
	given := make(map[accesspath.Path]bool)
	for _, v := range ssautil.HandedOver(call) {
		if root := a.Paths.Root(a.Paths.Of(v).Root()); root.Root().Kind == accesspath.Value {
			given[root] = true
		}
	}
	var out []accesspath.Path
	note := func(v ssa.Value) {
		root := a.Paths.Root(a.Paths.Of(v).Root())
		if given[root] && a.Paths.Of(v) == root {
			delete(given, root)
			out = append(out, root)
		}
	}
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Return:
				for _, r := range instr.Results {
					note(r)
				}
			case *ssa.Store:
				if a.Paths.Of(instr.Addr).Depth() > 0 {
					note(instr.Val)
				}
			case *ssa.MapUpdate:
				note(instr.Value)
			case *ssa.MakeClosure:
				if recv, m := ssautil.BoundMethod(instr); m != nil {
					note(recv) // whoever gets the method value knows the object
				}
			}
		}
	}
	return out
}

// manyAtOnce reports whether instr, which starts a goroutine, stands in a loop
// and hands all of them an object that the loop did not make.
func (a *analysis) manyAtOnce(instr ssa.Instruction, call *ssa.CallCommon) bool {
	return a.reach.InLoop(instr) && a.sharedAcrossIterations(instr, call)
}

// sharedAcrossIterations reports whether a goroutine that a loop starts gets
// an object that the loop did not make.
func (a *analysis) sharedAcrossIterations(instr ssa.Instruction, call *ssa.CallCommon) bool {
	for _, v := range ssautil.HandedOver(call) {
		switch ssautil.Pointee(v.Type()).Underlying().(type) {
		case *types.Struct, *types.Map, *types.Interface, *types.Pointer:
		default:
			continue
		}
		root := a.Paths.Of(v).Root()
		def, ok := root.Val.(ssa.Instruction)
		if root.Kind != accesspath.Value || !ok {
			return true // a parameter or a package-level variable
		}
		if def.Parent() != a.fn || def.Block() != nil && !a.reach.Blocks(instr.Block(), def.Block()) {
			return true
		}
	}
	return false
}

// closure notes a function literal that is neither called nor passed on here:
// it may run at any time.
func (a *analysis) closure(instr *ssa.MakeClosure) {
	for _, r := range *instr.Referrers() {
		switch r := r.(type) {
		case ssa.CallInstruction:
			continue // the call records it
		case *ssa.ChangeType, *ssa.MakeInterface:
			v := r.(ssa.Value)
			if callsOnly(v) {
				continue
			}
		case *ssa.DebugRef:
			continue
		}
		a.escape(instr)
		return
	}
}

// optional reports whether a literal is only returned, as a value of a named
// function type.
func (a *analysis) optional(instr *ssa.MakeClosure) bool {
	named := func(v ssa.Value) bool {
		_, ok := types.Unalias(v.Type()).(*types.Named)
		return ok
	}
	for _, r := range *instr.Referrers() {
		switch r := r.(type) {
		case *ssa.ChangeType:
			if !named(r) || !returnedOnly(r) {
				return false
			}
		case *ssa.Return:
			res := a.fn.Signature.Results()
			if res.Len() == 0 {
				return false
			}
			if _, ok := types.Unalias(res.At(0).Type()).(*types.Named); !ok {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// stored reports whether a literal is put into a field or a container.
func stored(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.Store:
			if _, local := r.Addr.(*ssa.Alloc); !local && r.Val == v {
				return true
			}
		case *ssa.MapUpdate:
			return true
		case *ssa.ChangeType:
			if stored(r) {
				return true
			}
		}
	}
	return false
}

func returnedOnly(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		switch r.(type) {
		case *ssa.Return, *ssa.MakeInterface, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

func callsOnly(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if _, ok := r.(ssa.CallInstruction); !ok {
			return false
		}
	}
	return true
}

func (a *analysis) escape(v *ssa.MakeClosure) {
	if t, ok := a.functionValue(v); ok {
		c := summary.Call{Callee: t.key, Kind: summary.Escaped, Pos: v.Pos(), Held: lockset.Reached(), Option: a.optional(v), Stored: stored(v)}
		if len(t.args) > 0 {
			c.Args = append(c.Args, a.Paths.Of(t.args[0]))
			c.Owned = append(c.Owned, ownership.Fate{Own: ownership.Shared})
		}
		a.sum.Calls = append(a.sum.Calls, c)
	}
}
