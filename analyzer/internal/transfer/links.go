package transfer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
	"github.com/mapguard/mapguard/analyzer/internal/summary"
)

// links returns what the fields of the objects point to that each round of a loop
// makes for a goroutine: its own object leads it to those that all share.
func (a *analysis) links(instr ssa.Instruction, renewed []accesspath.Path) []summary.Link {
	var out []summary.Link
	for _, own := range renewed {
		made := own.Root().Val
		if _, is := made.(*ssa.Alloc); a.oneAtATime(instr.(ssa.CallInstruction)) || !is && ssautil.CallOf(made) == nil {
			continue
		}
		for _, l := range append(a.linksOf(made), a.constructed(own)...) {
			if len(out) < maxWaits && !slices.Contains(renewed, a.Paths.Root(l.To.Root())) && a.outlasts(l.To, instr) {
				out = append(out, l)
			}
		}
	}
	return out
}

// outlasts reports whether what p starts at is the same in all rounds of the loop
// around instr.
func (a *analysis) outlasts(p accesspath.Path, instr ssa.Instruction) bool {
	def, ok := p.Root().Val.(ssa.Instruction)
	if !ok || def.Parent() != a.fn {
		return true
	}
	return !a.passesAgain(instr, def.Block())
}

// linksOf returns what the fields of an object point to that are set here, each to one thing, if that is something else than the
// object's own.
func (a *analysis) linksOf(made ssa.Value) (out []summary.Link) {
	own := a.Paths.Of(made).Root()
	for fa, val := range ssautil.FieldsSet(made) {
		if to := a.Paths.Of(val); pointer(val) && foreign(to, own) {
			out = append(out, summary.Link{Field: a.Paths.Of(fa), To: to})
		}
	}
	return out
}

// constructed returns what the fields of an object point to that a function of the package has made, as far as the call gives
// it that.
func (a *analysis) constructed(own accesspath.Path) (out []summary.Link) {
	call, i := ssautil.CallResult(own.Root().Val)
	if call == nil {
		return nil
	}
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Pkg != a.fn.Pkg {
		return nil
	}
	made := ssautil.MadeFor(callee, i)
	if made == nil {
		return nil
	}
	for fa, val := range ssautil.FieldsSet(made) {
		arg := slices.IndexFunc(callee.Params, func(p *ssa.Parameter) bool { return ssa.Value(p) == val })
		if arg < 0 || !pointer(val) {
			continue
		}
		field := fa.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(fa.Field)
		if to := a.Paths.Of(call.Call.Args[arg]); foreign(to, own.Root()) {
			out = append(out, summary.Link{Field: a.Paths.Field(own, field), To: to})
		}
	}
	return out
}

func pointer(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Pointer)
	return ok
}

// foreign reports whether a path leads to something else than the object at a root.
func foreign(to accesspath.Path, own accesspath.Root) bool {
	return to.Known() && to.Root() != own && to.Root().Kind != accesspath.Const
}

// settleKeys names the keys of the elements on a path by what they are set to here, where a
// callee finds them in an object that this function has made and hands it.
func (a *analysis) settleKeys(p accesspath.Path, at ssa.Instruction) accesspath.Path {
	return a.Paths.Rekey(p, func(key accesspath.Path) accesspath.Path {
		made, ok := key.Root().Val.(*ssa.Alloc)
		if !ok || key.Depth() != 1 || made.Parent() != a.fn {
			return key
		}
		if set := a.onlySet(made, key); set != nil && ssautil.Dominates(set, at) {
			if is := a.dep.KeyOf(set.Val); is.Known() {
				return is
			}
		}
		return key
	})
}

// onlySet returns the one store to a field of an object that is made here, nil if there is none,
// or more than one.
func (a *analysis) onlySet(made *ssa.Alloc, field accesspath.Path) (set *ssa.Store) {
	for _, r := range *made.Referrers() {
		fa, ok := r.(*ssa.FieldAddr)
		if !ok || a.Paths.Of(fa) != field {
			continue
		}
		for _, use := range *fa.Referrers() {
			st, ok := use.(*ssa.Store)
			if !ok {
				continue
			}
			if set != nil || st.Addr != ssa.Value(fa) {
				return nil
			}
			set = st
		}
	}
	return set
}
