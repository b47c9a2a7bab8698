package transfer

import (
	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// fresh reports whether at instr nobody but this call knows the object at the
// root of p.
func (a *analysis) fresh(p accesspath.Path, instr ssa.Instruction) bool {
	r := p.Root()
	if r.Kind != accesspath.Value || !a.makes(r.Val) {
		return false
	}
	def, ok := r.Val.(ssa.Instruction)
	if !ok || def.Parent() != a.fn {
		return false // made by the function around this literal
	}
	for _, pub := range a.publications(r.Val) {
		if pub == instr {
			continue
		}
		if pub.Block() == instr.Block() {
			if ssautil.Before(pub, instr) || a.reach.Blocks(pub.Block(), pub.Block()) && def.Block() != pub.Block() {
				return false
			}
			continue
		}
		if a.reach.Blocks(pub.Block(), instr.Block()) && pub.Block() != def.Block() || pub.Block() == def.Block() {
			return false
		}
	}
	return true
}

// makes reports whether v makes a new object.
func (a *analysis) makes(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap:
		return true
	case *ssa.Call:
		fn, _ := ssautil.Callee(&v.Call)
		if fn == nil || v.Call.IsInvoke() {
			return false
		}
		sum := a.Summary(fn.Origin())
		return sum != nil && len(sum.Results) > 0 && sum.Results[0].Fresh
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			fn, _ := ssautil.Callee(&c.Call)
			if fn == nil || c.Call.IsInvoke() {
				return false
			}
			sum := a.Summary(fn.Origin())
			return sum != nil && v.Index < len(sum.Results) && sum.Results[v.Index].Fresh
		}
	}
	return false
}

// publications returns the instructions that let others know the object v.
func (a *analysis) publications(v ssa.Value) []ssa.Instruction {
	if a.pubs == nil {
		a.indexPublications()
	}
	return a.pubs[v]
}

// indexPublications finds, in one walk, where objects made here become known
// to others. Passing one to a call does not publish it, unless the callee
// starts goroutines; returning it ends this function's part.
func (a *analysis) indexPublications() {
	a.pubs = make(map[ssa.Value][]ssa.Instruction)
	note := func(v ssa.Value, instr ssa.Instruction) {
		if r := a.Paths.Of(v).Root(); r.Kind == accesspath.Value {
			a.pubs[r.Val] = append(a.pubs[r.Val], instr)
		}
	}
	for _, b := range a.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if to := a.Paths.Of(instr.Addr).Root(); to.Kind != accesspath.Value || !a.makes(to.Val) {
					note(instr.Val, instr)
				}
			case *ssa.MapUpdate:
				if to := a.Paths.Of(instr.Map).Root(); to.Kind != accesspath.Value || !a.makes(to.Val) {
					note(instr.Value, instr)
				}
			case *ssa.Send:
				note(instr.X, instr)
			case *ssa.Go:
				a.publishCall(&instr.Call, instr, note)
			case *ssa.Call:
				if e := a.effects[instr]; e != nil && a.publishes(e) {
					a.publishCall(&instr.Call, instr, note)
				}
			}
		}
	}
}

// publishes reports whether a call lets other goroutines know its arguments:
// it starts one, stores them in a concurrent map, or keeps a function.
func (a *analysis) publishes(e *effect) bool {
	switch e.model.Kind {
	case model.Spawn, model.Register, model.ConcurrentStore, model.ConcurrentAtomic:
		return true
	}
	for _, t := range e.targets {
		if t.sum != nil && t.sum.Spawns || t.kind == summary.Goroutine || t.sure == guessed || t.kind == summary.Escaped {
			return true
		}
	}
	return false
}

func (a *analysis) publishCall(call *ssa.CallCommon, instr ssa.Instruction, note func(ssa.Value, ssa.Instruction)) {
	vals := append([]ssa.Value{call.Value}, call.Args...)
	for _, v := range vals {
		if mc, ok := v.(*ssa.MakeClosure); ok {
			for _, b := range mc.Bindings {
				note(b, instr)
			}
			continue
		}
		note(v, instr)
	}
}
