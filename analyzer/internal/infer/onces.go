package infer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/callback"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// A once is a function that runs what it gets as sync.Once does. It calls that where it has found a flag of its object unset,
// and sets the flag then, both in one section of a lock; and it does not return but where the flag is set, as it knows by the
// lock or by an atomic look. So there is one run for each object, which is over before any call returns.
type once struct {
	*seal
	f      *Func
	run    *ssa.Call       // of what it gets
	object accesspath.Path // that has the flag
	took   *summary.LockStep
}

// findOnce notes that a function runs what it gets once, if it does. What is known of those that it calls must be there.
// Complexity: linear in the function, for each flag asked for before the run, and each lock held there.
func (p *Package) findOnce(f *Func) {
	i := soleFunction(f.SSA)
	if i < 0 {
		return
	}
	param := p.Paths.ParamOf(f.Key, i)
	run := soleCall(f.SSA.Params[i])
	at := slices.IndexFunc(f.Runs, func(r summary.Run) bool { return r.Func == param })
	if run == nil || at < 0 || f.Fate(param) != callback.Now || run.Parent() != f.SSA {
		return
	}
	for d := run.Block().Idom(); d != nil; d = d.Idom() {
		flag, set := sealAsked(d)
		if flag == nil {
			continue
		}
		for _, s := range p.addSeals(nil, flag, set, f.Runs[at].Held.Held()) {
			o := &once{seal: s, f: f, run: run}
			if o.asks(d) && o.sole() && o.ensures(sealed{f, o.object}) == flagSet|still {
				f.Runs[at].Fate = callback.Once
				p.rearming(o)
				return
			}
		}
	}
}

// soleCall returns the call of a function's parameter, if that is all that is done with it.
func soleCall(param *ssa.Parameter) *ssa.Call {
	uses := givenUses(param)
	if len(uses) != 1 {
		return nil
	}
	run, ok := uses[0].(*ssa.Call)
	if !ok || run.Call.Value != ssa.Value(param) {
		return nil
	}
	return run
}

// asks reports whether the function runs what it gets where it has found the flag unset, at the end of a block, in one section
// of the lock.
func (o *once) asks(d *ssa.BasicBlock) bool {
	addr, read, _ := flagRead(d)
	object, ok := ownerOf(o.p.Paths.Of(addr))
	if !ok {
		return false
	}
	o.object = object
	side := slices.IndexFunc(d.Succs, func(b *ssa.BasicBlock) bool { return b.Dominates(o.run.Block()) })
	if side < 0 || !ssautil.DominatesEdge(d, side, o.run.Block()) {
		return false
	}
	_, set, known := o.tells(d, side, object)
	o.took = o.takenFor(o.f, object, read, false)
	return known && !set && o.took != nil && o.takenFor(o.f, object, o.run, false) == o.took
}

// sole reports whether the function alone sets the flag, in any case when what it gets has run. What sets it back counts where
// the package comes to it.
func (o *once) sole() bool {
	sets := 0
	broken := slices.ContainsFunc(o.p.changes()[o.flag], func(c change) bool {
		switch {
		case o.reads(c.at) || o.p.inTheMaking(c) || o.resets(c.at) != nil:
			return false
		case !o.setsBehind(c.at):
			return true
		}
		_, plain := c.at.(*ssa.Store)
		o.plain = o.plain || plain
		sets++
		return false
	})
	return sets > 0 && !broken && !o.flag.Exported()
}

func (o *once) reads(at ssa.Instruction) bool {
	call, ok := at.(*ssa.Call)
	if !ok {
		return false
	}
	fn, args := ssautil.Callee(&call.Call)
	return model.ReadsFlag(fn) && flagVar(args[0]) == o.flag
}

// setsBehind reports whether an instruction sets the flag when what the function gets has run, and the lock is held since.
func (o *once) setsBehind(at ssa.Instruction) bool {
	object, ok := o.sets(at)
	if !ok || at.Parent() != o.f.SSA || object != o.object || !o.setsLocked(at, object) || o.takenFor(o.f, object, at, false) != o.took {
		return false
	}
	if _, deferred := at.(*ssa.Defer); deferred {
		return ssautil.Dominates(at, o.run)
	}
	return ssautil.Dominates(o.run, at) && ssautil.Always(o.run, at)
}

// resets returns the function that sets the flag back by an instruction, if others may call it, and nothing in the package
// does but for tests; else nil.
func (o *once) resets(at ssa.Instruction) *Func {
	var addr, to ssa.Value
	switch at := at.(type) {
	case *ssa.Store:
		addr, to = at.Addr, at.Val
	case *ssa.Call:
		fn, args := ssautil.Callee(&at.Call)
		if model.Flag(fn) != model.FlagSet {
			return nil
		}
		addr, to = args[0], args[len(args)-1]
	default:
		return nil
	}
	k, ok := to.(*ssa.Const)
	if !ok || !ssautil.IsZeroConst(k) || flagVar(addr) != o.flag || o.object != o.p.Paths.ParamOf(o.f.Key, 0) {
		return nil
	}
	f := o.p.byKey[accesspath.FuncKey(at.Parent())]
	if f == nil || !isExported(f.SSA) || methodOf(f.SSA) == nil || methodOf(f.SSA) != methodOf(o.f.SSA) {
		return nil
	}
	if slices.ContainsFunc(o.p.usesOf(f.SSA), func(use ssa.Instruction) bool { return !o.p.forTests(callback.Outermost(use.Parent())) }) {
		return nil
	}
	return f
}

// rearming notes the methods that have the once run what it gets anew.
func (p *Package) rearming(o *once) {
	for _, c := range p.changes()[o.flag] {
		if f := o.resets(c.at); f != nil && !o.p.inTheMaking(c) {
			p.rearms = append(p.rearms, f)
		}
	}
}

// noteRearms tells other packages of these methods.
func (p *Package) noteRearms() {
	for _, f := range p.rearms {
		f.Work = summary.Rearms
	}
}
