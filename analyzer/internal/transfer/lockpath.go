package transfer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/accesspath"
	"github.com/mapguard/mapguard/analyzer/internal/model"
	"github.com/mapguard/mapguard/analyzer/internal/ssautil"
)

// lockPath returns the lock that a Lock method on p, whose value is v, takes.
// An interface that holds a struct with an embedded mutex leads to that mutex,
// as the direct call does; an RLocker leads to its mutex, for reading.
func (a *Env) lockPath(p accesspath.Path, v ssa.Value) (lock accesspath.Path, reading bool) {
	if k := p.Key(); k.Root().Kind == accesspath.Const && k.Root().Const == model.RLockerKey {
		return p.Parent(), true
	}
	mi, ok := v.(*ssa.MakeInterface)
	if !ok {
		return p, false
	}
	t := mi.X.Type()
	_, index, _ := types.LookupFieldOrMethod(t, true, nil, "Lock")
	for _, i := range index[:max(len(index)-1, 0)] {
		st, ok := ssautil.Pointee(t).Underlying().(*types.Struct)
		if !ok || i >= st.NumFields() {
			return p, false
		}
		p, t = a.Paths.Field(p, st.Field(i)), st.Field(i).Type()
	}
	return p, false
}

// substituteLock is substitute for locks: a lock that the callee got as a
// parameter is the one that the argument leads to.
func (a *Env) substituteLock(p accesspath.Path, t target, at ssa.Instruction) accesspath.Path {
	q := a.substitute(p, t, at)
	r := p.Root()
	if p.Depth() == 0 && r.Kind == accesspath.Param && r.Fn == t.key && r.Index < len(t.args) {
		q, _ = a.lockPath(q, t.args[r.Index])
	}
	return q
}
